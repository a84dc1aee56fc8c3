import { Field, pickOf } from '../../../kit/index.js';
import { LeadDto, type Lead } from '../../crm/crm.public.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const PIPELINE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b10';
const STATUS = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b20';
const SOURCE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b30';
const LOG = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20';

/** Text may be empty, because forms also send fields that were not filled in. Empty text and null are like an omitted field. */
const OPTIONAL = { required: false, nullable: true, minLength: 0 } as const;

/** A lead as a web form or another system submits it. */
export class LeadSubmissionBody {
  @Field.string({
    ...OPTIONAL,
    description: 'Full name. Required unless first_name and last_name are both sent.',
    example: 'Ada Lovelace',
    inSamples: true,
  })
  full_name?: string | null;

  @Field.string({
    ...OPTIONAL,
    description: 'First name; derived from full_name when omitted.',
    example: 'Ada',
    maxLength: 127,
  })
  first_name?: string | null;

  @Field.string({
    ...OPTIONAL,
    description: 'Last name; derived from full_name when omitted.',
    example: 'Lovelace',
    maxLength: 127,
  })
  last_name?: string | null;

  @Field.string({
    ...OPTIONAL,
    description: 'E-mail address; email or phone is required. Compared trimmed and in lower case.',
    example: 'ada@example.com',
    inSamples: true,
    format: 'email',
    maxLength: 254,
  })
  email?: string | null;

  @Field.string({
    ...OPTIONAL,
    description:
      'Phone number, preferably with country code; email or phone is required. ' +
      'Text without a digit, such as n/a, is kept but is not a phone number.',
    example: '+49 30 901820',
    maxLength: 50,
  })
  phone?: string | null;

  @Field.string({
    ...OPTIONAL,
    description: 'Company.',
    example: 'Acme GmbH',
  })
  company_name?: string | null;

  @Field.string({
    ...OPTIONAL,
    description: 'Position in the company.',
    example: 'Head of Purchasing',
  })
  job_title?: string | null;

  @Field.uuid({
    description: "One of the project's lead sources; without it, reports on acquisition cannot attribute the lead.",
    example: SOURCE,
    required: false,
    nullable: true,
  })
  source_id?: string | null;

  @Field.uuid({
    description: "Pipeline of kind lead; the project's default when omitted.",
    example: PIPELINE,
    required: false,
    nullable: true,
  })
  pipeline_id?: string | null;

  @Field.uuid({
    description: 'Status of the pipeline; the first one when omitted.',
    example: STATUS,
    required: false,
    nullable: true,
  })
  status_id?: string | null;

  @Field.map({
    description: "Values by the keys of the project's custom field definitions; an object, never text with JSON.",
    example: { budget: 20_000 },
    required: false,
    nullable: true,
  })
  custom_fields?: Record<string, unknown> | null;

  @Field.string({
    ...OPTIONAL,
    description: 'Campaign source.',
    example: 'newsletter',
  })
  utm_source?: string | null;

  @Field.string({
    ...OPTIONAL,
    description: 'Campaign.',
    example: 'autumn-2026',
  })
  utm_campaign?: string | null;

  @Field.boolean({
    description: 'Whether the person may be contacted by e-mail. Send false when they declined; omit it when they were not asked.',
    example: true,
    required: false,
    nullable: true,
  })
  consent_email?: boolean | null;

  @Field.boolean({
    description: 'Whether the person may be contacted by text message; see consent_email.',
    example: false,
    required: false,
    nullable: true,
  })
  consent_sms?: boolean | null;

  @Field.boolean({
    description: 'Whether the person may be contacted by WhatsApp; see consent_email.',
    example: false,
    required: false,
    nullable: true,
  })
  consent_whatsapp?: boolean | null;

  @Field.string({
    ...OPTIONAL,
    description: 'Where the consent was given. The server sets the time.',
    example: 'Contact form, footer',
    maxLength: 500,
  })
  consent_source?: string | null;

  @Field.string({
    ...OPTIONAL,
    description: 'Your own id for the record; matched first.',
    example: 'form-4711',
    isIdentifier: true,
  })
  external_id?: string | null;

  @Field.boolean({
    description: 'When the lead exists: true updates it with the fields sent, false only counts the submission.',
    example: false,
    required: false,
    nullable: true,
    default: false,
  })
  update_if_exists?: boolean | null;

  @Field.uuid({
    description: "Project of the lead; the key's project or the default project if omitted.",
    example: PROJECT,
    required: false,
    nullable: true,
  })
  project_id?: string | null;
}

/** The fields of a lead without personal data, which a key in a web form must not read. */
export class SubmittedLeadDto extends pickOf(LeadDto, [
  'id',
  'project_id',
  'pipeline_id',
  'status_id',
  'owner_id',
  'submission_count',
  'score',
  'created_at',
]) {
  static from(this: void, lead: Lead): SubmittedLeadDto {
    const { id, project_id, pipeline_id, status_id, owner_id, submission_count, score, created_at } = lead;
    return { id, project_id, pipeline_id, status_id, owner_id, submission_count, score, created_at: created_at.toISOString() };
  }
}

/** Something that was not applied as the sender may expect, although the submission was accepted. */
export class SubmissionWarningDto {
  @Field.oneOf(['consent_not_applied'], {
    description: 'consent_not_applied: the consent was logged, but the lead keeps its own, because update_if_exists was not true.',
    example: 'consent_not_applied',
  })
  code: string;

  @Field.string({
    description: 'Description of the warning.',
    example: 'The lead exists and keeps its consent; send update_if_exists to change it.',
  })
  message: string;
}

/** The result of a submission. */
export class LeadSubmissionDto {
  @Field.constant('lead_submission')
  object: string;

  @Field.oneOf(['created', 'matched', 'updated'], {
    description: 'created: a new lead; matched: counted for an existing lead; updated: that lead was also updated.',
    example: 'created',
  })
  result: 'created' | 'matched' | 'updated';

  @Field.object(() => SubmittedLeadDto, {
    description: 'The lead.',
    example: undefined,
  })
  lead: SubmittedLeadDto;

  @Field.oneOf(['external_id', 'email', 'phone'], {
    description: 'The value that the lead was matched by; null for a new lead.',
    example: null,
    nullable: true,
  })
  matched_by: 'external_id' | 'email' | 'phone' | null;

  @Field.uuid({
    description: 'Id of this request in the lead webhook log.',
    example: LOG,
  })
  log_id: string;

  @Field.object(() => SubmissionWarningDto, {
    description: 'What was accepted but not applied.',
    example: [],
    list: { maxItems: 10 },
  })
  warnings: SubmissionWarningDto[];

  @Field.boolean({
    description: 'true when several leads match: the strongest match was used, and the oldest among equals. Absent otherwise.',
    example: true,
    required: false,
  })
  ambiguous?: boolean;

  @Field.string({
    description: 'The fields that an update changed; absent otherwise.',
    example: ['job_title'],
    required: false,
    list: { maxItems: 50 },
  })
  changed_fields?: string[];
}
