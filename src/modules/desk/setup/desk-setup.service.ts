import { isDeepStrictEqual } from 'node:util';
import { Injectable, type Type } from '@nestjs/common';
import { CommonErrors, definedOf, newToken, own, Projects, sql, Store, table, type Ctx, type Tx, realTime } from '../../../kit/index.js';
import { DeskConfig } from '../config/desk-config.js';
import type {
  CreateTicketAgentDto,
  CreateTicketQueueDto,
  CreateTicketStatusDto,
  UpdateTicketAgentDto,
  UpdateTicketQueueDto,
  UpdateTicketStatusDto,
} from '../lookups/lookups.dto.js';
import type { CreateCannedResponseDto, CreateTicketViewDto, UpdateTicketViewDto } from '../lookups/views.dto.js';
import { DeskAgent } from '../model/agent.entity.js';
import { DeskBusinessHours } from '../model/business-hours.entity.js';
import { CannedResponse } from '../model/canned-response.entity.js';
import type { Configured } from '../model/configured.entity.js';
import { DeskMailbox } from '../model/mailbox.entity.js';
import { DeskQueue } from '../model/queue.entity.js';
import { DeskSettings } from '../model/settings.entity.js';
import { DeskSlaPolicy } from '../model/sla-policy.entity.js';
import { DeskStatus } from '../model/status.entity.js';
import type { StatusCategory } from '../model/values.js';
import { DeskView } from '../model/view.entity.js';
import { IS_UNSOLVED_TICKET, Ticket } from '../model/ticket.entity.js';
import type { CreateBusinessHoursDto, UpdateBusinessHoursDto } from './business-hours.dto.js';
import type { UpdateDeskSettingsDto } from './desk-settings.dto.js';
import type { CreateDeskMailboxDto, UpdateDeskMailboxDto } from './mailboxes.dto.js';
import { filtersOf, requireDistinctDefault, requireQueues, requireViewFilters, targetsOf, zoneOf } from './setup-rules.js';
import type { CreateSlaPolicyDto, UpdateSlaPolicyDto } from './sla-policies.dto.js';

/** The most rows of each kind, because every change of a ticket reads the whole configuration of its project. */
const MOST = 200;

/** Changes the configuration of projects. Changes of one project run one after the other. */
@Injectable()
export class DeskSetup {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: DeskConfig,
  ) {}

  createStatus(ctx: Ctx, body: CreateTicketStatusDto): Promise<DeskStatus> {
    return this.create(ctx, DeskStatus, body, async (tx, others) => {
      const { is_default = false, active = true } = body;
      requireDistinctDefault({ is_default, active }, null);
      const sameCategory = others.filter(({ category }) => category === body.category);
      if (is_default) await endDefault(tx, sameCategory);
      return { ...body, is_default, active, position: body.position ?? nextPosition(others) };
    });
  }

  updateStatus(ctx: Ctx, id: string, body: UpdateTicketStatusDto): Promise<DeskStatus> {
    return this.change(ctx, DeskStatus, id, async (tx, status) => {
      requireDistinctDefault(body, status);
      const { project_id, category } = status;
      if (body.is_default && !status.is_default) await endDefault(tx, await tx.list(DeskStatus, { project_id, category }));
      return tx.update(status, body);
    });
  }

  /** The ids of a project's default statuses by category. */
  async defaultStatuses(ctx: Ctx, projectId: string): Promise<Record<StatusCategory, string>> {
    const statuses = await this.store.list(ctx, DeskStatus, { project_id: projectId, is_default: true });
    return Object.fromEntries(statuses.map(({ category, id }) => [category, id])) as Record<StatusCategory, string>;
  }

  createQueue(ctx: Ctx, body: CreateTicketQueueDto): Promise<DeskQueue> {
    return this.create(ctx, DeskQueue, body, async (tx, others) => {
      const { is_default = false, active = true } = body;
      requireDistinctDefault({ is_default, active }, null);
      if (is_default) await endDefault(tx, others);
      return { ...body, is_default, active, position: body.position ?? nextPosition(others) };
    });
  }

  updateQueue(ctx: Ctx, id: string, body: UpdateTicketQueueDto): Promise<DeskQueue> {
    return this.change(ctx, DeskQueue, id, async (tx, queue) => {
      requireDistinctDefault(body, queue);
      if (body.is_default && !queue.is_default) await endDefault(tx, await tx.list(DeskQueue, { project_id: queue.project_id }));
      return tx.update(queue, body);
    });
  }

  createAgent(ctx: Ctx, body: CreateTicketAgentDto): Promise<DeskAgent> {
    return this.create(ctx, DeskAgent, body, async (tx, _, projectId) => {
      await requireQueues(tx, projectId, 'queue_ids', body.queue_ids);
      return { ...body, queue_ids: body.queue_ids ?? [] };
    });
  }

  updateAgent(ctx: Ctx, id: string, body: UpdateTicketAgentDto): Promise<DeskAgent> {
    return this.change(ctx, DeskAgent, id, async (tx, agent) => {
      await requireQueues(tx, agent.project_id, 'queue_ids', body.queue_ids);
      return tx.update(agent, definedOf(body));
    });
  }

  createView(ctx: Ctx, body: CreateTicketViewDto): Promise<DeskView> {
    return this.create(ctx, DeskView, body, async (tx, others, projectId) => {
      const filters = filtersOf(body.filters);
      await requireViewFilters(tx, projectId, filters);
      return { ...body, filters, position: body.position ?? nextPosition(others) };
    });
  }

  updateView(ctx: Ctx, id: string, body: UpdateTicketViewDto): Promise<DeskView> {
    return this.change(ctx, DeskView, id, async (tx, view) => {
      const filters = body.filters && filtersOf(body.filters, view.filters);
      if (filters) await requireViewFilters(tx, view.project_id, filters);
      return tx.update(view, definedOf({ ...body, filters }));
    });
  }

  createCannedResponse(ctx: Ctx, body: CreateCannedResponseDto): Promise<CannedResponse> {
    return this.create(ctx, CannedResponse, body, () => Promise.resolve({ ...body }));
  }

  updateCannedResponse(ctx: Ctx, id: string, body: Partial<CannedResponse>): Promise<CannedResponse> {
    return this.change(ctx, CannedResponse, id, (tx, response) => tx.update(response, body));
  }

  createBusinessHours(ctx: Ctx, body: CreateBusinessHoursDto): Promise<DeskBusinessHours> {
    return this.create(ctx, DeskBusinessHours, body, async (_tx, _others, projectId) => {
      const timezone = zoneOf(body.timezone ?? (await this.projects.get(ctx, projectId)).timezone);
      return { ...body, timezone, holidays: [...(body.holidays ?? [])].sort() };
    });
  }

  updateBusinessHours(ctx: Ctx, id: string, body: UpdateBusinessHoursDto): Promise<DeskBusinessHours> {
    return this.change(ctx, DeskBusinessHours, id, async (tx, hours) => {
      const timezone = body.timezone === undefined ? undefined : zoneOf(body.timezone);
      const changed = await tx.update(hours, definedOf({ ...body, timezone, holidays: body.holidays && [...body.holidays].sort() }));
      const times = ['timezone', 'windows', 'holidays'] as const;
      if (times.some((name) => !isDeepStrictEqual(changed[name], hours[name]))) await this.settleTickets(tx, hours);
      return changed;
    });
  }

  createPolicy(ctx: Ctx, body: CreateSlaPolicyDto): Promise<DeskSlaPolicy> {
    return this.create(ctx, DeskSlaPolicy, body, async (tx, others, projectId) => {
      await requireQueues(tx, projectId, 'queue_ids', body.queue_ids);
      return {
        ...body,
        position: body.position ?? nextPosition(others),
        queue_ids: body.queue_ids ?? [],
        tags: lower(body.tags ?? []),
        business_hours_id: body.business_hours_id ?? null,
        targets: targetsOf(body.targets),
      };
    });
  }

  updatePolicy(ctx: Ctx, id: string, body: UpdateSlaPolicyDto): Promise<DeskSlaPolicy> {
    return this.change(ctx, DeskSlaPolicy, id, async (tx, policy) => {
      await requireQueues(tx, policy.project_id, 'queue_ids', body.queue_ids);
      const targets = body.targets && targetsOf(body.targets, policy.targets);
      return tx.update(policy, definedOf({ ...body, tags: body.tags && lower(body.tags), targets }));
    });
  }

  /** `token` is shown once. */
  async createMailbox(ctx: Ctx, body: CreateDeskMailboxDto): Promise<{ mailbox: DeskMailbox; token: string }> {
    const { token, hash } = newToken();
    const mailbox = await this.create(ctx, DeskMailbox, body, async (tx, _, projectId) => {
      const [queue] = await tx.list(DeskQueue, { project_id: projectId, is_default: true });
      return {
        ...body,
        address: body.address.toLowerCase(),
        queue_id: body.queue_id ?? queue.id,
        mode: body.mode ?? 'live',
        trusted_domains: lower(body.trusted_domains ?? []),
        token_hash: hash,
      };
    });
    return { mailbox, token };
  }

  updateMailbox(ctx: Ctx, id: string, body: UpdateDeskMailboxDto): Promise<DeskMailbox> {
    return this.change(ctx, DeskMailbox, id, (tx, mailbox) =>
      tx.update(
        mailbox,
        definedOf({
          ...body,
          address: body.address?.toLowerCase(),
          trusted_domains: body.trusted_domains && lower(body.trusted_domains),
        }),
      ),
    );
  }

  /** The current token becomes invalid immediately. */
  async renewToken(ctx: Ctx, id: string): Promise<{ mailbox: DeskMailbox; token: string }> {
    const { token, hash } = newToken();
    return { mailbox: await this.change(ctx, DeskMailbox, id, (tx, mailbox) => tx.update(mailbox, { token_hash: hash })), token };
  }

  async settings(ctx: Ctx, projectId: string): Promise<DeskSettings> {
    const [settings] = await this.store.list(ctx, DeskSettings, { project_id: projectId });
    if (!settings) throw CommonErrors.notFound();
    return settings;
  }

  async updateSettings(ctx: Ctx, projectId: string, body: UpdateDeskSettingsDto): Promise<DeskSettings> {
    const { id } = await this.settings(ctx, projectId);
    return this.change(ctx, DeskSettings, id, (tx, settings) => tx.update(settings, definedOf(body)));
  }

  /**
   * Makes the job that reports breaches settle the tickets of both modes whose running clocks these hours time. It runs when no process
   * still uses the old hours.
   */
  private async settleTickets(tx: Tx, { id, project_id }: DeskBusinessHours): Promise<void> {
    await tx.sql(
      sql.inBothModes('both modes time tickets by business hours')`WITH timed AS (
          SELECT t.id FROM ${table(Ticket)} t
          WHERE ${own('t')} AND t.project_id = ${project_id} AND t.business_hours_id = ${id} AND ${IS_UNSOLVED_TICKET} AND EXISTS (
            SELECT FROM jsonb_each(t.clocks) AS c (metric, clock)
            WHERE clock ->> 'running_since_at' IS NOT NULL AND clock ->> 'breached_at' IS NULL
          )
          ORDER BY t.id FOR NO KEY UPDATE
        )
        UPDATE ${table(Ticket)} ticket SET breach_due_at = ${new Date(realTime().getTime() + this.config.staleMs)} FROM timed
        WHERE ${own('ticket')} AND ticket.id = timed.id`,
    );
  }

  /** Foreign keys reject deleting rows that tickets, mails or other configuration refer to. */
  async delete(ctx: Ctx, entity: Type<Configured>, id: string): Promise<void> {
    await this.change(ctx, entity, id, async (tx, row) => {
      if ((row instanceof DeskStatus || row instanceof DeskQueue) && row.is_default)
        throw CommonErrors.resourceConflict({ message: 'The default cannot be deleted; make another one the default first.' });
      await requireUnlisted(tx, row);
      if (row instanceof DeskBusinessHours) await requireNoClock(tx, row);
      await tx.delete(row);
    });
  }

  private async create<E extends Configured>(
    ctx: Ctx,
    entity: Type<E>,
    body: { project_id?: string },
    valuesOf: (tx: Tx, others: E[], projectId: string) => Promise<object>,
  ): Promise<E> {
    const project = await this.projects.resolve(ctx, body.project_id);
    return this.config.change(ctx, project.id, async (tx) => {
      const others = (await tx.list(entity as Type<Configured>, { project_id: project.id })) as E[];
      if (others.length >= MOST)
        throw CommonErrors.resourceConflict({ message: `A project can have at most ${MOST} of these; delete one first.` });
      return tx.insert(entity, { ...(await valuesOf(tx, others, project.id)), project_id: project.id } as Partial<E>);
    });
  }

  private async change<E extends Configured, R>(ctx: Ctx, entity: Type<E>, id: string, change: (tx: Tx, row: E) => Promise<R>): Promise<R> {
    const { project_id } = await this.store.get(ctx, entity, id);
    return this.config.change(ctx, project_id, async (tx) => change(tx, await tx.target(entity, id)));
  }
}

async function endDefault<E extends DeskStatus | DeskQueue>(tx: Tx, rows: readonly E[]): Promise<void> {
  for (const row of rows) if (row.is_default) await tx.update<DeskStatus | DeskQueue>(row, { is_default: false });
}

/** Arrays have no foreign keys. */
async function requireUnlisted(tx: Tx, { id, project_id }: Configured): Promise<void> {
  const ofQueues = [...(await tx.list(DeskSlaPolicy, { project_id })), ...(await tx.list(DeskAgent, { project_id }))];
  const filters = (await tx.list(DeskView, { project_id })).flatMap((view) => Object.values(view.filters) as string[][]);
  if ([...ofQueues.map(({ queue_ids }) => queue_ids), ...filters].some((ids) => ids.includes(id)))
    throw CommonErrors.resourceConflict({ message: 'SLA policies, agents or views refer to it, so it cannot be deleted.' });
}

/** What a running clock has used is counted by the hours that it was started with, also if its policy has others by now. */
async function requireNoClock(tx: Tx, { id, project_id }: DeskBusinessHours): Promise<void> {
  const [running] = await tx.sql(
    sql.inBothModes('whether tickets of either mode are timed by business hours')`SELECT FROM ${table(Ticket)} t
      WHERE ${own('t')} AND t.project_id = ${project_id} AND t.business_hours_id = ${id} AND ${IS_UNSOLVED_TICKET} LIMIT 1`,
  );
  if (running) throw CommonErrors.resourceConflict({ message: 'Unsolved tickets are timed by these hours, so they cannot be deleted.' });
}

function nextPosition(others: readonly { position: number }[]): number {
  return Math.min(10_000, Math.max(0, ...others.map(({ position }) => position)) + 1);
}

function lower(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim().toLowerCase()))];
}
