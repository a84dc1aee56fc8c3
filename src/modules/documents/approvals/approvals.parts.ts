import type { DomainModuleOptions } from '../../../kit/index.js';
import { ApprovalLink } from './approval-link.entity.js';
import { ApprovalMailer } from './approval-mailer.service.js';
import { ApprovalReminders } from './approval-reminders.service.js';
import { ApprovalsController } from './approvals.controller.js';
import { Approvals } from './approvals.service.js';
import { Approvers } from './approvers.service.js';
import { PendingApprovals } from './pending-approvals.service.js';
import { WithdrawRequests } from './withdraw-requests.js';

/** `approvals/`: who is asked to approve a document, and which decisions are pending. */
export const APPROVALS = {
  entities: [ApprovalLink],
  controllers: [ApprovalsController],
  providers: [Approvals, ApprovalMailer, ApprovalReminders, Approvers, PendingApprovals, WithdrawRequests],
} satisfies Partial<DomainModuleOptions>;
