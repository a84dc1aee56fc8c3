import type { DomainModuleOptions } from '../../../kit/index.js';
import { FollowDeliveries } from './outbound/follow-deliveries.scheduled-job.js';
import { MailWriter } from './outbound/mail-writer.service.js';
import { TicketMails } from './outbound/ticket-mails.service.js';

/** `mail/`: mails that come in are read, answers go out, and what becomes of them is noted. */
export const MAIL = {
  providers: [MailWriter, TicketMails],
  scheduledJobs: [FollowDeliveries],
} satisfies Partial<DomainModuleOptions>;
