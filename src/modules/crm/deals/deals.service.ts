import { Injectable } from '@nestjs/common';
import {
  currentTime,
  invalid,
  Projects,
  requireCurrency,
  sql,
  Store,
  type Condition,
  type Ctx,
  type Page,
  type Tx,
} from '../../../kit/index.js';
import { CrmStage } from '../pipelines/crm-stage.entity.js';
import { CrmPipeline } from '../pipelines/crm-pipeline.entity.js';
import { Contact } from '../contacts/contact.entity.js';
import { CrmConfig, requireSource } from '../config/crm-config.service.js';
import { CrmNames } from '../config/crm-names.service.js';
import { resolveStage } from './deal-stage.js';
import { Deal } from './deal.entity.js';
import type { CreateDealDto, DealsQuery, UpdateDealDto } from './deal-requests.dto.js';
import { DealDto } from './deal.dto.js';
import { WonDealDto } from './won-deal.dto.js';
import { DealEvents } from './deals.events.js';
import { closedAt, type StageKind } from '../pipelines/stage-kind.js';

/** Reads and changes deals. Methods with a `tx` run inside a larger change. */
@Injectable()
export class DealsService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: CrmConfig,
    private readonly names: CrmNames,
  ) {}

  get(ctx: Ctx, id: string): Promise<Deal> {
    return this.store.get(ctx, Deal, id);
  }

  page(ctx: Ctx, query: DealsQuery): Promise<Page<Deal>> {
    return this.store.page(ctx, Deal, query, ...conditionsOf(query));
  }

  async create(ctx: Ctx, { project_id, ...body }: CreateDealDto): Promise<Deal> {
    const { stage_id, pipeline_id, contact_ids = [] } = body;
    const project = await this.projects.resolve(
      ctx,
      project_id,
      [CrmStage, stage_id],
      [CrmPipeline, pipeline_id],
      [Contact, contact_ids[0]],
    );
    return this.store.write(ctx, (tx) => this.createIn(ctx, tx, project.id, body));
  }

  async createIn(ctx: Ctx, tx: Tx, projectId: string, body: Omit<CreateDealDto, 'project_id'>): Promise<Deal> {
    requireCurrency('currency', body.currency);
    const stage = await this.config.decide(tx, projectId, (config) => {
      requireSource(config, body.source_id);
      return resolveStage(config, body, null);
    });
    const custom_fields = await tx.customFields.ofNew(Deal, body.custom_fields, { projectId });
    requireLostFor(body.lost_reason, stage.kind);
    const deal = await tx.insert(Deal, {
      project_id: projectId,
      title: body.title,
      amount: body.amount ?? 0,
      currency: body.currency,
      pipeline_id: stage.pipeline_id,
      stage_id: stage.id,
      status: stage.kind,
      owner_id: body.owner_id ?? null,
      source_id: body.source_id ?? null,
      contact_ids: body.contact_ids ?? [],
      expected_close_on: body.expected_close_on ?? null,
      lost_reason: body.lost_reason ?? null,
      closed_at: closedAt(null, stage.kind, currentTime()),
      custom_fields,
      created_by: ctx.actor,
    });
    const data = { object: await this.names.one(ctx, deal, DealDto.from), projectId };
    tx.emit(DealEvents.dealCreated, data);
    if (deal.status === 'won') await this.emitWon(tx, data.object);
    return deal;
  }

  update(ctx: Ctx, id: string, body: UpdateDealDto): Promise<Deal> {
    return this.store.write(ctx, async (tx) => {
      const deal = await tx.target(Deal, id);
      requireCurrency('currency', body.currency);
      const { pipeline_id, stage_id, status, custom_fields, ...plain } = body;
      const changes: Partial<Deal> = { ...plain, custom_fields: await tx.customFields.ofChanged(deal, custom_fields) };
      await this.config.decide(tx, deal.project_id, (config) => {
        requireSource(config, body.source_id);
        if (pipeline_id === undefined && stage_id === undefined && status === undefined) return;
        const stage = resolveStage(config, { pipeline_id, stage_id, status }, deal);
        Object.assign(changes, {
          pipeline_id: stage.pipeline_id,
          stage_id: stage.id,
          status: stage.kind,
          closed_at: closedAt(deal, stage.kind, currentTime()),
        });
      });
      const newStatus = changes.status ?? deal.status;
      requireLostFor(body.lost_reason, newStatus);
      if (newStatus !== 'lost') changes.lost_reason = null;
      return this.change(ctx, tx, deal, changes);
    });
  }

  private async change(ctx: Ctx, tx: Tx, deal: Deal, changes: Partial<Deal>): Promise<Deal> {
    const changed = await tx.update(deal, changes);
    if (changed.version === deal.version) return changed;
    const data = { ...(await this.names.change(ctx, deal, changed, DealDto.from)), projectId: deal.project_id };
    if (changed.stage_id === deal.stage_id) tx.emit(DealEvents.dealUpdated, data);
    else tx.emit(DealEvents.dealStageChanged, { ...data, context: { from: stageOf(deal), to: stageOf(changed) } });
    // the row is locked, so of two concurrent changes to won only one sees another status before
    if (changed.status === 'won' && deal.status !== 'won') await this.emitWon(tx, data.object);
    return changed;
  }

  private async emitWon(tx: Tx, deal: DealDto): Promise<void> {
    const contacts = await tx.list(Contact, { id: deal.contact_ids });
    tx.emit(DealEvents.dealWon, { object: WonDealDto.withContacts(deal, contacts), projectId: deal.project_id });
  }
}

function stageOf({ stage_id, status }: Deal) {
  return { id: stage_id, kind: status };
}

function requireLostFor(reason: string | null | undefined, status: StageKind): void {
  if (reason && status !== 'lost') throw invalid('lost_reason', `is only for lost deals; this deal is ${status}`);
}

function conditionsOf({ expected_close_after, expected_close_before }: DealsQuery): Condition[] {
  const conditions: Condition[] = [];
  // each bound applies to both sort expressions, so that either index can be scanned from the bound
  if (expected_close_after)
    conditions.push(
      sql`COALESCE(t.expected_close_on, '-infinity') >= ${expected_close_after}
        AND COALESCE(t.expected_close_on, 'infinity') >= ${expected_close_after}`,
    );
  if (expected_close_before)
    conditions.push(
      sql`COALESCE(t.expected_close_on, 'infinity') < ${expected_close_before}
        AND COALESCE(t.expected_close_on, '-infinity') < ${expected_close_before}`,
    );
  return conditions;
}
