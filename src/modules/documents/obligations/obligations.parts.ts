import type { DomainModuleOptions } from '../../../kit/index.js';
import { FollowObligations } from './follow-obligations.scheduled-job.js';
import { ObligationProposals } from './obligation-proposals.js';
import { ObligationSeries } from './obligation-series.js';
import { Obligation } from './obligation.entity.js';
import { ObligationsController } from './obligations.controller.js';
import { ObligationsService } from './obligations.service.js';
import { OrgObligationsController } from './org-obligations.controller.js';

/** `obligations/`: single and recurring obligations under documents, with reminders. */
export const OBLIGATIONS = {
  entities: [Obligation],
  controllers: [ObligationsController, OrgObligationsController],
  providers: [ObligationsService, ObligationSeries, ObligationProposals],
  scheduledJobs: [FollowObligations],
} satisfies Partial<DomainModuleOptions>;
