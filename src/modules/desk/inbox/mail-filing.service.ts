import { Injectable } from '@nestjs/common';
import { CommonErrors, DAY_MS, firstCharacters, own, sql, Store, table, type Ctx, type Tx } from '../../../kit/index.js';
import { MailFailures } from '../deliveries/mail-failures.service.js';
import type { InboundMail, MailAddress } from '../mail/inbound/inbound-mail.js';
import type { Writer } from '../mail/inbound/writer.js';
import { TicketMails } from '../mail/outbound/ticket-mails.service.js';
import { DeskMailbox } from '../model/mailbox.entity.js';
import { InboundMailRow, OutboundMailRow } from '../model/mails.entity.js';
import type { TicketMessage } from '../model/message.entity.js';
import type { Ticket } from '../model/ticket.entity.js';
import { RepliesService } from '../tickets/replies.service.js';
import { RequesterMessages, type RequesterMessage } from '../tickets/requester-messages.service.js';
import type { FilingReason } from './filing-reasons.js';
import { domainOf, MailSenders, type Sender } from './mail-senders.service.js';
import { twinOf } from './mail-twins.js';
import { ticketOfMail } from './ticket-threads.js';

const MOST_CC = 20;
const MOST_NAMES = 50;
const LONGEST_BODY = 100_000;
const NO_TEXT = '[This message has no text.]';

type Outcome = Pick<InboundMailRow, 'status' | 'reason' | 'ticket_id' | 'ticket_message_id'>;
/** `opened` is a ticket whose requester may get its number. */
type FilingResult = Outcome & { opened: Ticket | null };

/** Turns a parsed mail into a ticket, a message of a ticket, or nothing. */
@Injectable()
export class MailFiling {
  constructor(
    private readonly store: Store,
    private readonly senders: MailSenders,
    private readonly requesters: RequesterMessages,
    private readonly replies: RepliesService,
    private readonly mails: TicketMails,
    private readonly failures: MailFailures,
  ) {}

  file(ctx: Ctx, mailId: string, mail: InboundMail): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      // a mail to several mailboxes is filed once for each, and the second sees what became of the first
      await tx.advanced.mutex(`desk mail ${ctx.organizationId} ${ctx.mode} ${mail.messageId}`);
      const [row] = await tx.lockWhere(InboundMailRow, { id: mailId, status: 'received' });
      // another run was faster
      if (!row) return;
      const mailbox = await tx.get(DeskMailbox, row.mailbox_id);
      const { opened, ...outcome } = await this.outcomeOf(ctx, tx, mailbox, row, mail);
      await tx.update(row, { ...outcome, ...shownOf(mail), ...rawOf(tx, mailbox, mail, outcome) });
      // now the mail is part of the ticket's conversation, and the reply refers to it
      if (opened) await this.mails.acknowledge(ctx, tx, opened);
    });
  }

  /** The mail is kept as it was received, so that the failure can be investigated. */
  giveUp(ctx: Ctx, mailId: string, mail: InboundMail, { message }: Error): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const [row] = await tx.lockWhere(InboundMailRow, { id: mailId, status: 'received' });
      if (!row) return;
      const outcome = { status: 'failed', reason: message.slice(0, 500) } as const;
      await tx.update(row, { ...outcome, ...shownOf(mail), ...rawOf(tx, await tx.get(DeskMailbox, row.mailbox_id), mail, outcome) });
    });
  }

  /**
   * A mail that was filed, or could not be read, becomes a ticket or a message because a member says so. Nobody gets a number for it. The
   * requester is the one given, else who wrote the mail.
   */
  async accept(ctx: Ctx, tx: Tx, row: InboundMailRow, mail: InboundMail, requester: MailAddress | null): Promise<InboundMailRow> {
    const mailbox = await tx.get(DeskMailbox, row.mailbox_id);
    const { writer, isOwn } = await this.senders.of(ctx, tx, mailbox, mail);
    const author = requester ?? (writer && !isOwn(writer.email) ? authorOf(writer) : null);
    if (author === null)
      throw CommonErrors.missingFields({
        param: 'requester_email',
        message: 'The desk itself is the only sender of the mail, so requester_email is required',
      });
    const ticket = await ticketOfMail(tx, mailbox.project_id, mail, { email: author.email, isAgent: false });
    const { opened: _, ...outcome } = await this.written(ctx, tx, mailbox, mail, ticket, { ...writtenOf(mail), author }, isOwn);
    return tx.update(row, { ...outcome, ...shownOf(mail), ...rawOf(tx, mailbox, mail, outcome) });
  }

  private async outcomeOf(ctx: Ctx, tx: Tx, mailbox: DeskMailbox, row: InboundMailRow, mail: InboundMail): Promise<FilingResult> {
    const sender = await this.senders.of(ctx, tx, mailbox, mail);
    const { writer, agent, isVerified } = sender;
    const twin = await twinOf(tx, row, mail, { by: writer?.email ?? null, body: writtenOf(mail).body });
    if (twin) return repeated(twin, twin.project_id === row.project_id);
    const failure = mail.bounce && (await this.failures.noteBounce(ctx, tx, mailbox.project_id, mail.bounce));
    if (failure) return filed('bounce', failure.ticket.project_id === row.project_id ? failure : null);
    const participant = writer && { email: writer.participant, isAgent: agent !== null && isVerified };
    const ticket = await ticketOfMail(tx, mailbox.project_id, mail, participant);
    const silence = await this.silenceOf(tx, mailbox, mail, sender);
    if (silence !== null || writer === null) return this.fileSilently(ctx, tx, row, ticket, mail, silence ?? 'no_sender');
    if (ticket && agent && !takesPart(ticket, writer.email)) return this.agentWrites(ctx, tx, ticket, mail, sender);
    // whom a stranger names is nobody whom the team knows from this ticket
    const isClaimed = ticket !== null && writer.participant !== writer.email && !isVouched(mail, sender);
    const author = isClaimed ? (mail.from as MailAddress) : authorOf(writer);
    const done = await this.written(ctx, tx, mailbox, mail, ticket, { ...writtenOf(mail), author }, sender.isOwn);
    const isForPerson = mail.automatic === null || (mail.automatic === 'list' && writer.isNamedOnly);
    return mailbox.acknowledge && isForPerson && !mail.declinesAnswers ? done : { ...done, opened: null };
  }

  /** Adds the mail to a ticket, or opens one. */
  private async written(
    ctx: Ctx,
    tx: Tx,
    mailbox: DeskMailbox,
    mail: InboundMail,
    ticket: Ticket | null,
    written: RequesterMessage,
    isOwn: Sender['isOwn'],
  ): Promise<FilingResult> {
    if (ticket) {
      const { ticket: on, message } = await this.requesters.requesterWrites(ctx, tx, ticket, written);
      // a reply to a closed ticket opens a follow-up ticket
      return processed(on, message, on.id === ticket.id ? null : on);
    }
    const ccEmails = othersOf(mail, written.author, isOwn);
    const opened = await this.requesters.openFromMail(ctx, tx, { ...written, mailbox, subject: mail.subject, ccEmails });
    return processed(opened.ticket, opened.message, opened.ticket);
  }

  /** The team answers by mail. What was not verified is a note, because anybody can write the address of an agent as the sender. */
  private async agentWrites(ctx: Ctx, tx: Tx, ticket: Ticket, mail: InboundMail, { agent, isVerified }: Sender): Promise<FilingResult> {
    if (ticket.status_category === 'closed') return filed('ticket_closed', { ticket, message: null });
    const { email, name } = agent as NonNullable<Sender['agent']>;
    if (isVerified) {
      const reached = [...mail.to, ...mail.cc].map((address) => address.email);
      const message = await this.replies.relay(ctx, tx, ticket, { ...writtenOf(mail), author: { email, name } }, reached);
      return processed(ticket, message, null);
    }
    const notice = `[${email} is an agent's address, but it is not verified that the agent wrote this. It was not sent to anybody.]\n\n`;
    return processed(ticket, await this.requesters.fileSilently(ctx, tx, ticket, { ...writtenOf(mail, notice), author: null }), null);
  }

  /**
   * Why a mail must have no effect; null if a person wrote it. Automatic mails of trusted domains may open tickets, and so may mails of
   * lists that are trusted, or that were sent to the mailbox itself, as by a group that is the mailbox's address. Reports about our own
   * mails, and our own mails that come back, may not, because that would cause a loop.
   */
  private async silenceOf(
    tx: Tx,
    { address }: DeskMailbox,
    { from, automatic, messageId, lists, to, cc, deliveredTo }: InboundMail,
    { writer, isOwn, isTrusted }: Sender,
  ): Promise<FilingReason | null> {
    if (writer === null || from === null) return automatic ?? 'no_sender';
    const ours = await tx.sql(
      sql.inAllProjects(
        'whether any project sent a mail',
      )`SELECT FROM ${table(OutboundMailRow)} o WHERE ${own('o')} AND o.message_id = ${messageId} LIMIT 1`,
    );
    if (isOwn(writer.email) || ours.length > 0) return 'own_mail';
    if (automatic === null || automatic === 'bounce' || automatic === 'receipt') return automatic;
    if (isTrusted(domainOf(from.email))) return null;
    const recipients = [...to.map(({ email }) => email), ...cc.map(({ email }) => email), ...deliveredTo];
    return automatic === 'list' && (recipients.includes(address) || lists.domains.some(isTrusted)) ? null : automatic;
  }

  private async fileSilently(
    ctx: Ctx,
    tx: Tx,
    row: InboundMailRow,
    ticket: Ticket | null,
    mail: InboundMail,
    reason: FilingReason,
  ): Promise<FilingResult> {
    if (ticket === null) return filed(reason, null);
    // a closed ticket is read-only, and a mail that is read again has its note
    const isNoted = ticket.status_category === 'closed' || row.ticket_message_id !== null;
    const message = isNoted ? null : await this.requesters.fileSilently(ctx, tx, ticket, { ...writtenOf(mail), author: mail.from });
    return { ...filed(reason, { ticket, message }), ...(row.ticket_message_id && { ticket_message_id: row.ticket_message_id }) };
  }
}

function processed(on: Ticket, { id }: TicketMessage, opened: Ticket | null): FilingResult {
  return { status: 'processed', reason: null, ticket_id: on.id, ticket_message_id: id, opened };
}

function filed(reason: FilingReason, on: { ticket: Ticket; message: TicketMessage | null } | null): FilingResult {
  return { status: 'filed', reason, ticket_id: on?.ticket.id ?? null, ticket_message_id: on?.message?.id ?? null, opened: null };
}

/** Another project's ticket is not named. */
function repeated({ ticket_id, ticket_message_id }: Pick<Outcome, 'ticket_id' | 'ticket_message_id'>, isHere: boolean): FilingResult {
  return { ...filed('repeated', null), ...(isHere && { ticket_id, ticket_message_id }) };
}

function takesPart({ requester_email, cc_emails }: Ticket, email: string): boolean {
  return requester_email === email || cc_emails.includes(email);
}

/** The organization's own group or form, or one that it trusts, names who wrote. */
function isVouched({ from }: InboundMail, { isOwn, isTrusted }: Sender): boolean {
  return from !== null && (isOwn(from.email) || isTrusted(domainOf(from.email)));
}

function authorOf({ email, name }: Writer): MailAddress {
  return { email, name };
}

/**
 * The other recipients, without the desk's own addresses. Those in To are copied only if the mailbox is one of the visible recipients:
 * otherwise one of them is the group or the alias that brought the mail here, and would bring the answers here, too.
 */
function othersOf({ to, cc, from, lists }: InboundMail, author: MailAddress, isOwn: Sender['isOwn']): string[] {
  const isVisible = [...to, ...cc].some(({ email }) => isOwn(email));
  const emails = [...new Set([...(isVisible ? to : []), ...cc].map(({ email }) => email))];
  const left = new Set([from?.email, author.email, ...lists.addresses]);
  return emails.filter((email) => !left.has(email) && !isOwn(email)).slice(0, MOST_CC);
}

function shownOf({ from, subject, quoted }: InboundMail): Pick<InboundMailRow, 'from_email' | 'from_name' | 'subject' | 'quoted_text'> {
  return { from_email: from?.email ?? null, from_name: from?.name ?? null, subject, quoted_text: quoted };
}

/** The raw mail is erased once all of it is part of a ticket. */
function rawOf(tx: Tx, { keep_raw_days }: DeskMailbox, mail: InboundMail, { status }: Pick<Outcome, 'status'>): Partial<InboundMailRow> {
  if (status === 'processed' && mail.omittedFiles.length === 0) return { content: null, content_object_id: null, raw_until_at: null };
  return { raw_until_at: new Date(tx.startedAt.getTime() + keep_raw_days * DAY_MS) };
}

function writtenOf({ text, html, files, omittedFiles }: InboundMail, notice = ''): Omit<RequesterMessage, 'author'> {
  const names = omittedFiles.slice(0, MOST_NAMES).join(', ') + (omittedFiles.length > MOST_NAMES ? ' and others' : '');
  const omitted = omittedFiles.length > 0 ? `\n\n[${omittedFiles.length} more files were left out: ${names}]` : '';
  const length = LONGEST_BODY - [...notice, ...omitted].length;
  return { body: notice + firstCharacters(text || NO_TEXT, length) + omitted, bodyHtml: html, files };
}
