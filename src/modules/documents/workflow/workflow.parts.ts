import type { DomainModuleOptions } from '../../../kit/index.js';
import { Decisions } from './decisions.service.js';
import { EscalateApprovals } from './escalate-approvals.scheduled-job.js';
import { Finalization } from './finalization.service.js';
import { OrgWorkflowController } from './org-workflow.controller.js';
import { Override } from './override.service.js';
import { Reminders } from './reminders.service.js';
import { ReleaseApprovers } from './release-approvers.scheduled-job.js';
import { Submission } from './submission.service.js';
import { Transitions } from './transitions.service.js';
import { WorkflowActions } from './workflow-actions.service.js';
import { WorkflowController } from './workflow.controller.js';

/** `workflow/`: what callers do to a document: submit it, decide on it, finalize it, move or override it. */
export const WORKFLOW = {
  controllers: [WorkflowController, OrgWorkflowController],
  providers: [Submission, Decisions, Transitions, Override, Reminders, WorkflowActions, Finalization],
  scheduledJobs: [EscalateApprovals, ReleaseApprovers],
} satisfies Partial<DomainModuleOptions>;
