import type { DomainModuleOptions } from '../../../kit/index.js';
import { MailFiling } from './mail-filing.service.js';
import { MailSenders } from './mail-senders.service.js';
import { MailGatewayController } from './mail-gateway.controller.js';
import { OrgInboundMailsController } from './org-inbound-mails.controller.js';
import { EraseRawMails } from './erase-raw-mails.scheduled-job.js';
import { KeptMails } from './kept-mails.service.js';
import { ReadMail } from './read-mail.job.js';
import { ReadWaitingMails } from './read-waiting-mails.scheduled-job.js';
import { ReceivedMails } from './received-mails.service.js';

/** `inbox/`: mails that gateways deliver become tickets and messages; members see what became of them, and decide about the others. */
export const INBOX = {
  controllers: [MailGatewayController, OrgInboundMailsController],
  providers: [ReceivedMails, MailSenders, MailFiling, KeptMails],
  jobs: [ReadMail],
  scheduledJobs: [EraseRawMails, ReadWaitingMails],
  retention: [{ table: 'desk_inbound_mails', column: 'created_at', keepDays: 365 }],
} satisfies Partial<DomainModuleOptions>;
