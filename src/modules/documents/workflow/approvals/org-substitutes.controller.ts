import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, type ListBody } from '../../../../kit/index.js';
import { CreateSubstituteDto, SubstituteDto, SubstitutesQuery } from './substitutes.dto.js';
import { SubstitutePeriods } from './substitute-periods.service.js';

const permission = ['papers.document.approve', 'papers.setup.manage'];

@Controller('/api/v1/org/papers/substitutes')
export class OrgSubstitutesController {
  constructor(private readonly substitutes: SubstitutePeriods) {}

  @Get()
  @Endpoint({
    permission,
    operation: 'list_org_substitutes',
    summary: 'List the substitutes of approvers',
    returns: SubstituteDto,
    list: true,
  })
  list(@Ctx() ctx: Ctx, @Query() query: SubstitutesQuery): Promise<ListBody<SubstituteDto>> {
    return this.substitutes.page(ctx, query);
  }

  @Post()
  @Endpoint({
    permission,
    operation: 'create_org_substitute',
    summary: 'Choose who decides on documents while an approver is away',
    description:
      'Members with the permission papers.setup.manage also choose for others, who may be away already; the audit log names who chose. ' +
      'In that time the substitute is asked, too, also about decisions that were pending before; whoever decides first does. The ' +
      'decision counts as that of the member who is away, who is told by mail, and the audit trail names both. A substitute decides ' +
      'neither documents that they submitted nor a step that they have decided already. Nobody can have a substitute and be one at the ' +
      'same time.',
    returns: SubstituteDto,
    status: 201,
    errors: [CommonErrors.permissionDenied],
  })
  create(@Ctx() ctx: Ctx, @Body() body: CreateSubstituteDto): Promise<SubstituteDto> {
    return this.substitutes.create(ctx, body);
  }

  @Delete(':id')
  @Endpoint({
    permission,
    operation: 'delete_org_substitute',
    summary: 'End or cancel a substitution',
    description: 'Takes effect at once. Decisions that were made stay.',
    returns: null,
    errors: [CommonErrors.permissionDenied],
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.substitutes.delete(ctx, id);
  }
}
