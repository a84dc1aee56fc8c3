import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { changedFrom, DAY_MS, own, sql, table, type Tx } from '../../../kit/index.js';
import { dueTimes, nextClocks } from '../clocks/ticket-clocks.js';
import { DeskConfig, type ProjectDesk } from '../config/desk-config.js';
import { Ticket } from '../model/ticket.entity.js';
import type { StatusCategory } from '../model/values.js';
import type { TicketMessageDto } from '../ticket-views/message.dto.js';
import { TicketDto } from '../ticket-views/ticket.dto.js';
import { TicketEvents } from '../ticket-views/tickets.events.js';
import { reportBreaches } from './sla-breaches.js';
import { appliedPolicy } from './sla-rules.js';

/** What caused the change of a ticket's status category. */
type StatusTrigger = 'reply' | 'assignment' | 'update' | 'requester' | 'merge' | 'auto_close';

export interface TicketChange {
  /** Columns to change; a new `status_category` also sets what depends on it. */
  values: Partial<Ticket>;
  trigger: StatusTrigger;
  /** A message that the change belongs to. */
  message?: TicketMessageDto;
}

type Clocked = Pick<Ticket, 'status_category' | 'queue_id' | 'tags' | 'priority' | 'first_answered_at' | 'waiting_since_at' | 'clocks'> &
  Pick<Ticket, 'business_hours_id'>;

/** The fields of a ticket whose change is `ticket.updated`. */
const OWN_FIELDS = [
  'subject',
  'cc_emails',
  'queue_id',
  'assignee_id',
  'priority',
  'tags',
  'snoozed_until_at',
  'external_id',
  'custom_fields',
] as const satisfies readonly (keyof TicketDto)[];
const STATUS_FIELDS = ['status_id', 'status_category', 'solved_at', 'closed_at'] as const satisfies readonly (keyof TicketDto)[];

/** Changes locked tickets, including their SLA clocks and the columns that depend on the status, and emits the events. */
@Injectable()
export class TicketChanges {
  constructor(private readonly config: DeskConfig) {}

  async apply(tx: Tx, ticket: Ticket, { values, trigger, message }: TicketChange): Promise<Ticket> {
    const now = tx.startedAt;
    const config = await this.config.of(tx, ticket.project_id);
    const { status_category: to = ticket.status_category } = values;
    const moved = { ...values, ...(to === ticket.status_category ? {} : this.timesOfMove(config, to, now)) };
    const clocks = clockedValues(config, { ...ticket, ...moved }, now);
    // only the rating of a closed ticket can change
    const all = ticket.status_category === 'closed' ? moved : { ...moved, ...clocks };
    const changed = message ? await tx.advanced.touch(ticket, all) : await tx.update(ticket, all);
    emitChanges(tx, ticket, changed, trigger, message);
    reportBreaches(tx, [{ before: ticket, after: changed }]);
    return changed;
  }

  /** Marks the clocks of locked tickets that are overdue, and moves due times if their business hours have changed. */
  async settle(tx: Tx, tickets: readonly Ticket[]): Promise<void> {
    const changes = [];
    for (const before of tickets) changes.push({ before, after: await this.settled(tx, before) });
    reportBreaches(tx, changes);
  }

  /** The times that a move to another category sets. */
  timesOfMove({ settings }: ProjectDesk, to: StatusCategory, now: Date): Partial<Ticket> {
    if (to === 'closed') return { closed_at: now, close_due_at: null, snoozed_until_at: null };
    if (to !== 'solved') return { solved_at: null, close_due_at: null, rating_due_at: null };
    return {
      solved_at: now,
      close_due_at: new Date(now.getTime() + settings.close_after_days * DAY_MS),
      rating_due_at: settings.ask_for_rating ? new Date(now.getTime() + DAY_MS) : null,
      snoozed_until_at: null,
    };
  }

  /** The columns of a new ticket that depend on its policy. */
  clocksOfNew(config: ProjectDesk, ticket: Omit<Clocked, 'clocks' | 'business_hours_id'>, now: Date): Partial<Ticket> {
    return clockedValues(config, { ...ticket, clocks: {}, business_hours_id: null }, now);
  }

  private async settled(tx: Tx, ticket: Ticket): Promise<Ticket> {
    const config = await this.config.of(tx, ticket.project_id);
    const { breach_due_at, ...shown } = clockedValues(config, ticket, tx.startedAt);
    const isChanged = Object.entries(shown).some(([name, value]) => !isDeepStrictEqual(value, ticket[name as keyof Ticket]));
    if (isChanged) return tx.advanced.pipelined.update(ticket, { breach_due_at, ...shown });
    // the ticket keeps its version if no due time has moved
    tx.advanced.pipelined.sql(
      sql`UPDATE ${table(Ticket)} t SET breach_due_at = ${breach_due_at} WHERE ${own('t')} AND t.id = ${ticket.id}`,
    );
    return ticket;
  }
}

function clockedValues(config: ProjectDesk, ticket: Clocked, now: Date): Partial<Ticket> {
  const policy = appliedPolicy(config, ticket);
  const hoursBefore = ticket.business_hours_id === null ? null : (config.hours.get(ticket.business_hours_id) ?? null);
  const clocks = nextClocks(ticket.clocks, ticket, policy?.rules ?? null, hoursBefore, now);
  return {
    clocks,
    ...dueTimes(clocks),
    sla_policy_id: policy?.sla_policy_id ?? null,
    business_hours_id: policy?.business_hours_id ?? null,
  };
}

function emitChanges(tx: Tx, before: Ticket, after: Ticket, trigger: StatusTrigger, message: TicketMessageDto | undefined): void {
  const { project_id: projectId } = after;
  const object = TicketDto.from(after);
  if (message) tx.emit(TicketEvents.messageAdded, { object, context: { message }, projectId });
  const previous = changedFrom(TicketDto.from(before), object);
  const isMoved = before.status_category !== after.status_category;
  const updated = pick(previous, isMoved ? OWN_FIELDS : [...OWN_FIELDS, 'status_id']);
  if (Object.keys(updated).length > 0) tx.emit(TicketEvents.updated, { object, previous: updated, projectId });
  if (!isMoved) return;
  tx.emit(TicketEvents.statusChanged, {
    object,
    previous: pick(previous, STATUS_FIELDS),
    context: { from: before.status_category, to: after.status_category, trigger },
    projectId,
  });
  if (after.status_category === 'solved') tx.emit(TicketEvents.solved, { object, projectId });
}

function pick(previous: Partial<TicketDto>, names: readonly (keyof TicketDto)[]): Partial<TicketDto> {
  return Object.fromEntries(Object.entries(previous).filter(([name]) => names.includes(name as keyof TicketDto)));
}
