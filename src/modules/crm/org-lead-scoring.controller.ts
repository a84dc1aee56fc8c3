import { Body, Controller, Post } from '@nestjs/common';
import { Ctx, Endpoint } from '../../kit/index.js';
import { LeadScoringService } from './lead-scoring.service.js';
import { LeadScoringDto, ScoreLeadsDto } from './org-leads.dto.js';

@Controller('api/v1/org/crm/leads')
export class OrgLeadScoringController {
  constructor(private readonly scoring: LeadScoringService) {}

  @Post('score')
  @Endpoint({
    operation: 'score_org_leads', summary: 'Score the leads of a project', permission: 'org.crm.manage', returns: LeadScoringDto,
    description: 'In portions: repeat with next_after as after until it is null. The same lead always gets the same score.',
  })
  async score(@Ctx() ctx: Ctx, @Body() { project_id, after, limit = 5000 }: ScoreLeadsDto): Promise<LeadScoringDto> {
    return LeadScoringDto.from(await this.scoring.run(ctx, project_id, { after, limit }));
  }
}
