import { Injectable } from '@nestjs/common';
import { Settings, Store, type Ctx, type Tx } from '../../../kit/index.js';
import { DeskMailbox } from '../model/mailbox.entity.js';
import { InboundMailRow } from '../model/mails.entity.js';
import type { TicketMessage } from '../model/message.entity.js';
import { TicketMails } from '../mail/outbound/ticket-mails.service.js';
import type { Ticket } from '../model/ticket.entity.js';
import type { InboundMail, MailAddress } from '../mail/inbound/inbound-mail.js';
import { noteBounce } from '../mail/outbound/follow-deliveries.scheduled-job.js';
import { RequesterMessages } from '../tickets/requester-messages.service.js';
import { ticketOfMail } from './ticket-threads.js';

const MOST_CC = 20;
const NO_TEXT = '[This message has no text.]';

type Outcome = Pick<InboundMailRow, 'status' | 'reason' | 'ticket_id' | 'ticket_message_id'>;

/** Turns a parsed mail into a ticket, a message of a ticket, or nothing. */
@Injectable()
export class MailFiling {
  constructor(
    private readonly store: Store,
    private readonly requesters: RequesterMessages,
    private readonly mails: TicketMails,
    private readonly settings: Settings,
  ) {}

  file(ctx: Ctx, mailId: string, mail: InboundMail): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const [row] = await tx.lockWhere(InboundMailRow, { id: mailId, status: 'received' });
      // another run was faster
      if (!row) return;
      const mailbox = await tx.get(DeskMailbox, row.mailbox_id);
      const { opened, ...outcome } = await this.outcomeOf(ctx, tx, mailbox, mail);
      await tx.update(row, { ...outcome, quoted_text: mail.quoted, content: null });
      // now the mail is part of the ticket's conversation, and the reply refers to it
      if (opened && mailbox.acknowledge && mail.automatic === null && !mail.declinesAnswers) await this.mails.acknowledge(ctx, tx, opened);
    });
  }

  /** The mail is kept as it was received, so that the failure can be investigated. */
  giveUp(ctx: Ctx, mailId: string, { message }: Error): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const [row] = await tx.lockWhere(InboundMailRow, { id: mailId, status: 'received' });
      if (row) await tx.update(row, { status: 'failed', reason: message.slice(0, 500) });
    });
  }

  private async outcomeOf(ctx: Ctx, tx: Tx, mailbox: DeskMailbox, mail: InboundMail): Promise<Outcome & { opened: Ticket | null }> {
    if (mail.bounce?.isFinal) await noteBounce(ctx, tx, mail.bounce);
    const ticket = await ticketOfMail(ctx, tx, mailbox.project_id, mail);
    const silence = await this.silenceOf(ctx, tx, mailbox, mail);
    if (silence !== null) return { ...(await this.fileSilently(ctx, tx, ticket, mail, silence)), opened: null };
    const from = mail.from as MailAddress;
    const written = { author: from, body: bodyOf(mail), bodyHtml: mail.html, files: mail.files };
    if (ticket) {
      const { ticket: on, message } = await this.requesters.requesterWrites(ctx, tx, ticket, written);
      // a reply to a closed ticket opens a follow-up ticket
      return processed(on, message, on.id === ticket.id ? null : on);
    }
    const ccEmails = await this.othersOf(tx, mail);
    const opened = await this.requesters.openFromMail(ctx, tx, { ...written, mailbox, subject: mail.subject, ccEmails });
    return processed(opened.ticket, opened.message, opened.ticket);
  }

  /**
   * Why a mail must have no effect; null if a person wrote it. Automatic mails of trusted domains may open tickets. Reports about our own
   * mails, and our own mails that come back, may not, because that would cause a loop.
   */
  private async silenceOf(ctx: Ctx, tx: Tx, mailbox: DeskMailbox, { from, automatic }: InboundMail): Promise<string | null> {
    if (from === null) return automatic ?? 'no_sender';
    const own = await tx.query(`SELECT FROM desk_mailboxes WHERE organization_id = $1 AND lower(address) = $2`, [
      ctx.organizationId,
      from.email,
    ]);
    if (own.length > 0 || from.email === this.settings.mailFrom.address.toLowerCase()) return 'own_mail';
    if (automatic === null || automatic === 'bounce' || automatic === 'receipt') return automatic;
    const domain = from.email.slice(from.email.lastIndexOf('@') + 1);
    return mailbox.trusted_domains.some((trusted) => domain === trusted || domain.endsWith(`.${trusted}`)) ? null : automatic;
  }

  private async fileSilently(ctx: Ctx, tx: Tx, ticket: Ticket | null, mail: InboundMail, reason: string): Promise<Outcome> {
    if (ticket === null) return { status: 'filed', reason, ticket_id: null, ticket_message_id: null };
    const written = { author: mail.from, body: bodyOf(mail), bodyHtml: mail.html, files: mail.files };
    // a closed ticket is read-only
    const message = ticket.status_category === 'closed' ? null : await this.requesters.fileSilently(ctx, tx, ticket, written);
    return { status: 'filed', reason, ticket_id: ticket.id, ticket_message_id: message?.id ?? null };
  }

  /** The recipients of copies, without the desk's own addresses. */
  private async othersOf(tx: Tx, { cc, from }: InboundMail): Promise<string[]> {
    const emails = [...new Set(cc.map(({ email }) => email))].filter((email) => email !== from?.email);
    const own = new Set((await tx.list(DeskMailbox)).map(({ address }) => address));
    return emails.filter((email) => !own.has(email)).slice(0, MOST_CC);
  }
}

function processed(on: Ticket, { id }: TicketMessage, opened: Ticket | null): Outcome & { opened: Ticket | null } {
  return { status: 'processed', reason: null, ticket_id: on.id, ticket_message_id: id, opened };
}

function bodyOf({ text, omittedFiles }: InboundMail): string {
  const omitted = omittedFiles > 0 ? `\n\n[${omittedFiles} more files of this message were left out.]` : '';
  return (text || NO_TEXT) + omitted;
}
