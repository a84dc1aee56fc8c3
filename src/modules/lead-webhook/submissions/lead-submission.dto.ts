import { Field } from '../../../kit/index.js';
import type { Lead } from '../../crm/crm.public.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const MEMBER = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a20';
const PIPELINE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b10';
const STATUS = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b20';
const SOURCE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b30';
const LEAD = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c10';
const LOG = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20';

/** Texts may be empty, as forms send what nobody filled in: like null, that equals leaving the field out. */
const OPTIONAL = { required: false, nullable: true, minLength: 0 } as const;

/** What a web form or another system hands in. */
export class LeadSubmissionBody {
  @Field.string({
    ...OPTIONAL,
    description: 'Whole name. Required unless first_name and last_name are both sent.',
    example: 'Ada Lovelace',
  })
  full_name?: string | null;

  @Field.string({
    ...OPTIONAL,
    description: 'First name; derived from full_name when left out.',
    example: 'Ada',
    maxLength: 127,
  })
  first_name?: string | null;

  @Field.string({
    ...OPTIONAL,
    description: 'Last name; derived from full_name when left out.',
    example: 'Lovelace',
    maxLength: 127,
  })
  last_name?: string | null;

  @Field.string({
    ...OPTIONAL,
    description: 'E-mail address; it or phone is required. Compared trimmed and in lower case.',
    example: 'ada@example.com',
    format: 'email',
    maxLength: 254,
  })
  email?: string | null;

  @Field.string({
    ...OPTIONAL,
    description:
      'Phone number, best with its country code; it or email is required. Text without a digit, such as n/a, is kept beside an e-mail address but is no phone number.',
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
    description: "Where the lead comes from, one of the project's sources; without it reports on acquisition cannot attribute the lead.",
    example: SOURCE,
    required: false,
    nullable: true,
  })
  source_id?: string | null;

  @Field.uuid({
    description: "Pipeline of kind lead; the project's default pipeline when left out.",
    example: PIPELINE,
    required: false,
    nullable: true,
  })
  pipeline_id?: string | null;

  @Field.uuid({
    description: "Status, which must belong to the pipeline; the pipeline's first when left out.",
    example: STATUS,
    required: false,
    nullable: true,
  })
  status_id?: string | null;

  @Field.map({
    description: "Values by the keys of the project's custom field definitions, as an object and never as text that contains JSON.",
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
    description: 'Whether the person may be contacted by e-mail. Send false when they refused; leave it out when they were not asked.',
    example: true,
    required: false,
    nullable: true,
  })
  consent_email?: boolean | null;

  @Field.boolean({
    description: 'The same for text messages.',
    example: false,
    required: false,
    nullable: true,
  })
  consent_sms?: boolean | null;

  @Field.boolean({
    description: 'The same for WhatsApp.',
    example: false,
    required: false,
    nullable: true,
  })
  consent_whatsapp?: boolean | null;

  @Field.string({
    ...OPTIONAL,
    description: 'Where the consent was given. When it was given is noted by the server.',
    example: 'Contact form, footer',
    maxLength: 500,
  })
  consent_source?: string | null;

  @Field.string({
    ...OPTIONAL,
    description: 'Your own id of the record; the first thing that is matched by.',
    example: 'form-4711',
  })
  external_id?: string | null;

  @Field.boolean({
    description: 'When the lead exists already: true changes it to what is sent, false only counts the submission.',
    example: false,
    required: false,
    nullable: true,
    default: false,
  })
  update_if_exists?: boolean | null;

  @Field.uuid({
    description: 'Project of the lead; required with a key that is not bound to a project, to be left out otherwise.',
    example: PROJECT,
    required: false,
    nullable: true,
  })
  project_id?: string | null;
}

/** Of a lead only what tells nothing about the person: a key in a web form must not read personal data. */
export class SubmittedLeadDto {
  @Field.uuid({ description: 'Id of the lead.', example: LEAD })
  id: string;

  @Field.uuid({ description: 'Its pipeline.', example: PIPELINE })
  pipeline_id: string;

  @Field.uuid({ description: 'Its status.', example: STATUS })
  status_id: string;

  @Field.uuid({
    description: 'Member who takes care of it; null for nobody.',
    example: MEMBER,
    nullable: true,
  })
  owner_id: string | null;

  @Field.integer({
    description: 'How often it was handed in.',
    example: 1,
    minimum: 1,
  })
  submission_count: number;

  @Field.integer({
    description: 'Its score; 0 on arrival.',
    example: 0,
    minimum: 0,
    maximum: 100,
  })
  score: number;

  @Field.dateTime({ description: 'When it was created, UTC.', example: '2026-11-21T09:30:00.000Z' })
  created_at: string;

  static from(this: void, { id, pipeline_id, status_id, owner_id, submission_count, score, created_at }: Lead): SubmittedLeadDto {
    return { id, pipeline_id, status_id, owner_id, submission_count, score, created_at: created_at.toISOString() };
  }
}

/** Something that did not go as the sender may have meant it, although the lead was taken. */
export class SubmissionWarningDto {
  @Field.oneOf(['consent_not_applied'], {
    description: 'consent_not_applied: the consent was logged, but the lead keeps what it had, because update_if_exists was not true.',
    example: 'consent_not_applied',
  })
  code: string;

  @Field.string({
    description: 'The same in words.',
    example: 'The lead exists and keeps its consent; send update_if_exists to change it.',
  })
  message: string;
}

/** What became of a submission. */
export class LeadSubmissionDto {
  @Field.constant('lead_submission')
  object: string;

  @Field.oneOf(['created', 'matched', 'updated'], {
    description: 'created: a new lead; matched: counted on a lead that was there; updated: that lead was changed too.',
    example: 'created',
  })
  result: 'created' | 'matched' | 'updated';

  @Field.object(() => SubmittedLeadDto, { description: 'The lead.', example: undefined })
  lead: SubmittedLeadDto;

  @Field.oneOf(['external_id', 'email', 'phone'], {
    description: 'What the lead was found by; null for a new one.',
    example: null,
    nullable: true,
  })
  matched_by: 'external_id' | 'email' | 'phone' | null;

  @Field.uuid({ description: 'Id of this request in the lead webhook log.', example: LOG })
  log_id: string;

  @Field.object(() => SubmissionWarningDto, {
    description: 'What was taken, but not applied.',
    example: [],
    list: { maxItems: 10 },
  })
  warnings: SubmissionWarningDto[];

  @Field.boolean({
    description: 'true when several leads match: the strongest match, and of equals the oldest, was taken. Absent otherwise.',
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
