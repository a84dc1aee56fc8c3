import type { DomainModuleOptions } from '../../../kit/index.js';
import { Reminders } from './reminders.service.js';
import { SendReminders } from './send-reminders.scheduled-job.js';

/** `reminders/`: mails before an event starts. */
export const REMINDERS = {
  providers: [Reminders],
  scheduledJobs: [SendReminders],
} satisfies Partial<DomainModuleOptions>;
