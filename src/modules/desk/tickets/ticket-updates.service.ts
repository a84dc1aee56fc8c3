import { Injectable } from '@nestjs/common';
import { CommonErrors, definedOf, own, RowKeys, sql, Store, table, type Ctx, type Tx } from '../../../kit/index.js';
import { requireMove } from '../changes/status-moves.js';
import { TicketChanges, type TicketChange } from '../changes/ticket-changes.js';
import { DeskConfig, defaultStatus, requireAgent, requireQueue, requireStatus, type ProjectDesk } from '../config/desk-config.js';
import { DeskErrors, invalid } from '../model/desk.errors.js';
import { TICKET_NUMBER } from '../model/ticket-number.js';
import { Ticket } from '../model/ticket.entity.js';
import { rankOf } from '../model/values.js';
import { TicketMessageDto } from '../ticket-views/message.dto.js';
import { TicketEvents } from '../ticket-views/tickets.events.js';
import { TicketDto } from '../ticket-views/ticket.dto.js';
import { MessagesWriter } from './messages-writer.js';
import type { UpdateTicketDto } from './tickets.dto.js';
import { copiesOf, requireNewExternalId, requireOpen, snoozeOf, tagsOf } from './ticket-values.js';
import { TicketMessage } from '../model/message.entity.js';

const SYSTEM = { type: 'system', email: null, name: null } as const;

/** Changes and merges tickets. */
@Injectable()
export class TicketUpdates {
  constructor(
    private readonly messages: MessagesWriter,
    private readonly store: Store,
    private readonly keys: RowKeys,
    private readonly config: DeskConfig,
    private readonly changes: TicketChanges,
  ) {}

  update(ctx: Ctx, id: string, body: UpdateTicketDto): Promise<Ticket> {
    return this.store.write(ctx, async (tx) => {
      const ticket = await tx.target(Ticket, id);
      requireOpen(ticket);
      if (body.external_id && body.external_id !== ticket.external_id) await requireNewExternalId(tx, ticket.project_id, body.external_id);
      const change = await this.config.decide(tx, ticket.project_id, (config) => changeOf(config, ticket, body, tx.startedAt));
      change.values.custom_fields = await tx.customFields.ofChanged(ticket, body.custom_fields);
      return this.changes.apply(tx, ticket, change);
    });
  }

  /** Moves the messages of a ticket to another one and closes it. */
  merge(ctx: Ctx, id: string, into: string): Promise<Ticket> {
    return this.store.write(ctx, async (tx) => {
      const intoId = (await this.keys.resolver(ctx, TICKET_NUMBER, [into], 'into_id'))(into);
      const locked = await tx.lockWhere(Ticket, { id: [id, intoId] });
      const source = locked.find((ticket) => ticket.id === id);
      const target = locked.find((ticket) => ticket.id === intoId);
      if (!source) throw CommonErrors.notFound();
      if (!target) throw invalid('into_id', 'must be a ticket that exists');
      requireMergeable(source, target);
      await moveMessages(tx, source, target);
      await this.close(ctx, tx, source, target);
      return this.take(ctx, tx, source, target);
    });
  }

  private async close(ctx: Ctx, tx: Tx, source: Ticket, target: Ticket): Promise<void> {
    await this.messages.write(ctx, tx, source, { kind: 'system', author: SYSTEM, body: `Merged into ${target.number}.` });
    const status = defaultStatus(await this.config.of(tx, source.project_id), 'closed');
    const closed = await this.changes.apply(tx, source, {
      values: {
        status_id: status.id,
        status_category: 'closed',
        merged_into_id: target.id,
        waiting_since_at: null,
        rating_due_at: null,
      },
      trigger: 'merge',
    });
    tx.emit(TicketEvents.merged, { object: TicketDto.from(closed), context: { into_id: target.id }, projectId: closed.project_id });
  }

  private async take(ctx: Ctx, tx: Tx, source: Ticket, target: Ticket): Promise<Ticket> {
    const body = `${source.number} was merged into this ticket.`;
    const { message } = await this.messages.write(ctx, tx, target, { kind: 'system', author: SYSTEM, body });
    const isWaiting = target.waiting_since_at === null && source.waiting_since_at !== null && target.status_category !== 'solved';
    return this.changes.apply(tx, target, {
      values: isWaiting ? { waiting_since_at: tx.startedAt } : {},
      trigger: 'merge',
      message: TicketMessageDto.from(message),
    });
  }
}

function requireMergeable(source: Ticket, target: Ticket): void {
  if (source.id === target.id) throw DeskErrors.mergeRefused({ param: 'into_id' });
  for (const { number, status_category } of [source, target])
    if (status_category === 'closed') throw DeskErrors.mergeRefused({ message: `${number} is closed, so it cannot be merged.` });
  if (source.project_id !== target.project_id)
    throw DeskErrors.mergeRefused({ param: 'into_id', message: `${source.number} and ${target.number} are of different projects.` });
}

/** Mails to either ticket find the messages at the target from now on. */
async function moveMessages(tx: Tx, source: Ticket, target: Ticket): Promise<void> {
  await tx.sql(
    sql`UPDATE ${table(TicketMessage)} m SET ticket_id = ${target.id}, original_ticket_id = COALESCE(m.original_ticket_id, m.ticket_id),
        version = m.version + 1, updated_at = now()
      WHERE ${own('m')} AND m.ticket_id = ${source.id}`,
  );
}

function changeOf(config: ProjectDesk, ticket: Ticket, body: UpdateTicketDto, now: Date): TicketChange {
  const { priority, status_id, assignee_id = ticket.assignee_id, snoozed_until_at, cc_emails, tags, ...plain } = body;
  if (body.queue_id !== undefined && body.queue_id !== ticket.queue_id) requireQueue(config, body.queue_id);
  if (assignee_id !== null && assignee_id !== ticket.assignee_id) requireAgent(config, assignee_id);
  const values: Partial<Ticket> = definedOf({
    subject: plain.subject,
    queue_id: plain.queue_id,
    external_id: plain.external_id,
    assignee_id,
    cc_emails: cc_emails && copiesOf(cc_emails, ticket.requester_email),
    tags: tags && tagsOf(tags),
    priority: priority && rankOf(priority),
    snoozed_until_at: snoozeOf(snoozed_until_at, now),
  });
  const opens = status_id === undefined && ticket.status_category === 'new' && assignee_id !== null && ticket.assignee_id === null;
  const status = opens ? defaultStatus(config, 'open') : status_id === undefined ? null : requireStatus(config, status_id);
  if (status && status.id !== ticket.status_id) {
    requireMove(config, ticket.status_category, status, assignee_id);
    Object.assign(values, { status_id: status.id, status_category: status.category });
  }
  if ((values.status_category ?? ticket.status_category) === 'solved' && assignee_id === null)
    throw DeskErrors.assigneeRequired({ param: 'assignee_id' });
  return { values, trigger: opens ? 'assignment' : 'update' };
}
