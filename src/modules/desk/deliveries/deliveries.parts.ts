import type { DomainModuleOptions } from '../../../kit/index.js';
import { FollowDeliveries } from './follow-deliveries.scheduled-job.js';
import { MailFailures } from './mail-failures.service.js';

/** `deliveries/`: what becomes of the mails about tickets. */
export const DELIVERIES = {
  providers: [MailFailures],
  scheduledJobs: [FollowDeliveries],
} satisfies Partial<DomainModuleOptions>;
