import { Injectable } from '@nestjs/common';
import { definedOf, invalid, Projects, sql, Store, type Condition, type Ctx, type Page, type Tx } from '../../../kit/index.js';
import { CrmStage } from '../pipelines/crm-stage.entity.js';
import { CrmPipeline } from '../pipelines/crm-pipeline.entity.js';
import { AssignmentService } from './assignment.service.js';
import { ConsentRecord } from '../person/consent-record.entity.js';
import { recordConsent } from '../person/record-consent.js';
import { CrmConfig, requireMove, requirePipeline, requireStage } from '../config/crm-config.service.js';
import { CrmNames } from '../config/crm-names.service.js';
import { changedName, isPhoneNumber, nameOf, normalizeEmail, requireAddress, requireName } from '../person/person-identity.js';
import { changedPerson, newPerson } from '../person/person-values.js';
import { Lead } from './lead.entity.js';
import { LeadDto, type CreateLeadDto, type LeadsQuery, type UpdateLeadDto } from './leads.dto.js';
import { LeadEvents } from './leads.events.js';
import type { ConsentRecordsQuery } from '../person/consent-record.dto.js';

/** The fields that the lead webhook, imports and the organization API can write. */
export type LeadInput = UpdateLeadDto;

/** Reads and changes leads. Methods with a `tx` run inside a larger change. */
@Injectable()
export class LeadsService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: CrmConfig,
    private readonly assignment: AssignmentService,
    private readonly names: CrmNames,
  ) {}

  get(ctx: Ctx, id: string): Promise<Lead> {
    return this.store.get(ctx, Lead, id);
  }

  page(ctx: Ctx, query: LeadsQuery): Promise<Page<Lead>> {
    return this.store.page(ctx, Lead, query, ...conditionsOf(query));
  }

  /** The consent log of a lead. It outlives the lead, so an unknown id has an empty log instead of an error. */
  consentRecords(ctx: Ctx, id: string, query: ConsentRecordsQuery): Promise<Page<ConsentRecord>> {
    return this.store.page(ctx, ConsentRecord, query, { resource_id: id });
  }

  async create(ctx: Ctx, { project_id, ...input }: CreateLeadDto): Promise<Lead> {
    const project = await this.projects.resolve(ctx, project_id, [CrmStage, input.status_id], [CrmPipeline, input.pipeline_id]);
    return this.store.write(ctx, (tx) => this.createIn(ctx, tx, project.id, input));
  }

  update(ctx: Ctx, id: string, input: LeadInput): Promise<Lead> {
    return this.store.write(ctx, async (tx) => this.changeIn(ctx, tx, await tx.target(Lead, id), input));
  }

  delete(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const lead = await tx.target(Lead, id);
      await tx.delete(lead);
      tx.emit(LeadEvents.leadDeleted, { object: await this.names.one(ctx, lead, LeadDto.from), projectId: lead.project_id });
    });
  }

  /** Creates a lead with its stage, its owner by the assignment rules, its consent records and its event. Matches no existing lead. */
  async createIn(ctx: Ctx, tx: Tx, projectId: string, input: LeadInput): Promise<Lead> {
    const name = requireName(nameOf(input), null);
    requireAddress(input);
    const { status, person } = await this.config.decide(tx, projectId, (config) => ({
      person: newPerson(ctx, config, input),
      status: requireStage(config, requirePipeline(config, 'lead', input.pipeline_id).id, input.status_id, 'status_id'),
    }));
    const values = {
      ...name,
      ...person,
      custom_fields: await tx.customFields.ofNew(Lead, input.custom_fields, { projectId }),
      project_id: projectId,
      pipeline_id: status.pipeline_id,
      status_id: status.id,
      status_kind: status.kind,
      utm_source: input.utm_source ?? null,
      utm_campaign: input.utm_campaign ?? null,
    };
    const owner_id = input.owner_id ?? (await this.assignment.assign(ctx, tx, values));
    const lead = await tx.advanced.pipelined.insert(Lead, { ...values, owner_id, submission_count: 1, score: 0 });
    await recordConsent(ctx, tx, { resource: 'lead', id: lead.id, project_id: projectId }, input, true);
    tx.emit(LeadEvents.leadCreated, { object: await this.names.one(ctx, lead, LeadDto.from), projectId });
    return lead;
  }

  /** Changes only the given fields of a locked lead; custom fields are merged. `counters` are set by the caller, not by the input. */
  async changeIn(ctx: Ctx, tx: Tx, lead: Lead, input: LeadInput, counters: Partial<Pick<Lead, 'submission_count'>> = {}): Promise<Lead> {
    const name = requireName(changedName(lead, input), lead);
    const changes: Partial<Lead> = { ...name, ...counters, utm_source: input.utm_source, utm_campaign: input.utm_campaign };
    await this.config.decide(tx, lead.project_id, (config) => {
      Object.assign(changes, changedPerson(config, lead, input));
      if (isMove(lead, input)) {
        const status = requireMove(config, 'lead', lead.pipeline_id, input.pipeline_id, input.status_id, 'status_id');
        Object.assign(changes, { pipeline_id: status.pipeline_id, status_id: status.id, status_kind: status.kind });
      }
    });
    changes.custom_fields = await tx.customFields.ofChanged(lead, input.custom_fields);
    const after = { ...lead, ...definedOf(changes) };
    if ((input.email !== undefined || input.phone !== undefined) && !after.email && !isPhoneNumber(after.phone))
      throw invalid('email', 'and phone cannot both be cleared');
    const changed = await this.write(ctx, tx, lead, changes);
    await recordConsent(ctx, tx, { resource: 'lead', id: lead.id, project_id: lead.project_id }, input, true);
    return changed;
  }

  private async write(ctx: Ctx, tx: Tx, lead: Lead, changes: Partial<Lead>): Promise<Lead> {
    const changed = await tx.advanced.pipelined.update(lead, changes);
    if (changed.version === lead.version) return changed;
    const data = { ...(await this.names.change(ctx, lead, changed, LeadDto.from)), projectId: lead.project_id };
    if (changed.status_id === lead.status_id) tx.emit(LeadEvents.leadUpdated, data);
    else tx.emit(LeadEvents.leadStatusChanged, { ...data, context: { from: statusOf(lead), to: statusOf(changed) } });
    return changed;
  }
}

/** Whether the input names another stage or pipeline. Naming only the current pipeline keeps the current status. */
function isMove(lead: Lead, { pipeline_id, status_id }: LeadInput): boolean {
  return (status_id !== undefined && status_id !== lead.status_id) || (pipeline_id !== undefined && pipeline_id !== lead.pipeline_id);
}

function statusOf({ status_id, status_kind }: Lead) {
  return { id: status_id, kind: status_kind };
}

function conditionsOf({ email, converted }: LeadsQuery): Condition[] {
  const conditions: Condition[] = [];
  if (email !== undefined) conditions.push(sql`t.email_normalized = ${normalizeEmail(email)}`);
  if (converted !== undefined) conditions.push(converted ? sql`t.converted_at IS NOT NULL` : sql`t.converted_at IS NULL`);
  return conditions;
}
