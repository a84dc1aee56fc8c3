import type { DomainModuleOptions } from '../../../kit/index.js';
import { MailWriter } from './outbound/mail-writer.service.js';
import { TicketMails } from './outbound/ticket-mails.service.js';

/** `mail/`: mails that come in are read, and answers go out. */
export const MAIL = {
  providers: [MailWriter, TicketMails],
} satisfies Partial<DomainModuleOptions>;
