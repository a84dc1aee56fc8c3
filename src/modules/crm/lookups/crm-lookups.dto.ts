import { Field, Listing, LookupQuery, ProjectLookupQuery, type Member } from '../../../kit/index.js';
import { CUSTOM_FIELD_RESOURCES, type CustomFieldResource } from '../custom-fields/custom-fields.js';
import { EXAMPLE } from '../fields/example-ids.js';
import { PIPELINE_KINDS, type PipelineKind } from '../pipelines/stage-kind.js';

/** A person who can own leads, contacts and deals. */
export class CrmMemberDto {
  @Field.constant('member')
  object: string;

  @Field.uuid({
    summary: true,
    description: 'Id of the member; send it as owner_id.',
    example: EXAMPLE.member,
  })
  id: string;

  @Field.email({
    summary: true,
    description: 'E-mail address.',
    example: 'ada@example.com',
  })
  email: string;

  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'Ada Lovelace',
  })
  name: string;

  static from(this: void, { id, email, name }: Member): CrmMemberDto {
    return { object: 'member', id, email, name };
  }
}

@Listing({
  sort: ['name', 'created_at'],
  defaultSort: 'created_at',
})
export class LeadSourcesQuery extends ProjectLookupQuery {}

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
export class PipelinesQuery extends ProjectLookupQuery {
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
export class LeadStatusesQuery extends ProjectLookupQuery {
  @Field.uuid({
    description: "Pipeline of kind lead, from list_pipelines; the project's default when omitted.",
    example: EXAMPLE.pipeline,
    required: false,
  })
  pipeline_id?: string;
}

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class DealStagesQuery extends ProjectLookupQuery {
  @Field.uuid({
    description: 'Pipeline of kind deal, from list_pipelines; all when omitted.',
    example: EXAMPLE.pipeline,
    required: false,
  })
  pipeline_id?: string;
}

@Listing({
  sort: ['key', 'created_at'],
  defaultSort: 'created_at',
})
export class CustomFieldsQuery extends ProjectLookupQuery {
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
export class AssignmentRulesQuery extends ProjectLookupQuery {}
