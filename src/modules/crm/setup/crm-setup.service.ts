import { Injectable } from '@nestjs/common';
import { isSupportedCountry } from 'libphonenumber-js';
import {
  activeMembersOf,
  CommonErrors,
  CustomFieldCatalog,
  DomainError,
  invalid,
  Projects,
  Store,
  type Ctx,
  type CustomFieldRow,
  type Tx,
} from '../../../kit/index.js';
import { validateConditions } from '../assignment/assignment-conditions.js';
import { requireNoRule } from '../assignment/used-by-rules.js';
import { CrmConfig } from '../config/crm-config.service.js';
import { requireBelowLimit } from '../fields/crm-limits.js';
import { CrmSettings } from '../config/crm-settings.entity.js';
import type { CreateAssignmentRuleDto, UpdateAssignmentRuleDto } from '../assignment/assignment-rules.dto.js';
import type { UpdateCrmSettingsDto } from '../config/crm-settings.dto.js';
import type { CreateLeadSourceDto, UpdateLeadSourceDto } from '../config/lead-sources.dto.js';
import type { CreateCustomFieldDto, UpdateCustomFieldDto } from '../custom-fields/custom-fields.dto.js';
import { CUSTOM_FIELD_RESOURCES, NEW_TYPES, type CustomFieldResource, type CustomFieldType } from '../custom-fields/custom-fields.js';
import { LeadAssignmentRule } from '../assignment/lead-assignment-rule.entity.js';
import { LeadSource } from '../config/lead-source.entity.js';

const WITH_OPTIONS: readonly CustomFieldType[] = ['select', 'multi_select'];

type Configured = LeadSource | LeadAssignmentRule;

/** Changes a project's sources, custom fields, assignment rules and settings. */
@Injectable()
export class CrmSetupService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: CrmConfig,
    private readonly customFields: CustomFieldCatalog,
  ) {}

  async createSource(ctx: Ctx, { project_id, name }: CreateLeadSourceDto): Promise<LeadSource> {
    const project = await this.projects.resolve(ctx, project_id);
    return this.config.change(ctx, project.id, async (tx) => {
      requireBelowLimit('lead sources', await tx.list(LeadSource, { project_id: project.id }));
      return tx.insert(LeadSource, { project_id: project.id, name });
    });
  }

  async updateSource(ctx: Ctx, id: string, { name }: UpdateLeadSourceDto): Promise<LeadSource> {
    const { project_id } = await this.store.get(ctx, LeadSource, id);
    return this.config.change(ctx, project_id, async (tx) => tx.update(await tx.target(LeadSource, id), { name }));
  }

  async createCustomField(
    ctx: Ctx,
    { project_id, resource, key, label, type, options = [], required }: CreateCustomFieldDto,
  ): Promise<CustomFieldRow> {
    const project = await this.projects.resolve(ctx, project_id);
    requireOptions(type, options);
    const field = { resource, project_id: project.id, key, label, type: NEW_TYPES[type], options, required: required ?? false };
    return this.customFields.create(ctx, field);
  }

  async updateCustomField(ctx: Ctx, id: string, { label, options, required, active }: UpdateCustomFieldDto): Promise<CustomFieldRow> {
    await this.customField(ctx, id);
    return this.customFields.update(ctx, id, { label, options, required, active });
  }

  /** A field of which records have values is made inactive instead. */
  async deleteCustomField(ctx: Ctx, id: string): Promise<void> {
    const { resource, project_id, key } = await this.customField(ctx, id);
    await this.store.write(ctx, async (tx) => {
      if (resource === 'lead' && project_id !== null) await requireNoRule(tx, project_id, [[`custom_fields.${key}`]]);
      await this.customFields.delete(ctx, id, false).catch((error: unknown) => {
        if (!(error instanceof DomainError) || error.occurrence.param !== 'confirm') throw error;
        throw CommonErrors.resourceConflict({ message: `Some ${resource}s have a value of it; set active to false instead.` });
      });
    });
  }

  private async customField(ctx: Ctx, id: string): Promise<CustomFieldRow> {
    const field = await this.customFields.get(ctx, id);
    if (!CUSTOM_FIELD_RESOURCES.includes(field.resource as CustomFieldResource)) throw CommonErrors.notFound();
    return field;
  }

  async createRule(
    ctx: Ctx,
    { project_id, name, position, active, conditions = [], assign, member_ids }: CreateAssignmentRuleDto,
  ): Promise<LeadAssignmentRule> {
    const project = await this.projects.resolve(ctx, project_id);
    return this.config.change(ctx, project.id, async (tx) => {
      const rule = { project_id: project.id, name, active: active ?? true, conditions, assign, member_ids };
      await this.requireRule(ctx, tx, rule);
      const others = await tx.list(LeadAssignmentRule, { project_id: project.id });
      requireBelowLimit('assignment rules', others);
      return tx.insert(LeadAssignmentRule, { ...rule, position: position ?? Math.max(0, ...others.map((other) => other.position)) + 1 });
    });
  }

  async updateRule(ctx: Ctx, id: string, body: UpdateAssignmentRuleDto): Promise<LeadAssignmentRule> {
    const { project_id } = await this.store.get(ctx, LeadAssignmentRule, id);
    return this.config.change(ctx, project_id, async (tx) => {
      const rule = await tx.target(LeadAssignmentRule, id);
      const { name, position, active, conditions, assign, member_ids } = body;
      await this.requireRule(ctx, tx, {
        project_id,
        conditions: conditions ?? rule.conditions,
        assign: assign ?? rule.assign,
        member_ids: member_ids ?? rule.member_ids,
      });
      return tx.update(rule, { name, position, active, conditions, assign, member_ids });
    });
  }

  /** A foreign key rejects deleting a source that records have. */
  async delete(ctx: Ctx, entity: new () => Configured, id: string): Promise<void> {
    const { project_id } = await this.store.get<Configured>(ctx, entity, id);
    return this.config.change(ctx, project_id, async (tx) => {
      const row = await tx.target<Configured>(entity, id);
      if (row instanceof LeadSource) await requireNoRule(tx, project_id, [['source_id', [id]]]);
      await tx.delete(row);
    });
  }

  async settings(ctx: Ctx, projectId: string): Promise<CrmSettings> {
    await this.projects.get(ctx, projectId);
    const [settings] = await this.store.list(ctx, CrmSettings, { project_id: projectId });
    if (!settings) throw CommonErrors.notFound();
    return settings;
  }

  async updateSettings(ctx: Ctx, projectId: string, { default_country }: UpdateCrmSettingsDto): Promise<CrmSettings> {
    requireCountry(default_country);
    const { id } = await this.settings(ctx, projectId);
    return this.config.change(ctx, projectId, async (tx) => tx.update(await tx.target(CrmSettings, id), { default_country }));
  }

  private async requireRule(
    ctx: Ctx,
    tx: Tx,
    { project_id, conditions, assign, member_ids }: Pick<LeadAssignmentRule, 'project_id' | 'conditions' | 'assign' | 'member_ids'>,
  ): Promise<void> {
    const fields = await this.customFields.definitions(ctx, 'lead', project_id);
    validateConditions(
      conditions,
      fields.map(({ key }) => key),
    );
    if (assign === 'user' && member_ids.length !== 1) throw invalid('member_ids', 'must have exactly one member when assign is user');
    const active = await activeMembersOf(tx, member_ids);
    const unknown = member_ids.find((id) => !active.includes(id));
    if (unknown !== undefined) throw invalid('member_ids', `must be active members; ${unknown} is not`);
  }
}

function requireOptions(type: CustomFieldType, options: readonly string[]): void {
  if (WITH_OPTIONS.includes(type) === options.length > 0) return;
  throw CommonErrors.validationFailed({
    param: 'options',
    message: options.length > 0 ? `options are only for ${WITH_OPTIONS.join(' and ')}` : `options must list the values of a ${type}`,
  });
}

function requireCountry(country: string | null | undefined): void {
  if (!country || isSupportedCountry(country)) return;
  throw invalid('default_country', 'must be an ISO 3166-1 alpha-2 code of a country with phone numbers, for example DE');
}
