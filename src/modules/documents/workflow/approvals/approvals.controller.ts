import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, listBody, type ListBody } from '../../../../kit/index.js';
import { PendingApprovalDto, PendingApprovalsQuery } from './pending-approvals.dto.js';
import { PendingApprovals } from './pending-approvals.service.js';

const DECIDERS = 'A decision names its approver, or any of eligible_approvers may make it.';

@Controller('/api/v1/ext/papers/approvals')
export class ApprovalsController {
  constructor(private readonly pending: PendingApprovals) {}

  @Get('pending')
  @Endpoint({
    scope: 'papers:document:read',
    member: { permission: 'papers.document.view', description: `${DECIDERS} Send id to decide_org_document as decision_id.` },
    operation: 'list_pending_approvals',
    summary: 'List pending decisions',
    returns: PendingApprovalDto,
    list: true,
    lookup: { section: 'pending_approvals', fields: ['id', 'document', 'step', 'approver'] },
    description: `${DECIDERS} Send their address to act_on_document as approver_email, and id as decision_id.`,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: PendingApprovalsQuery): Promise<ListBody<PendingApprovalDto>> {
    const page = await this.pending.page(ctx, query);
    return listBody(page, await this.pending.mapper(ctx, page.data));
  }
}
