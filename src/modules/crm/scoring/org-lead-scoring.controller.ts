import { Body, Controller, Post } from '@nestjs/common';
import { Ctx, Endpoint } from '../../../kit/index.js';
import { LeadScoringService } from './lead-scoring.service.js';
import { LeadScoringDto, ScoreLeadsDto } from './lead-scoring.dto.js';

@Controller('api/v1/org/crm/leads')
export class OrgLeadScoringController {
  constructor(private readonly scoring: LeadScoringService) {}

  @Post('score')
  @Endpoint({
    operation: 'score_org_leads',
    summary: 'Score the leads of a project',
    permission: 'org.crm.manage',
    returns: LeadScoringDto,
    status: 202,
    description:
      'The scores are computed in batches after the response. The same lead always gets the same score; unqualified leads get 0.',
  })
  async score(@Ctx() ctx: Ctx, @Body() { project_id }: ScoreLeadsDto): Promise<LeadScoringDto> {
    return LeadScoringDto.from(await this.scoring.start(ctx, project_id));
  }
}
