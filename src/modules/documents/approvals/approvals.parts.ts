import type { DomainModuleOptions } from '../../../kit/index.js';
import { ApprovalReminders } from './approval-reminders.service.js';
import { ApprovalsController } from './approvals.controller.js';
import { Approvals } from './approvals.service.js';
import { Approvers } from './approvers.service.js';
import { PendingApprovals } from './pending-approvals.service.js';
import { WithdrawRequests } from './withdraw-requests.js';

/** `approvals/`: who is asked to approve a document, and which decisions are pending. */
export const APPROVALS = {
  controllers: [ApprovalsController],
  providers: [Approvals, ApprovalReminders, Approvers, PendingApprovals, WithdrawRequests],
} satisfies Partial<DomainModuleOptions>;
