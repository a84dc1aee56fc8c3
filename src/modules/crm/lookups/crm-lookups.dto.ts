import { Field, Listing, LookupQuery, ResourceDto, type Member } from '../../../kit/index.js';
import type { CrmCustomField } from '../custom-fields/crm-custom-field.entity.js';
import type { CrmPipeline } from '../pipelines/crm-pipeline.entity.js';
import type { CrmStage } from '../pipelines/crm-stage.entity.js';
import {
  CUSTOM_FIELD_RESOURCES,
  CUSTOM_FIELD_TYPES,
  type CustomFieldResource,
  type CustomFieldType,
} from '../custom-fields/custom-fields.js';
import type { LeadSource } from '../config/lead-source.entity.js';
import { PIPELINE_KINDS, STAGE_KINDS, type PipelineKind, type StageKind } from '../pipelines/stage-kind.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const PIPELINE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b10';
const PROJECT_PARAMETER = 'Only the configuration of this project.';

/** A pipeline of leads or deals. */
export class CrmPipelineDto extends ResourceDto {
  @Field.constant('pipeline')
  object: string;

  @Field.uuid({
    description: 'Project of the pipeline.',
    example: PROJECT,
  })
  project_id: string;

  @Field.oneOf(PIPELINE_KINDS, {
    description: 'Whether it is for leads or deals.',
    example: 'deal',
  })
  kind: PipelineKind;

  @Field.string({
    description: 'Name, unique among the pipelines of its kind in the project.',
    example: 'Sales',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.boolean({
    description: 'Whether it is used for leads or deals without a given pipeline.',
    example: true,
  })
  is_default: boolean;

  static from(this: void, pipeline: CrmPipeline): CrmPipelineDto {
    const { id, project_id, kind, name, is_default, version } = pipeline;
    return {
      object: 'pipeline',
      id,
      project_id,
      kind,
      name,
      is_default,
      version,
      created_at: pipeline.created_at.toISOString(),
      updated_at: pipeline.updated_at.toISOString(),
    };
  }
}

/** The common fields of pipeline stages and lead statuses, which are the same rows. */
abstract class StageFieldsDto extends ResourceDto {
  @Field.uuid({
    description: 'Project of the pipeline.',
    example: PROJECT,
  })
  project_id: string;

  @Field.uuid({
    description: 'Its pipeline.',
    example: PIPELINE,
  })
  pipeline_id: string;

  @Field.string({
    description: 'Name, unique in the pipeline.',
    example: 'Negotiation',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.oneOf(STAGE_KINDS, {
    description: 'Its meaning: open, won or lost; for a lead, won is qualified and lost is unqualified.',
    example: 'open',
  })
  kind: StageKind;

  @Field.integer({
    description: 'Position on the board, ascending.',
    example: 3,
  })
  position: number;
}

function fieldsOf({ id, project_id, pipeline_id, name, kind, position, version, created_at, updated_at }: CrmStage) {
  return {
    id,
    project_id,
    pipeline_id,
    name,
    kind,
    position,
    version,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

/** A stage of a pipeline; send its id as stage_id of a deal. */
export class CrmStageDto extends StageFieldsDto {
  @Field.constant('pipeline_stage')
  object: string;

  static from(this: void, stage: CrmStage): CrmStageDto {
    return { object: 'pipeline_stage', ...fieldsOf(stage) };
  }
}

/** A status of leads: a stage of a lead pipeline; send its id as status_id of a lead. */
export class LeadStatusDto extends StageFieldsDto {
  @Field.constant('lead_status')
  object: string;

  static from(this: void, stage: CrmStage): LeadStatusDto {
    return { object: 'lead_status', ...fieldsOf(stage) };
  }
}

/** A source of leads. */
export class LeadSourceDto extends ResourceDto {
  @Field.constant('lead_source')
  object: string;

  @Field.uuid({
    description: 'Project of the source.',
    example: PROJECT,
  })
  project_id: string;

  @Field.string({
    description: 'Name, unique in the project.',
    example: 'Website',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  static from(this: void, source: LeadSource): LeadSourceDto {
    const { id, project_id, name, version } = source;
    return {
      object: 'lead_source',
      id,
      project_id,
      name,
      version,
      created_at: source.created_at.toISOString(),
      updated_at: source.updated_at.toISOString(),
    };
  }
}

/** A field that a project adds to its leads, contacts or deals. */
export class CrmCustomFieldDto extends ResourceDto {
  @Field.constant('custom_field')
  object: string;

  @Field.uuid({
    description: 'Project whose records have it.',
    example: PROJECT,
  })
  project_id: string;

  @Field.constant('crm')
  module: string;

  @Field.oneOf(CUSTOM_FIELD_RESOURCES, {
    description: 'The resource that has the field.',
    example: 'lead',
  })
  resource: CustomFieldResource;

  @Field.string({
    description: 'The key in custom_fields.',
    example: 'budget',
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
    description:
      'Type of the values: text and url are strings, date is YYYY-MM-DD, select is one of the options, multi_select an array of them.',
    example: 'number',
  })
  type: CustomFieldType;

  @Field.string({
    description: 'The allowed values of select and multi_select; empty for other types.',
    example: [],
    list: { maxItems: 200 },
    maxLength: 100,
  })
  options: string[];

  @Field.boolean({
    description: 'Whether every new record must have a value.',
    example: false,
  })
  required: boolean;

  @Field.boolean({
    description: 'Whether records can get a value; if not, they keep those that they have.',
    example: true,
  })
  active: boolean;

  static from(this: void, field: CrmCustomField): CrmCustomFieldDto {
    const { id, project_id, resource, key, label, type, options, required, active, version } = field;
    return {
      object: 'custom_field',
      id,
      project_id,
      module: 'crm',
      resource,
      key,
      label,
      type,
      options,
      required,
      active,
      version,
      created_at: field.created_at.toISOString(),
      updated_at: field.updated_at.toISOString(),
    };
  }
}

/** A person who can own leads, contacts and deals. */
export class CrmMemberDto {
  @Field.constant('member')
  object: string;

  @Field.uuid({
    description: 'Id of the member; send it as owner_id.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a20',
  })
  id: string;

  @Field.email({
    description: 'E-mail address.',
    example: 'ada@example.com',
  })
  email: string;

  @Field.string({
    description: 'Name.',
    example: 'Ada Lovelace',
  })
  name: string;

  static from(this: void, { id, email, name }: Member): CrmMemberDto {
    return { object: 'member', id, email, name };
  }
}

/** A list of one project's configuration. */
abstract class CrmLookupQuery extends LookupQuery {
  @Field.uuid({
    description: PROJECT_PARAMETER,
    example: PROJECT,
    required: false,
  })
  project_id?: string;
}

@Listing({
  sort: ['name', 'created_at'],
  defaultSort: 'created_at',
})
export class LeadSourcesQuery extends CrmLookupQuery {}

@Listing({
  sort: ['name', 'created_at'],
  defaultSort: 'name',
})
export class CrmMembersQuery extends LookupQuery {}

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class PipelineStagesQuery extends LookupQuery {}

@Listing({
  sort: ['name', 'created_at'],
  defaultSort: 'created_at',
})
export class PipelinesQuery extends CrmLookupQuery {
  @Field.oneOf(PIPELINE_KINDS, {
    description: 'Only pipelines of leads, or only pipelines of deals.',
    example: 'deal',
    required: false,
  })
  kind?: PipelineKind;
}

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class LeadStatusesQuery extends CrmLookupQuery {
  @Field.uuid({
    description: "Pipeline of kind lead, from list_pipelines; the project's default when omitted.",
    example: PIPELINE,
    required: false,
  })
  pipeline_id?: string;
}

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class DealStagesQuery extends CrmLookupQuery {
  @Field.uuid({
    description: 'Pipeline of kind deal, from list_pipelines; all when omitted.',
    example: PIPELINE,
    required: false,
  })
  pipeline_id?: string;
}

@Listing({
  sort: ['key', 'created_at'],
  defaultSort: 'created_at',
})
export class CustomFieldsQuery extends CrmLookupQuery {
  @Field.oneOf(CUSTOM_FIELD_RESOURCES, {
    description: 'Only the fields of leads, of contacts or of deals.',
    example: 'lead',
    required: false,
  })
  resource?: CustomFieldResource;
}

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class AssignmentRulesQuery extends CrmLookupQuery {}
