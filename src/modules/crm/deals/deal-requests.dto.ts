import { Field, Filter, Listing, partialOf, ProjectListQuery, type CustomFieldValues } from '../../../kit/index.js';
import { STAGE_KINDS, type StageKind } from '../pipelines/stage-kind.js';
import { EXAMPLE } from '../fields/example-ids.js';

/** The fields of a new deal, without its project and contacts. */
export class DealFieldsDto {
  @Field.string({
    summary: true,
    description: 'What is to be sold, in one line.',
    example: 'Annual license for Acme',
  })
  title: string;

  @Field.amount({
    summary: true,
    description: 'Value in the minor unit of the currency: 1250000 is 12,500.00 EUR.',
    example: 1_250_000,
    required: false,
    default: 0,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  })
  amount?: number;

  @Field.string({
    summary: true,
    description: 'Currency as ISO 4217 code.',
    example: 'EUR',
    pattern: '^[A-Z]{3}$',
    maxLength: 3,
    minLength: 3,
  })
  currency: string;

  @Field.uuid({
    description: 'Pipeline of kind deal, from list_pipelines.',
    onCreate: "Defaults to the project's default.",
    example: EXAMPLE.pipeline,
    required: false,
  })
  pipeline_id?: string;

  @Field.uuid({
    description: 'Stage of the pipeline, from list_deal_stages.',
    onCreate: 'Defaults to the first one.',
    example: EXAMPLE.stage,
    required: false,
  })
  stage_id?: string;

  @Field.uuid({
    description: 'Member who owns the deal, from list_crm_members.',
    example: EXAMPLE.member,
    required: false,
    nullable: true,
  })
  owner_id?: string | null;

  @Field.uuid({
    description: 'Source, from list_lead_sources.',
    example: EXAMPLE.source,
    required: false,
    nullable: true,
  })
  source_id?: string | null;

  @Field.date({
    summary: true,
    description: 'Expected day of the decision, YYYY-MM-DD.',
    example: '2026-12-15',
    required: false,
    nullable: true,
  })
  expected_close_on?: string | null;

  @Field.customFields('deal')
  custom_fields?: CustomFieldValues;
}

/** The body that creates a deal. */
export class CreateDealDto extends DealFieldsDto {
  @Field.uuid({
    description: "Project of the deal; the key's project or the default project if omitted. It cannot be changed later.",
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.uuid({
    description: 'Contacts of the deal, from list_contacts. Replaces the whole list.',
    example: [EXAMPLE.contact],
    required: false,
    default: [],
    list: { maxItems: 50 },
  })
  contact_ids?: string[];

  @Field.oneOf(STAGE_KINDS, {
    summary: true,
    description:
      'Moves the deal to the first stage of this kind in the pipeline. Together with stage_id, it must be the kind of that stage.',
    example: 'won',
    required: false,
  })
  status?: StageKind;

  @Field.string({
    description: 'Why the deal was lost; only for lost deals. Reopening the deal clears it.',
    example: 'Chose a competitor',
    required: false,
    nullable: true,
    maxLength: 500,
  })
  lost_reason?: string | null;
}

/** The merge patch of a deal: omitted fields stay, null clears, lists are replaced, custom fields are merged. */
export class UpdateDealDto extends partialOf(CreateDealDto, { omit: ['project_id'] }) {}

/** The filters of list_deals. */
@Listing({
  sort: ['created_at', 'updated_at', 'amount', 'expected_close_on'],
  defaultSort: '-created_at',
  search: 'search',
  searched: 'the title',
  customFields: 'deal',
  unindexed: {
    pipeline_id: 'A pipeline has a large part of the deals.',
    currency: 'A currency has a large part of the deals.',
  },
})
export class DealsQuery extends ProjectListQuery {
  @Filter.uuid({
    description: 'Only deals of these pipelines.',
    example: [EXAMPLE.pipeline],
  })
  pipeline_id?: string[];

  @Filter.uuid({
    description: 'Only deals of these stages.',
    example: [EXAMPLE.stage],
  })
  stage_id?: string[];

  @Filter.oneOf(STAGE_KINDS, {
    description: 'Only deals that are open, won or lost.',
    example: ['open'],
  })
  status?: StageKind[];

  @Filter.uuid({
    description: 'Only deals of these owners; none for deals without an owner.',
    example: [EXAMPLE.member],
    orNone: true,
  })
  owner_id?: (string | null)[];

  @Filter.uuid({
    description: 'Only deals with any of these contacts; none for deals without a contact.',
    example: [EXAMPLE.contact],
    column: 'contact_ids',
    overlaps: true,
    orNone: true,
  })
  contact_id?: (string | null)[];

  @Filter.string({
    description: 'Only deals in these currencies.',
    example: ['EUR'],
  })
  currency?: string[];

  @Filter.bound('date', {
    description: 'Only deals with an expected decision on this day or later.',
    example: '2026-12-01',
  })
  expected_close_after?: string;

  @Filter.bound('date', {
    description: 'Only deals with an expected decision before this day.',
    example: '2027-01-01',
  })
  expected_close_before?: string;
}
