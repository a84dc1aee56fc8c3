import { Field, Filter, Listing, ListQuery } from '../../../kit/index.js';
import type { Contact } from './contact.entity.js';
import { PersonDto, PersonFieldsDto } from '../person/person.dto.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const MEMBER = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a20';
const SOURCE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b30';

/** The merge patch of a contact. */
export class UpdateContactDto extends PersonFieldsDto {}

/** The body that creates a contact; it needs full_name, or first_name and last_name. */
export class CreateContactDto extends PersonFieldsDto {
  @Field.uuid({
    description: "Project of the contact; the key's project or the default project if omitted. It cannot be changed later.",
    example: PROJECT,
    required: false,
  })
  project_id?: string;
}

/** A person the organization does business with. */
export class ContactDto extends PersonDto {
  @Field.constant('contact')
  object: string;

  static from(this: void, contact: Contact): ContactDto {
    const {
      id,
      project_id,
      full_name,
      first_name,
      last_name,
      email,
      phone,
      phone_normalized,
      company_name,
      job_title,
      source_id,
      owner_id,
    } = contact;
    const { custom_fields, external_id, consent, created_by, version } = contact;
    return {
      object: 'contact',
      id,
      project_id,
      full_name,
      first_name,
      last_name,
      email,
      phone,
      phone_normalized,
      company_name,
      job_title,
      source_id,
      owner_id,
      custom_fields,
      external_id,
      consent,
      created_by,
      version,
      created_at: contact.created_at.toISOString(),
      updated_at: contact.updated_at.toISOString(),
    };
  }
}

/** The filters of list_contacts. */
@Listing({
  sort: ['created_at', 'updated_at', 'full_name'],
  defaultSort: '-created_at',
  search: 'search',
  searched: 'names, e-mail, phone, company, job title and external id',
})
export class ContactsQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only contacts of these projects.',
    example: [PROJECT],
  })
  project_id?: string[];

  @Filter.uuid({
    description: 'Only contacts of these owners; none for contacts without an owner.',
    example: [MEMBER],
    orNone: true,
  })
  owner_id?: (string | null)[];

  @Filter.uuid({
    description: 'Only contacts of these sources; none for contacts without a source.',
    example: [SOURCE],
    orNone: true,
  })
  source_id?: (string | null)[];

  @Filter.custom({
    kind: 'string',
    minLength: 1,
    maxLength: 254,
    description: 'Only contacts with this e-mail address, compared case-insensitively.',
    example: 'ada@example.com',
  })
  email?: string;

  @Filter.string({
    description: 'Only contacts with these external ids.',
    example: ['crm-4711'],
  })
  external_id?: string[];
}
