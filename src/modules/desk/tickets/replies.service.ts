import { Injectable } from '@nestjs/common';
import { CommonErrors, Members, Store, type Ctx, type Page, type SentFile, type Tx } from '../../../kit/index.js';
import { MessageFiles } from '../attachments/message-files.js';
import { requireMove } from '../changes/status-moves.js';
import { TicketChanges, type TicketChange } from '../changes/ticket-changes.js';
import { DeskConfig, defaultStatus, requireStatus, type ProjectDesk } from '../config/desk-config.js';
import { TicketMails } from '../mail/outbound/ticket-mails.service.js';
import { CannedResponse } from '../model/canned-response.entity.js';
import { invalid } from '../model/desk.errors.js';
import { TicketMessage } from '../model/message.entity.js';
import { Ticket } from '../model/ticket.entity.js';
import type { Author } from '../model/values.js';
import { TicketMessageDto } from '../ticket-views/message.dto.js';
import { cannedText } from './canned-text.js';
import { MessagesWriter, type NewMessage } from './messages-writer.js';
import type { AddTicketNoteDto, ReplyToTicketDto, TicketMessagesQuery } from './messages.dto.js';
import { lockFinal, RequesterMessages, type RequesterMessage } from './requester-messages.service.js';
import { requireOpen } from './ticket-values.js';

/** Reads and writes the messages of tickets. */
@Injectable()
export class RepliesService {
  constructor(
    private readonly messages: MessagesWriter,
    private readonly messageFiles: MessageFiles,
    private readonly store: Store,
    private readonly config: DeskConfig,
    private readonly members: Members,
    private readonly changes: TicketChanges,
    private readonly requesters: RequesterMessages,
    private readonly mails: TicketMails,
  ) {}

  async page(ctx: Ctx, ticketId: string, query: TicketMessagesQuery): Promise<Page<TicketMessageDto>> {
    await this.store.get(ctx, Ticket, ticketId);
    const page = await this.store.page(ctx, TicketMessage, query, { ticket_id: ticketId });
    return { ...page, data: await this.shown(ctx, page.data) };
  }

  async reply(ctx: Ctx, id: string, body: ReplyToTicketDto, files: readonly SentFile[] = []): Promise<TicketMessageDto> {
    const message = await this.store.write(ctx, (tx) =>
      body.as === 'requester' ? this.asRequester(ctx, tx, id, body, files) : this.answer(ctx, tx, id, body, files),
    );
    return (await this.shown(ctx, [message]))[0];
  }

  /** Adds an internal note, which is not mailed. */
  addNote(ctx: Ctx, id: string, { body, attachment_ids }: AddTicketNoteDto, sent: readonly SentFile[] = []): Promise<TicketMessageDto> {
    return this.store.write(ctx, async (tx) => {
      const ticket = await lockOpen(tx, id);
      const author = await this.authorOf(ctx, await this.config.of(tx, ticket.project_id), ticket);
      const files = await this.messageFiles.of(ctx, tx, ticket.project_id, attachment_ids, sent);
      const { message, attachments } = await this.messages.write(ctx, tx, ticket, { kind: 'internal', author, body, files });
      const shown = TicketMessageDto.from(message, attachments);
      await this.changes.apply(tx, ticket, { values: {}, trigger: 'reply', message: shown });
      return shown;
    });
  }

  /** Sends what an agent wrote by mail as the team's answer to a locked ticket, except to those whom that mail reached itself. */
  relay(ctx: Ctx, tx: Tx, ticket: Ticket, { author, ...written }: RequesterMessage, reached: readonly string[]): Promise<TicketMessage> {
    return this.send(ctx, tx, ticket, { ...written, author: { type: 'agent', ...author } }, undefined, reached);
  }

  private async answer(ctx: Ctx, tx: Tx, id: string, given: ReplyToTicketDto, files: readonly SentFile[]): Promise<TicketMessage> {
    const ticket = await lockOpen(tx, id);
    const author = await this.authorOf(ctx, await this.config.of(tx, ticket.project_id), ticket);
    const written = {
      author,
      body: await this.textOf(tx, ticket, author, given),
      files: await this.messageFiles.of(ctx, tx, ticket.project_id, given.attachment_ids, files),
    };
    return this.send(ctx, tx, ticket, written, given.status_id);
  }

  private async send(
    ctx: Ctx,
    tx: Tx,
    ticket: Ticket,
    written: Omit<NewMessage, 'kind'>,
    statusId: string | undefined,
    reached: readonly string[] = [],
  ): Promise<TicketMessage> {
    const values = await this.config.decide(tx, ticket.project_id, (config) => valuesOf(config, ticket, statusId, tx.startedAt));
    const sent = await this.mails.answer(ctx, tx, ticket, written, reached);
    const { message, attachments } = await this.messages.write(ctx, tx, ticket, { ...written, kind: 'public', mailId: sent.at(0)?.mailId });
    await this.mails.recordAnswer(ctx, tx, message, sent);
    await this.changes.apply(tx, ticket, { values, trigger: 'reply', message: TicketMessageDto.from(message, attachments) });
    return message;
  }

  /** Adds a message of the requester that came through another channel, such as by phone. */
  private async asRequester(ctx: Ctx, tx: Tx, id: string, given: ReplyToTicketDto, sent: readonly SentFile[]): Promise<TicketMessage> {
    if (given.status_id !== undefined) throw invalid('status_id', 'must be left out with as requester, whose message decides the status');
    const ticket = await lockFinal(tx, id);
    const author = { email: ticket.requester_email, name: ticket.requester_name };
    const body = await this.textOf(tx, ticket, { type: 'requester', ...author }, given);
    const channel = ctx.actor.type === 'user' ? 'screen' : 'api';
    const files = await this.messageFiles.of(ctx, tx, ticket.project_id, given.attachment_ids, sent);
    return (await this.requesters.requesterWrites(ctx, tx, ticket, { author, body, files }, channel)).message;
  }

  private async textOf(tx: Tx, ticket: Ticket, author: Author, { body, canned_response_id }: ReplyToTicketDto): Promise<string> {
    if (body !== undefined && canned_response_id !== undefined) throw invalid('canned_response_id', 'must be left out with body');
    if (body !== undefined) return body;
    if (canned_response_id === undefined)
      throw CommonErrors.missingFields({ param: 'body', message: 'body or canned_response_id is required' });
    const response = await tx.reference(CannedResponse, canned_response_id, 'canned_response_id', {
      projectId: ticket.project_id,
      where: ({ active }) => active,
      message: "must be an active canned response of the ticket's project",
      lock: 'none',
    });
    return cannedText(response.body, ticket, author);
  }

  /** The member on whose behalf the caller acts; without one, the message is signed with the queue's name. */
  private async authorOf(ctx: Ctx, { queues }: ProjectDesk, { queue_id }: Ticket): Promise<Author> {
    const [member] = ctx.memberId === null ? [] : await this.members.byIds(ctx, [ctx.memberId]);
    if (member) return { type: 'agent', email: member.email, name: member.name };
    return { type: 'agent', email: null, name: queues.find(({ id }) => id === queue_id)?.name ?? null };
  }

  private async shown(ctx: Ctx, messages: readonly TicketMessage[]): Promise<TicketMessageDto[]> {
    const states = await this.mails.deliveries(ctx, messages);
    return messages.map((message) => TicketMessageDto.from(message, undefined, states.get(message.mail_id) ?? null));
  }
}

async function lockOpen(tx: Tx, id: string): Promise<Ticket> {
  const ticket = await tx.lock(Ticket, id);
  requireOpen(ticket);
  return ticket;
}

function valuesOf(config: ProjectDesk, ticket: Ticket, statusId: string | undefined, now: Date): TicketChange['values'] {
  const values = { first_answered_at: ticket.first_answered_at ?? now, waiting_since_at: null };
  const opens = statusId === undefined && ticket.status_category === 'new';
  if (statusId === undefined && !opens) return values;
  const status = statusId === undefined ? defaultStatus(config, 'open') : requireStatus(config, statusId);
  if (status.id === ticket.status_id) return values;
  requireMove(config, ticket.status_category, status, ticket.assignee_id, 'status_id');
  return { ...values, status_id: status.id, status_category: status.category };
}
