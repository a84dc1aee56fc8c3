import { ActorDto, Field, Filter, Listing, ListQuery, partialOf, ResourceDto } from '../../../kit/index.js';
import type { Contact } from '../contacts/contact.entity.js';
import type { CustomFieldValues } from '../custom-fields/custom-fields.js';
import type { Deal } from './deal.entity.js';
import { STAGE_KINDS, type StageKind } from '../pipelines/stage-kind.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const MEMBER = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a20';
const PIPELINE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b10';
const STAGE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b60';
const SOURCE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b30';
const CONTACT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b40';

/** The fields of a new deal, without its project and contacts. */
export class DealFieldsDto {
  @Field.string({
    description: 'What is to be sold, in one line.',
    example: 'Annual license for Acme',
  })
  title: string;

  @Field.integer({
    description: 'Value in the minor unit of the currency: 1250000 is 12,500.00 EUR.',
    example: 1_250_000,
    required: false,
    default: 0,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  })
  amount?: number;

  @Field.string({
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
    example: PIPELINE,
    required: false,
  })
  pipeline_id?: string;

  @Field.uuid({
    description: 'Stage of the pipeline, from list_deal_stages.',
    onCreate: 'Defaults to the first one.',
    example: STAGE,
    required: false,
  })
  stage_id?: string;

  @Field.uuid({
    description: 'Member who owns the deal, from list_crm_members; null for nobody.',
    example: MEMBER,
    required: false,
    nullable: true,
  })
  owner_id?: string | null;

  @Field.uuid({
    description: 'Source, from list_lead_sources.',
    example: SOURCE,
    required: false,
    nullable: true,
  })
  source_id?: string | null;

  @Field.date({
    description: 'Expected day of the decision, YYYY-MM-DD.',
    example: '2026-12-15',
    required: false,
    nullable: true,
  })
  expected_close_on?: string | null;

  @Field.map({
    description: 'Values by the keys that list_crm_custom_fields returns for deals. Merged: null clears a value, omitted keys stay.',
    example: { seats: 25 },
    required: false,
  })
  custom_fields?: Record<string, unknown>;
}

/** The body that creates a deal. */
export class CreateDealDto extends DealFieldsDto {
  @Field.uuid({
    description: "Project of the deal; the key's project or the default project if omitted. It cannot be changed later.",
    example: PROJECT,
    required: false,
  })
  project_id?: string;

  @Field.uuid({
    description: 'Contacts of the deal, from list_contacts. Replaces the whole list.',
    example: [CONTACT],
    required: false,
    default: [],
    list: { maxItems: 50 },
  })
  contact_ids?: string[];

  @Field.oneOf(STAGE_KINDS, {
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

/** A possible sale. */
export class DealDto extends ResourceDto {
  @Field.constant('deal')
  object: string;

  @Field.uuid({
    description: 'Project of the deal.',
    example: PROJECT,
  })
  project_id: string;

  @Field.string({
    description: 'What is to be sold.',
    example: 'Annual license for Acme',
  })
  title: string;

  @Field.integer({
    description: 'Value in the minor unit of the currency.',
    example: 1_250_000,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  })
  amount: number;

  @Field.string({
    description: 'Currency as ISO 4217 code.',
    example: 'EUR',
  })
  currency: string;

  @Field.uuid({
    description: 'Pipeline of the deal.',
    example: PIPELINE,
  })
  pipeline_id: string;

  @Field.string({
    description: 'Name of the pipeline; in responses, not in events.',
    example: 'Sales',
    nullable: true,
    required: false,
  })
  pipeline_name?: string | null;

  @Field.uuid({
    description: 'Stage in the pipeline.',
    example: STAGE,
  })
  stage_id: string;

  @Field.string({
    description: 'Name of the stage; in responses, not in events.',
    example: 'Negotiation',
    nullable: true,
    required: false,
  })
  stage_name?: string | null;

  @Field.oneOf(STAGE_KINDS, {
    description: 'The kind of the stage.',
    example: 'open',
  })
  status: StageKind;

  @Field.uuid({
    description: 'Member who owns the deal; null for nobody.',
    example: MEMBER,
    nullable: true,
  })
  owner_id: string | null;

  @Field.string({
    description: 'Name of the owner; in responses, not in events.',
    example: 'Ada Lovelace',
    nullable: true,
    required: false,
  })
  owner_name?: string | null;

  @Field.uuid({
    description: 'Source; null when unknown.',
    example: SOURCE,
    nullable: true,
  })
  source_id: string | null;

  @Field.string({
    description: 'Name of the source; in responses, not in events.',
    example: 'Website',
    nullable: true,
    required: false,
  })
  source_name?: string | null;

  @Field.uuid({
    description: 'Contacts of the deal.',
    example: [CONTACT],
    list: { maxItems: 50 },
  })
  contact_ids: string[];

  @Field.date({
    description: 'Expected day of the decision.',
    example: '2026-12-15',
    nullable: true,
  })
  expected_close_on: string | null;

  @Field.string({
    description: 'Why the deal was lost.',
    example: 'Chose a competitor',
    nullable: true,
    maxLength: 500,
  })
  lost_reason: string | null;

  @Field.dateTime({
    description: 'When the deal was won or lost, UTC; null while it is open.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  closed_at: string | null;

  @Field.map({
    description: 'Values by the keys of the custom field definitions.',
    example: { seats: 25 },
  })
  custom_fields: CustomFieldValues;

  @Field.object(() => ActorDto, {
    description: 'Who created it.',
    example: undefined,
  })
  created_by: ActorDto;

  static from(this: void, deal: Deal): DealDto {
    const {
      id,
      project_id,
      title,
      amount,
      currency,
      pipeline_id,
      stage_id,
      status,
      owner_id,
      source_id,
      contact_ids,
      expected_close_on,
      lost_reason,
      custom_fields,
      created_by,
      version,
    } = deal;
    return {
      object: 'deal',
      id,
      project_id,
      title,
      amount,
      currency,
      pipeline_id,
      stage_id,
      status,
      owner_id,
      source_id,
      contact_ids,
      expected_close_on,
      lost_reason,
      closed_at: deal.closed_at?.toISOString() ?? null,
      custom_fields,
      created_by,
      version,
      created_at: deal.created_at.toISOString(),
      updated_at: deal.updated_at.toISOString(),
    };
  }
}

/** A contact of a won deal. */
export class DealContactDto {
  @Field.uuid({
    description: 'Id of the contact.',
    example: CONTACT,
  })
  id: string;

  @Field.string({
    description: 'Full name.',
    example: 'Ada Lovelace',
  })
  full_name: string;

  @Field.email({
    description: 'E-mail address.',
    example: 'ada@example.com',
    nullable: true,
  })
  email: string | null;

  @Field.string({
    description: 'Phone number, in E.164 form when it is known to be valid.',
    example: '+4930901820',
    nullable: true,
  })
  phone: string | null;

  @Field.string({
    description: 'Company.',
    example: 'Acme GmbH',
    nullable: true,
  })
  company_name: string | null;

  @Field.string({
    description: 'Position in the company.',
    example: 'Head of Purchasing',
    nullable: true,
  })
  job_title: string | null;
}

/** A won deal with its contacts, which follow-ups such as agreements name. */
export class WonDealDto extends DealDto {
  @Field.object(() => DealContactDto, {
    description: 'The contacts, in the order of contact_ids.',
    example: undefined,
    list: { maxItems: 50 },
  })
  contacts: DealContactDto[];

  static withContacts(this: void, deal: DealDto, contacts: readonly Contact[]): WonDealDto {
    const known = new Map(
      contacts.map(({ id, full_name, email, phone, company_name, job_title }) => [
        id,
        { id, full_name, email, phone, company_name, job_title },
      ]),
    );
    return { ...deal, contacts: deal.contact_ids.flatMap((id) => known.get(id) ?? []) };
  }
}

/** The filters of list_deals. */
@Listing({
  sort: ['created_at', 'updated_at', 'amount', 'expected_close_on'],
  defaultSort: '-created_at',
  search: 'search',
  searched: 'the title',
})
export class DealsQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only deals of these projects.',
    example: [PROJECT],
  })
  project_id?: string[];

  @Filter.uuid({
    description: 'Only deals of these pipelines.',
    example: [PIPELINE],
  })
  pipeline_id?: string[];

  @Filter.uuid({
    description: 'Only deals of these stages.',
    example: [STAGE],
  })
  stage_id?: string[];

  @Filter.oneOf(STAGE_KINDS, {
    description: 'Only deals that are open, won or lost.',
    example: ['open'],
  })
  status?: StageKind[];

  @Filter.uuid({
    description: 'Only deals of these owners; none for deals without an owner.',
    example: [MEMBER],
    orNone: true,
  })
  owner_id?: (string | null)[];

  @Filter.uuid({
    description: 'Only deals with any of these contacts; none for deals without a contact.',
    example: [CONTACT],
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

  @Filter.custom({
    kind: 'date',
    description: 'Only deals with an expected decision on this day or later.',
    example: '2026-12-01',
  })
  expected_close_after?: string;

  @Filter.custom({
    kind: 'date',
    description: 'Only deals with an expected decision before this day.',
    example: '2027-01-01',
  })
  expected_close_before?: string;
}
