import { Injectable } from '@nestjs/common';
import { openCustomFields, Projects, Store, type Condition, type Ctx, type Page, type SentFile, type Tx } from '../../../kit/index.js';
import { DeskQueue } from '../model/queue.entity.js';
import { TicketChanges } from '../changes/ticket-changes.js';
import { requireMove } from '../changes/status-moves.js';
import {
  DeskConfig,
  defaultQueue,
  defaultStatus,
  requireAgent,
  requireQueue,
  requireStatus,
  type ProjectDesk,
} from '../config/desk-config.js';
import { MessageFiles, type MessageFile } from '../attachments/message-files.js';
import { TicketMails } from '../mail/outbound/ticket-mails.service.js';
import type { TicketMessage } from '../model/message.entity.js';
import { DeskStatus } from '../model/status.entity.js';
import { invalid } from '../model/desk.errors.js';
import { Ticket } from '../model/ticket.entity.js';
import { DeskView } from '../model/view.entity.js';
import { rankOf, type Channel } from '../model/values.js';
import { RequestersService } from '../requesters/requesters.service.js';
import { TicketDto } from '../ticket-views/ticket.dto.js';
import { TicketEvents } from '../ticket-views/tickets.events.js';
import { MessagesWriter } from './messages-writer.js';
import { copiesOf, requireNewExternalId, snoozeOf, tagsOf } from './ticket-values.js';
import { conditionsOf, conditionsOfView } from './ticket-conditions.js';
import type { TicketSubmissionBody } from './ticket-submission.dto.js';
import type { CreateTicketDto, TicketsQuery } from './tickets.dto.js';

/** A ticket that is to be opened. */
export interface NewTicket extends Omit<CreateTicketDto, 'project_id' | 'message' | 'notify' | 'attachment_ids'> {
  channel: Channel;
  followUpOfId?: string;
  message: { body: string; bodyHtml?: string | null; files?: readonly MessageFile[] };
}

/** A ticket with the message that opened it. */
export interface OpenedTicket {
  ticket: Ticket;
  message: TicketMessage;
}

/** Reads and opens tickets. The methods that take a `tx` are part of a larger change. */
@Injectable()
export class TicketsService {
  constructor(
    private readonly messages: MessagesWriter,
    private readonly messageFiles: MessageFiles,
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: DeskConfig,
    private readonly requesters: RequestersService,
    private readonly changes: TicketChanges,
    private readonly mails: TicketMails,
  ) {}

  get(ctx: Ctx, id: string): Promise<Ticket> {
    return this.store.get(ctx, Ticket, id);
  }

  async page(ctx: Ctx, query: TicketsQuery): Promise<Page<Ticket>> {
    return this.store.page(ctx, Ticket, query, ...conditionsOf(query), ...(await this.ofView(ctx, query.view_id)));
  }

  create(ctx: Ctx, body: CreateTicketDto, files: readonly SentFile[] = []): Promise<Ticket> {
    return this.store.write(ctx, (tx) => this.createIn(ctx, tx, body, ctx.actor.type === 'user' ? 'screen' : 'api', files));
  }

  async createIn(ctx: Ctx, tx: Tx, body: CreateTicketDto, channel: Channel, sent: readonly SentFile[] = []): Promise<Ticket> {
    const { project_id, message, attachment_ids, notify = true, ...fields } = body;
    const project = await this.projects.resolve(ctx, project_id, [DeskQueue, fields.queue_id], [DeskStatus, fields.status_id]);
    const files = await this.messageFiles.of(ctx, tx, project.id, attachment_ids, sent);
    const { ticket } = await this.open(ctx, tx, project.id, { ...fields, channel, message: { body: message, files } });
    if (notify) await this.mails.acknowledge(ctx, tx, ticket);
    return ticket;
  }

  /** From a form; its visitor is the requester. */
  submit(ctx: Ctx, tx: Tx, { requester_email: email, requester_name: name, ...body }: TicketSubmissionBody): Promise<Ticket> {
    return this.createIn(ctx, tx, { ...body, requester: { email, name } }, 'form');
  }

  /** Rejects values that no ticket of the project can have. `open` names the fields whose values are not known yet. */
  async requireAcceptable(tx: Tx, projectId: string, values: Partial<TicketSubmissionBody>, open: readonly string[]): Promise<void> {
    const given = Object.fromEntries(Object.entries(values).filter(([name]) => !open.includes(name))) as Partial<TicketSubmissionBody>;
    await this.config.decide(tx, projectId, (config) => placeOf(config, given));
    const { values: custom, ...fields } = openCustomFields(given.custom_fields, open);
    await tx.customFields.ofNew(Ticket, custom, { projectId, ...fields });
  }

  async open(ctx: Ctx, tx: Tx, projectId: string, given: NewTicket): Promise<OpenedTicket> {
    const requester = await this.requesters.findOrCreate(ctx, tx, projectId, given.requester);
    if (given.external_id) await requireNewExternalId(tx, projectId, given.external_id);
    const now = tx.startedAt;
    const ticket = await this.config.decide(tx, projectId, (config) => {
      const values: Partial<Ticket> = {
        project_id: projectId,
        subject: given.subject,
        requester_id: requester.id,
        requester_email: requester.email,
        requester_name: requester.name,
        contact_id: requester.contact_id,
        cc_emails: copiesOf(given.cc_emails ?? [], requester.email),
        ...placeOf(config, given),
        priority: rankOf(given.priority ?? 'normal'),
        tags: tagsOf(given.tags ?? []),
        channel: given.channel,
        snoozed_until_at: snoozeOf(given.snoozed_until_at, now) ?? null,
        external_id: given.external_id ?? null,
        first_answered_at: null,
        waiting_since_at: now,
        follow_up_of_id: given.followUpOfId ?? null,
        created_by: ctx.actor,
      };
      if (values.status_category === 'solved') Object.assign(values, this.changes.timesOfMove(config, 'solved', now));
      return { ...values, ...this.changes.clocksOfNew(config, values as Ticket, now) };
    });
    // nobody fills in the fields of a mail
    const fields = { projectId, isComplete: given.channel !== 'mail' };
    const custom_fields = await tx.customFields.ofNew(Ticket, given.custom_fields, fields);
    const number = `${ctx.mode === 'test' ? 'TEST-' : ''}T-${await tx.next('desk ticket', projectId)}`;
    const row = await tx.advanced.pipelined.insert(Ticket, { ...NOTHING_YET, ...ticket, custom_fields, number });
    const author = { type: 'requester', email: requester.email, name: requester.name } as const;
    const { message } = await this.messages.write(ctx, tx, row, { kind: 'public', author, ...given.message });
    tx.emit(TicketEvents.created, { object: TicketDto.from(row), projectId });
    return { ticket: row, message };
  }

  private async ofView(ctx: Ctx, id: string | undefined): Promise<Condition<Ticket>[]> {
    if (id === undefined) return [];
    const view = await this.store.find(ctx, DeskView, id);
    if (!view) throw invalid('view_id', 'must be a view of list_ticket_views');
    const { filters, project_id } = view;
    return [{ project_id }, ...conditionsOfView(filters)];
  }
}

const NOTHING_YET = {
  merged_into_id: null,
  satisfaction_score: null,
  satisfaction_comment: null,
  solved_at: null,
  closed_at: null,
  close_due_at: null,
  rating_due_at: null,
} as const;

/** Queue, assignee and status of a new ticket. */
function placeOf(
  config: ProjectDesk,
  { queue_id, assignee_id = null, status_id }: Pick<CreateTicketDto, 'queue_id' | 'assignee_id' | 'status_id'>,
): Pick<Ticket, 'queue_id' | 'assignee_id' | 'status_id' | 'status_category'> {
  const queue = queue_id === undefined ? defaultQueue(config) : requireQueue(config, queue_id);
  if (assignee_id !== null) requireAgent(config, assignee_id);
  const status = statusOfNew(config, status_id, assignee_id);
  return { queue_id: queue.id, assignee_id, status_id: status.id, status_category: status.category };
}

function statusOfNew(config: ProjectDesk, id: string | undefined, assigneeId: string | null): DeskStatus {
  if (id === undefined) return defaultStatus(config, assigneeId === null ? 'new' : 'open');
  const status = requireStatus(config, id);
  requireMove(config, 'new', status, assigneeId);
  return status;
}
