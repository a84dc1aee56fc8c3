import { Body, Controller, Post } from '@nestjs/common';
import { Ctx, Endpoint } from '../../../kit/index.js';
import { CloseOrganizationDto, OrganizationClosureDto } from './closures.dto.js';
import { ClosuresService } from './closures.service.js';
import { ClosureErrors } from './closures.errors.js';

@Controller('api/v1/org/organization/closure')
export class ClosuresController {
  constructor(private readonly closures: ClosuresService) {}

  @Post()
  @Endpoint({
    operation: 'close_organization',
    summary: 'Delete your organization',
    description:
      'All keys, sessions, public links, webhooks, mails and jobs of the organization stop at once; your own session ends, too. Its data ' +
      'is erased permanently after a grace period, during which only an operator of the installation can open it again. Refused while ' +
      'a legal hold lies on anything.',
    permission: 'org.organization.delete',
    confirmation: true,
    returns: OrganizationClosureDto,
    status: 202,
    errors: [ClosureErrors.legalHold],
    destructive: true,
  })
  async close(@Ctx() ctx: Ctx, @Body() { organization_name }: CloseOrganizationDto): Promise<OrganizationClosureDto> {
    return OrganizationClosureDto.from(await this.closures.close(ctx, organization_name));
  }
}
