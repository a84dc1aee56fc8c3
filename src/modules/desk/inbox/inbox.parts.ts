import type { DomainModuleOptions } from '../../../kit/index.js';
import { MailFiling } from './mail-filing.service.js';
import { MailGatewayController } from './mail-gateway.controller.js';
import { OrgInboundMailsController } from './org-inbound-mails.controller.js';
import { ReadMail } from './read-mail.job.js';
import { ReceivedMails } from './received-mails.service.js';

/** `inbox/`: mails that gateways deliver become tickets and messages; members see what became of them. */
export const INBOX = {
  controllers: [MailGatewayController, OrgInboundMailsController],
  providers: [ReceivedMails, MailFiling],
  jobs: [ReadMail],
  retention: [{ table: 'desk_inbound_mails', column: 'created_at', keepDays: 365 }],
} satisfies Partial<DomainModuleOptions>;
