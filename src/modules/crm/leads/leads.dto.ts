import {
  bothOf,
  DatedResourceDto,
  Field,
  Filter,
  Listing,
  pickOf,
  ProjectListQuery,
  responseOf,
  shownOf,
  type CustomFieldValues,
} from '../../../kit/index.js';
import { EXAMPLE } from '../fields/example-ids.js';
import { PersonDto, PersonFieldsDto, SHOWN_CUSTOM_FIELDS, SHOWN_EMAIL } from '../person/person.dto.js';
import { STAGE_KINDS, type StageKind } from '../pipelines/stage-kind.js';
import type { Lead } from './lead.entity.js';

/** The merge patch of a lead. */
export class UpdateLeadDto extends PersonFieldsDto {
  @Field.customFields('lead')
  custom_fields?: CustomFieldValues;

  @Field.uuid({
    description: 'Pipeline of kind lead, from list_pipelines; without status_id the lead moves to its first status.',
    example: EXAMPLE.pipeline,
    required: false,
  })
  pipeline_id?: string;

  @Field.uuid({
    description: "Status, from list_lead_statuses of the lead's pipeline.",
    example: EXAMPLE.status,
    required: false,
  })
  status_id?: string;

  @Field.string({
    description: 'Campaign source, for reports on acquisition.',
    example: 'newsletter',
    required: false,
    nullable: true,
  })
  utm_source?: string | null;

  @Field.string({
    description: 'Campaign, for reports on acquisition.',
    example: 'autumn-2026',
    required: false,
    nullable: true,
  })
  utm_campaign?: string | null;
}

/** The body that creates a lead in the organization API. */
export class CreateLeadDto extends UpdateLeadDto {
  @Field.uuid({
    description: 'Project of the lead; it cannot be changed later.',
    example: EXAMPLE.project,
  })
  project_id: string;
}

class Dated extends DatedResourceDto {}

/** A person who may become a customer. */
export class LeadDto extends bothOf(
  bothOf(PersonDto, pickOf(Dated, ['created_at'])),
  shownOf(UpdateLeadDto, {
    pipeline_id: 'Pipeline of the lead.',
    status_id: 'Status, which is a stage of the pipeline.',
    utm_source: 'Campaign source.',
    utm_campaign: 'Campaign.',
    // 25 rows with them are too large; each lead has a name
    email: { ...SHOWN_EMAIL, summary: false },
    company_name: { summary: false },
  }),
) {
  @Field.constant('lead')
  object: string;

  @Field.customFields('lead', SHOWN_CUSTOM_FIELDS)
  custom_fields: CustomFieldValues;

  @Field.string({
    description: 'Name of the pipeline.',
    example: 'Leads',
    nullable: true,
  })
  pipeline_name?: string | null;

  @Field.string({
    summary: true,
    description: 'Name of the status.',
    example: 'Contacted',
    nullable: true,
  })
  status_name?: string | null;

  @Field.oneOf(STAGE_KINDS, {
    description: 'The kind of the status: open, won (qualified) or lost (unqualified).',
    example: 'open',
  })
  status_kind: StageKind;

  @Field.integer({
    description: 'How often the lead was submitted.',
    example: 1,
    minimum: 1,
  })
  submission_count: number;

  @Field.integer({
    summary: true,
    description: 'How promising the lead is, 0 to 100; 0 until the scoring has run.',
    example: 0,
    minimum: 0,
    maximum: 100,
  })
  score: number;

  @Field.dateTime({
    description: 'When the lead was converted to a contact, UTC; null until then.',
    example: null,
    nullable: true,
  })
  converted_at: string | null;

  @Field.uuid({
    description: 'The contact of the converted lead.',
    example: null,
    nullable: true,
  })
  converted_contact_id: string | null;

  @Field.uuid({
    description: 'The deal opened by the conversion.',
    example: null,
    nullable: true,
  })
  converted_deal_id: string | null;

  static from(this: void, lead: Lead): LeadDto {
    return responseOf(LeadDto, lead);
  }
}

/** The filters of list_leads. */
@Listing({
  sort: ['created_at', 'updated_at', 'score'],
  defaultSort: '-created_at',
  search: 'search',
  searched: 'names, e-mail, phone, company, job title and external id',
  customFields: 'lead',
  unindexed: {
    pipeline_id: 'A pipeline has a large part of the leads.',
    source_id: 'A source has a large part of the leads.',
  },
})
export class LeadsQuery extends ProjectListQuery {
  @Filter.uuid({
    description: 'Only leads of these pipelines.',
    example: [EXAMPLE.pipeline],
  })
  pipeline_id?: string[];

  @Filter.uuid({
    description: 'Only leads of these statuses.',
    example: [EXAMPLE.status],
  })
  status_id?: string[];

  @Filter.oneOf(STAGE_KINDS, {
    description: 'Only leads whose status is of one of these kinds.',
    example: ['open'],
  })
  status_kind?: StageKind[];

  @Filter.uuid({
    description: 'Only leads of these owners; none for leads without an owner.',
    example: [EXAMPLE.member],
    orNone: true,
  })
  owner_id?: (string | null)[];

  @Filter.uuid({
    description: 'Only leads of these sources; none for leads without a source.',
    example: [EXAMPLE.source],
    orNone: true,
  })
  source_id?: (string | null)[];

  @Filter.custom({
    kind: 'string',
    minLength: 1,
    maxLength: 254,
    description: 'Only leads with this e-mail address, compared case-insensitively.',
    example: 'ada@example.com',
  })
  email?: string;

  @Filter.string({
    description: 'Only leads with these external ids.',
    example: ['crm-4711'],
  })
  external_id?: string[];

  @Filter.custom({
    kind: 'boolean',
    description: 'true for converted leads only, false for leads that are not converted.',
    example: false,
  })
  converted?: boolean;
}
