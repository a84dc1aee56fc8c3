import { Field, field, partialOf, ResourceDto } from '../../../kit/index.js';
import { ASSIGNMENT_METHODS, type AssignmentCondition, type AssignmentMethod } from '../assignment/assignment-rules.js';
import { LIMITS } from './crm-limits.js';
import type { CrmSettings } from '../config/crm-settings.entity.js';
import {
  CUSTOM_FIELD_RESOURCES,
  CUSTOM_FIELD_TYPES,
  type CustomFieldResource,
  type CustomFieldType,
} from '../custom-fields/custom-fields.js';
import type { LeadAssignmentRule } from '../assignment/lead-assignment-rule.entity.js';
import { PIPELINE_KINDS, STAGE_KINDS, type PipelineKind, type StageKind } from '../pipelines/stage-kind.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const MEMBER = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a20';
const CONDITION = { field: 'custom_fields.country', op: 'in', value: ['DE', 'AT', 'CH'] };

/** Leaves room for the positions after the last one. */
const POSITIONS = { minimum: -1_000_000, maximum: 1_000_000 };

/** A stage of a new pipeline. */
export class PipelineStageInputDto {
  @Field.string({
    description: 'Name, unique in the pipeline.',
    example: 'Negotiation',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.oneOf(STAGE_KINDS, {
    description: 'Its meaning; it cannot be changed later.',
    example: 'open',
  })
  kind: StageKind;
}

/** The body that creates a pipeline. */
export class CreatePipelineDto {
  @Field.uuid({
    description: 'Project of the pipeline.',
    example: PROJECT,
  })
  project_id: string;

  @Field.oneOf(PIPELINE_KINDS, {
    description: 'Whether it is for leads or deals; it cannot be changed later.',
    example: 'deal',
  })
  kind: PipelineKind;

  @Field.string({
    description: 'Name, unique among the pipelines of its kind in the project.',
    example: 'Renewals',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.boolean({
    description: 'true makes it the default of its kind instead of the current default.',
    example: false,
    required: false,
    default: false,
  })
  is_default?: boolean;

  @Field.object(() => PipelineStageInputDto, {
    description: 'Its stages in board order; at least one of kind open.',
    example: [
      { name: 'Offer', kind: 'open' },
      { name: 'Renewed', kind: 'won' },
      { name: 'Ended', kind: 'lost' },
    ],
    list: { minItems: 1, maxItems: LIMITS.stages.count, repeats: true },
  })
  stages: PipelineStageInputDto[];
}

/** The merge patch of a pipeline. */
export class UpdatePipelineDto {
  @Field.string({
    description: 'Name.',
    example: 'Renewals',
    required: false,
    maxLength: 100,
  })
  name?: string;

  @Field.boolean({
    description: 'true makes it the default of its kind; false is rejected for the default: make another pipeline the default instead.',
    example: true,
    required: false,
  })
  is_default?: boolean;
}

/** The body that adds a stage to a pipeline. */
export class CreateStageDto extends PipelineStageInputDto {
  @Field.integer({
    description: 'Position on the board, ascending; at the end when omitted.',
    example: 3,
    required: false,
    ...POSITIONS,
  })
  position?: number;
}

/** The merge patch of a stage. Its kind cannot change, because closed deals and leads depend on it. */
export class UpdateStageDto extends partialOf(CreateStageDto, { omit: ['kind'] }) {}

/** The body that creates a lead source. */
export class CreateLeadSourceDto {
  @Field.uuid({
    description: 'Project of the source.',
    example: PROJECT,
  })
  project_id: string;

  @Field.string({
    description: 'Name, unique in the project.',
    example: 'Trade fair',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;
}

export class UpdateLeadSourceDto extends partialOf(CreateLeadSourceDto, { omit: ['project_id'] }) {}

/** The body that defines a custom field. */
export class CreateCustomFieldDto {
  @Field.uuid({
    description: 'Project whose records get the field.',
    example: PROJECT,
  })
  project_id: string;

  @Field.oneOf(CUSTOM_FIELD_RESOURCES, {
    description: 'The resource that gets the field; it cannot be changed later.',
    example: 'lead',
  })
  resource: CustomFieldResource;

  @Field.string({
    description: 'The key in custom_fields; it cannot be changed later.',
    example: 'budget',
    pattern: '^[a-z][a-z0-9_]{0,62}$',
    maxLength: 63,
  })
  key: string;

  @Field.string({
    description: 'The label that people see.',
    example: 'Budget',
    maxLength: 100,
  })
  label: string;

  @Field.oneOf(CUSTOM_FIELD_TYPES, {
    description: 'Type of the values; it cannot be changed later.',
    example: 'number',
  })
  type: CustomFieldType;

  @Field.string({
    description: 'The allowed values; required for select and multi_select, not allowed for other types.',
    example: ['small', 'large'],
    required: false,
    default: [],
    list: { maxItems: 200 },
    maxLength: 100,
  })
  options?: string[];

  @Field.boolean({
    description: 'Whether every new record must have a value.',
    example: false,
    required: false,
    default: false,
  })
  required?: boolean;
}

/** The merge patch of a custom field. Records keep values of removed options until the value is changed. */
export class UpdateCustomFieldDto extends partialOf(CreateCustomFieldDto, { omit: ['project_id', 'resource', 'key', 'type'] }) {
  @Field.boolean({
    description: 'Whether records can get a value; with false, they keep those that they have.',
    example: true,
    required: false,
  })
  active?: boolean;
}

/** The body that creates an assignment rule. */
export class CreateAssignmentRuleDto {
  @Field.uuid({
    description: 'Project whose new leads it is for.',
    example: PROJECT,
  })
  project_id: string;

  @Field.string({
    description: 'Name.',
    example: 'German-speaking leads',
    maxLength: 100,
  })
  name: string;

  @Field.integer({
    description: 'Rules are evaluated in ascending order and the first match decides; at the end when omitted.',
    example: 1,
    required: false,
    ...POSITIONS,
  })
  position?: number;

  @Field.boolean({
    description: 'Whether the rule is evaluated.',
    example: true,
    required: false,
    default: true,
  })
  active?: boolean;

  @field({
    kind: 'map',
    maxProperties: 10,
    list: { maxItems: 20, repeats: true },
    required: false,
    default: [],
    example: [CONDITION],
    description:
      'All must hold; an empty list matches every lead. Each condition is {field, op, value}: field is a field of the lead or ' +
      'custom_fields.<key>; op is eq, neq, in, not_in, contains, starts_with, ends_with, gt, lt, is_set or is_not_set; ' +
      'value is a list for in and not_in, and omitted for is_set and is_not_set.',
  })
  conditions?: AssignmentCondition[];

  @Field.oneOf(ASSIGNMENT_METHODS, {
    description: 'user: the only member; round_robin: each member in turn; least_open: the member with the fewest open leads.',
    example: 'round_robin',
  })
  assign: AssignmentMethod;

  @Field.uuid({
    description: 'Active members to choose from, in round-robin order; exactly one for user.',
    example: [MEMBER],
    list: { minItems: 1, maxItems: 100 },
  })
  member_ids: string[];
}

export class UpdateAssignmentRuleDto extends partialOf(CreateAssignmentRuleDto, { omit: ['project_id'] }) {}

/** A rule that assigns new leads to an owner. */
export class AssignmentRuleDto extends ResourceDto {
  @Field.constant('assignment_rule')
  object: string;

  @Field.uuid({
    description: 'Project whose new leads it is for.',
    example: PROJECT,
  })
  project_id: string;

  @Field.string({
    description: 'Name.',
    example: 'German-speaking leads',
    maxLength: 100,
  })
  name: string;

  @Field.integer({
    description: 'Position in the order of evaluation.',
    example: 1,
  })
  position: number;

  @Field.boolean({
    description: 'Whether the rule is evaluated.',
    example: true,
  })
  active: boolean;

  @field({
    kind: 'map',
    maxProperties: 10,
    list: { maxItems: 20, repeats: true },
    description: 'Conditions that must all hold; an empty list matches every lead.',
    example: [CONDITION],
  })
  conditions: AssignmentCondition[];

  @Field.oneOf(ASSIGNMENT_METHODS, {
    description: 'How one of the members is chosen.',
    example: 'round_robin',
  })
  assign: AssignmentMethod;

  @Field.uuid({
    description: 'Members to choose from; inactive members are skipped.',
    example: [MEMBER],
    list: { maxItems: 100 },
  })
  member_ids: string[];

  static from(this: void, rule: LeadAssignmentRule): AssignmentRuleDto {
    const { id, project_id, name, position, active, conditions, assign, member_ids, version } = rule;
    return {
      object: 'assignment_rule',
      id,
      project_id,
      name,
      position,
      active,
      conditions,
      assign,
      member_ids,
      version,
      created_at: rule.created_at.toISOString(),
      updated_at: rule.updated_at.toISOString(),
    };
  }
}

/** The merge patch of a project's settings. */
export class UpdateCrmSettingsDto {
  @Field.string({
    description: 'Country of phone numbers without a country code, as ISO 3166-1 alpha-2; null for none.',
    example: 'DE',
    pattern: '^[A-Z]{2}$',
    minLength: 2,
    maxLength: 2,
    required: false,
    nullable: true,
  })
  default_country?: string | null;
}

/** A project's settings. */
export class CrmSettingsDto extends ResourceDto {
  @Field.constant('crm_settings')
  object: string;

  @Field.uuid({
    description: 'Project of the settings.',
    example: PROJECT,
  })
  project_id: string;

  @Field.string({
    description: 'Country of phone numbers without a country code.',
    example: 'DE',
    nullable: true,
  })
  default_country: string | null;

  static from(this: void, settings: CrmSettings): CrmSettingsDto {
    const { id, project_id, default_country, version } = settings;
    return {
      object: 'crm_settings',
      id,
      project_id,
      default_country,
      version,
      created_at: settings.created_at.toISOString(),
      updated_at: settings.updated_at.toISOString(),
    };
  }
}
