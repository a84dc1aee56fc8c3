import { ActorDto, Field, Filter, Listing, ListQuery, ResourceDto } from '../../kit/index.js';
import type { Consent, ConsentAnswer } from './consent.js';
import type { CustomFieldValues } from './custom-fields.js';
import type { Lead } from './lead.entity.js';
import { STAGE_KINDS, type StageKind } from './stage-kind.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const MEMBER = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a20';
const PIPELINE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b10';
const STATUS = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b20';
const SOURCE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b30';
const CONTACT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b40';
const DEAL = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b50';

/** A person's answer for one channel. */
export class ConsentAnswerDto {
  @Field.boolean({ description: 'true allowed, false refused, null never asked.', example: true, nullable: true })
  granted: boolean | null;

  @Field.dateTime({ description: 'When the server received the answer, UTC; null when never asked.', example: '2026-11-21T09:30:00.000Z', nullable: true })
  timestamp: string | null;

  @Field.string({ description: 'Where the answer was given, in the sender\'s words.', example: 'Contact form, footer', nullable: true, maxLength: 500 })
  source: string | null;
}

/** Whether a person may be contacted, by channel. */
export class ConsentDto {
  @Field.object(() => ConsentAnswerDto, { description: 'By e-mail.', example: undefined })
  email: ConsentAnswer;

  @Field.object(() => ConsentAnswerDto, { description: 'By text message.', example: undefined })
  sms: ConsentAnswer;

  @Field.object(() => ConsentAnswerDto, { description: 'By WhatsApp.', example: undefined })
  whatsapp: ConsentAnswer;
}

/** What can be written of a lead; all optional, as a merge patch. */
export class UpdateLeadDto {
  @Field.string({ description: 'Whole name; the parts are derived from it unless sent too.', example: 'Ada Lovelace', required: false })
  full_name?: string;

  @Field.string({ description: 'First name.', example: 'Ada', required: false, nullable: true })
  first_name?: string | null;

  @Field.string({ description: 'Last name.', example: 'Lovelace', required: false, nullable: true })
  last_name?: string | null;

  @Field.email({ description: 'E-mail address; it or a phone number must remain.', example: 'ada@example.com', required: false, nullable: true })
  email?: string | null;

  @Field.string({ description: 'Phone number, best with its country code; it or an e-mail address must remain.', example: '+49 30 901820', required: false, nullable: true, maxLength: 50 })
  phone?: string | null;

  @Field.string({ description: 'Company.', example: 'Acme GmbH', required: false, nullable: true })
  company_name?: string | null;

  @Field.string({ description: 'Position in the company.', example: 'Head of Purchasing', required: false, nullable: true })
  job_title?: string | null;

  @Field.uuid({ description: 'Source, from list_lead_sources.', example: SOURCE, required: false, nullable: true })
  source_id?: string | null;

  @Field.uuid({ description: 'Pipeline of kind lead, from list_pipelines; without status_id the lead goes to its first status.', example: PIPELINE, required: false })
  pipeline_id?: string;

  @Field.uuid({ description: 'Status, from list_lead_statuses of the lead\'s pipeline.', example: STATUS, required: false })
  status_id?: string;

  @Field.uuid({ description: 'Member who takes care of it, from list_crm_members; null for nobody.', example: MEMBER, required: false, nullable: true })
  owner_id?: string | null;

  @Field.map({ description: 'Values by the keys that list_crm_custom_fields returns for leads. Merged: null clears a value, absent keys stay.', example: { budget: 20_000 }, required: false })
  custom_fields?: Record<string, unknown>;

  @Field.string({ description: 'Campaign source, for reports on acquisition.', example: 'newsletter', required: false, nullable: true })
  utm_source?: string | null;

  @Field.string({ description: 'Campaign, for reports on acquisition.', example: 'autumn-2026', required: false, nullable: true })
  utm_campaign?: string | null;

  @Field.string({ description: 'Your own id of the record.', example: 'crm-4711', required: false, nullable: true })
  external_id?: string | null;

  @Field.boolean({ description: 'Whether the person may be contacted by e-mail; leave it out when they were not asked.', example: true, required: false })
  consent_email?: boolean;

  @Field.boolean({ description: 'Whether the person may be contacted by text message; leave it out when they were not asked.', example: false, required: false })
  consent_sms?: boolean;

  @Field.boolean({ description: 'Whether the person may be contacted by WhatsApp; leave it out when they were not asked.', example: false, required: false })
  consent_whatsapp?: boolean;

  @Field.string({ description: 'Where the consent was given; without a consent flag it has no effect.', example: 'Contact form, footer', required: false, nullable: true, maxLength: 500 })
  consent_source?: string | null;
}

/** The body that creates a lead on the product plane. */
export class CreateLeadDto extends UpdateLeadDto {
  @Field.uuid({ description: 'Project of the lead; it cannot be changed later.', example: PROJECT })
  project_id: string;
}

/** Somebody who may become a customer. */
export class LeadDto extends ResourceDto {
  @Field.constant('lead')
  object: string;

  @Field.uuid({ description: 'Project of the lead.', example: PROJECT })
  project_id: string;

  @Field.string({ description: 'Whole name.', example: 'Ada Lovelace' })
  full_name: string;

  @Field.string({ description: 'First name.', example: 'Ada', nullable: true })
  first_name: string | null;

  @Field.string({ description: 'Last name.', example: 'Lovelace', nullable: true })
  last_name: string | null;

  @Field.string({ description: 'E-mail address, as it was given.', example: 'ada@example.com', nullable: true, maxLength: 254 })
  email: string | null;

  @Field.string({ description: 'Phone number, as it was given.', example: '030 901820', nullable: true, maxLength: 50 })
  phone: string | null;

  @Field.string({ description: 'The phone number as E.164, or its bare digits where it is no valid number.', example: '+4930901820', nullable: true })
  phone_normalized: string | null;

  @Field.string({ description: 'Company.', example: 'Acme GmbH', nullable: true })
  company_name: string | null;

  @Field.string({ description: 'Position in the company.', example: 'Head of Purchasing', nullable: true })
  job_title: string | null;

  @Field.uuid({ description: 'Source; null when it is not known.', example: SOURCE, nullable: true })
  source_id: string | null;

  @Field.uuid({ description: 'Pipeline the lead goes through.', example: PIPELINE })
  pipeline_id: string;

  @Field.uuid({ description: 'Status: its stage in the pipeline.', example: STATUS })
  status_id: string;

  @Field.oneOf(STAGE_KINDS, { description: 'What the status means: open, won (qualified) or lost (unqualified).', example: 'open' })
  status_kind: StageKind;

  @Field.uuid({ description: 'Member who takes care of it; null for nobody.', example: MEMBER, nullable: true })
  owner_id: string | null;

  @Field.map({ description: 'Values by the keys of the custom field definitions.', example: { budget: 20_000 } })
  custom_fields: CustomFieldValues;

  @Field.string({ description: 'Campaign source.', example: 'newsletter', nullable: true })
  utm_source: string | null;

  @Field.string({ description: 'Campaign.', example: 'autumn-2026', nullable: true })
  utm_campaign: string | null;

  @Field.string({ description: 'The sender\'s own id of the record.', example: 'crm-4711', nullable: true })
  external_id: string | null;

  @Field.object(() => ConsentDto, { description: 'Whether the person may be contacted, by channel.', example: undefined })
  consent: Consent;

  @Field.integer({ description: 'How often the lead was handed in.', example: 1, minimum: 1 })
  submission_count: number;

  @Field.integer({ description: 'How promising it is, 0 to 100; 0 until the scoring has run.', example: 0, minimum: 0, maximum: 100 })
  score: number;

  @Field.dateTime({ description: 'When it was converted to a contact, UTC; null until then.', example: '2026-11-21T09:30:00.000Z', nullable: true })
  converted_at: string | null;

  @Field.uuid({ description: 'The contact it became.', example: CONTACT, nullable: true })
  converted_contact_id: string | null;

  @Field.uuid({ description: 'The deal that was opened with the conversion.', example: DEAL, nullable: true })
  converted_deal_id: string | null;

  @Field.object(() => ActorDto, { description: 'Who created it.', example: undefined })
  created_by: ActorDto;

  static from(this: void, lead: Lead): LeadDto {
    const { id, project_id, full_name, first_name, last_name, email, phone, phone_normalized, company_name, job_title, source_id, pipeline_id, status_id, status_kind, owner_id } = lead;
    const { custom_fields, utm_source, utm_campaign, external_id, consent, submission_count, score, converted_contact_id, converted_deal_id, created_by, version } = lead;
    return {
      object: 'lead', id, project_id, full_name, first_name, last_name, email, phone, phone_normalized, company_name, job_title, source_id, pipeline_id, status_id, status_kind, owner_id,
      custom_fields, utm_source, utm_campaign, external_id, consent, submission_count, score,
      converted_at: lead.converted_at?.toISOString() ?? null, converted_contact_id, converted_deal_id, created_by,
      version, created_at: lead.created_at.toISOString(), updated_at: lead.updated_at.toISOString(),
    };
  }
}

/** The filters of list_leads. */
@Listing({ sort: ['created_at', 'updated_at', 'score'], defaultSort: '-created_at', search: 'search' })
export class LeadsQuery extends ListQuery {
  @Filter.uuid({ description: 'Only leads of these projects.', example: [PROJECT] })
  project_id?: string[];

  @Filter.uuid({ description: 'Only leads of these pipelines.', example: [PIPELINE] })
  pipeline_id?: string[];

  @Filter.uuid({ description: 'Only leads of these statuses.', example: [STATUS] })
  status_id?: string[];

  @Filter.oneOf(STAGE_KINDS, { description: 'Only leads whose status means one of these.', example: ['open'] })
  status_kind?: StageKind[];

  @Filter.uuid({ description: 'Only leads of these owners; none for leads without an owner.', example: [MEMBER], orNone: true })
  owner_id?: (string | null)[];

  @Filter.uuid({ description: 'Only leads of these sources; none for leads without a source.', example: [SOURCE], orNone: true })
  source_id?: (string | null)[];

  @Filter.custom({ kind: 'string', minLength: 1, maxLength: 254, description: 'Only leads with this e-mail address, however it is written.', example: 'ada@example.com' })
  email?: string;

  @Filter.string({ description: 'Only leads with these ids of your own.', example: ['crm-4711'] })
  external_id?: string[];

  @Filter.custom({ kind: 'boolean', description: 'true for converted leads only, false for the others only.', example: false })
  converted?: boolean;
}
