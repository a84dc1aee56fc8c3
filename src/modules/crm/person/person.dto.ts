import { ActorDto, ActorField, bothOf, Field, ResourceDto, shownOf, type CustomFieldValues } from '../../../kit/index.js';
import { EXAMPLE } from '../fields/example-ids.js';
import type { Consent, ConsentAnswer } from './consent.js';

/** A person's answer for one channel. */
class ConsentAnswerDto {
  @Field.boolean({
    description: 'true: allowed; false: declined; null: never asked.',
    example: true,
    nullable: true,
  })
  granted: boolean | null;

  @Field.dateTime({
    description: 'When the server received the answer, UTC; null when never asked.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  timestamp: string | null;

  @Field.string({
    description: 'Where the answer was given, as stated by the sender.',
    example: 'Contact form, footer',
    nullable: true,
    maxLength: 500,
  })
  source: string | null;
}

/** Whether a person may be contacted, by channel. */
class ConsentDto {
  @Field.object(() => ConsentAnswerDto, {
    description: 'By e-mail.',
    example: undefined,
  })
  email: ConsentAnswer;

  @Field.object(() => ConsentAnswerDto, {
    description: 'By text message.',
    example: undefined,
  })
  sms: ConsentAnswer;

  @Field.object(() => ConsentAnswerDto, {
    description: 'By WhatsApp.',
    example: undefined,
  })
  whatsapp: ConsentAnswer;
}

/** The writable fields of leads and contacts; all optional, as in a merge patch. */
export class PersonFieldsDto {
  @Field.string({
    summary: true,
    description: 'Full name; first and last name are derived from it unless sent too.',
    example: 'Ada Lovelace',
    inSamples: true,
    required: false,
  })
  full_name?: string;

  @Field.string({
    description: 'First name.',
    example: 'Ada',
    required: false,
    nullable: true,
  })
  first_name?: string | null;

  @Field.string({
    description: 'Last name.',
    example: 'Lovelace',
    required: false,
    nullable: true,
  })
  last_name?: string | null;

  @Field.email({
    summary: true,
    description: 'E-mail address.',
    example: 'ada@example.com',
    inSamples: true,
    required: false,
    nullable: true,
  })
  email?: string | null;

  @Field.string({
    description: 'Phone number, preferably with country code. Text without a digit is kept, but is not a phone number.',
    example: '+49 30 901820',
    required: false,
    nullable: true,
    maxLength: 50,
  })
  phone?: string | null;

  @Field.string({
    summary: true,
    description: 'Company.',
    example: 'Acme GmbH',
    required: false,
    nullable: true,
  })
  company_name?: string | null;

  @Field.string({
    description: 'Position in the company.',
    example: 'Head of Purchasing',
    required: false,
    nullable: true,
  })
  job_title?: string | null;

  @Field.uuid({
    description: 'Source, from list_lead_sources.',
    example: EXAMPLE.source,
    required: false,
    nullable: true,
  })
  source_id?: string | null;

  @Field.uuid({
    description: 'Member who owns the record, from list_crm_members.',
    example: EXAMPLE.member,
    required: false,
    nullable: true,
  })
  owner_id?: string | null;

  @Field.string({
    description: 'Your own id for the record.',
    example: 'crm-4711',
    required: false,
    nullable: true,
    isIdentifier: true,
  })
  external_id?: string | null;

  @Field.boolean({
    description: 'Whether the person may be contacted by e-mail; omit it when they were not asked.',
    example: true,
    required: false,
  })
  consent_email?: boolean;

  @Field.boolean({
    description: 'Whether the person may be contacted by text message; omit it when they were not asked.',
    example: false,
    required: false,
  })
  consent_sms?: boolean;

  @Field.boolean({
    description: 'Whether the person may be contacted by WhatsApp; omit it when they were not asked.',
    example: false,
    required: false,
  })
  consent_whatsapp?: boolean;

  @Field.string({
    description: 'Where the consent was given; has no effect without a consent flag.',
    example: 'Contact form, footer',
    required: false,
    nullable: true,
    maxLength: 500,
  })
  consent_source?: string | null;
}

/** How a response declares custom fields. */
export const SHOWN_CUSTOM_FIELDS = { description: 'Custom fields by key.', required: true };

/** How a response declares the e-mail address: as text, because forms may have submitted it with white space. */
export const SHOWN_EMAIL = { kind: 'string', description: 'E-mail address as given.', minLength: 1 } as const;

/** The common fields of leads and contacts. */
export abstract class PersonDto extends bothOf(
  ResourceDto,
  shownOf(PersonFieldsDto, {
    full_name: 'Full name.',
    first_name: true,
    last_name: true,
    email: SHOWN_EMAIL,
    phone: 'Phone number as given.',
    company_name: true,
    job_title: true,
    source_id: 'Source; null when unknown.',
    owner_id: 'Member who owns the record; null for nobody.',
    external_id: "The sender's own id for the record.",
  }),
) {
  @Field.uuid({
    description: 'Project of the record.',
    example: EXAMPLE.project,
  })
  project_id: string;

  /** Those of its own resource; see SHOWN_CUSTOM_FIELDS. */
  abstract custom_fields: CustomFieldValues;

  @Field.string({
    description:
      'The phone number by which leads are matched: in E.164 form, with `;ext=<digits>` if it has an extension, or its digits if it is ' +
      'not valid. Null if it identifies nobody: an invalid number of fewer than seven digits, or of equal digits such as 0000000000.',
    example: '+4930901820',
    nullable: true,
  })
  phone_normalized: string | null;

  @Field.string({
    description: 'Name of the source.',
    example: 'Website',
    nullable: true,
  })
  source_name?: string | null;

  @Field.string({
    summary: 'if_short',
    description: 'Name of the owner.',
    example: 'Ada Lovelace',
    nullable: true,
  })
  owner_name?: string | null;

  @Field.object(() => ConsentDto, {
    description: 'Whether the person may be contacted, by channel.',
    example: undefined,
  })
  consent: Consent;

  @ActorField('Who created the record.')
  created_by: ActorDto;
}
