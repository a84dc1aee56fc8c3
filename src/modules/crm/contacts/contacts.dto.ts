import { Field, Filter, Listing, ProjectListQuery, responseOf, type CustomFieldValues } from '../../../kit/index.js';
import { EXAMPLE } from '../fields/example-ids.js';
import { PersonDto, PersonFieldsDto, SHOWN_CUSTOM_FIELDS } from '../person/person.dto.js';
import type { Contact } from './contact.entity.js';

/** The merge patch of a contact. */
export class UpdateContactDto extends PersonFieldsDto {
  @Field.customFields('contact')
  custom_fields?: CustomFieldValues;
}

/** The body that creates a contact; it needs full_name, or first_name and last_name. */
export class CreateContactDto extends UpdateContactDto {
  @Field.uuid({
    description: "Project of the contact; the key's project or the default project if omitted. It cannot be changed later.",
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;
}

/** A person the organization does business with. */
export class ContactDto extends PersonDto {
  @Field.constant('contact')
  object: string;

  @Field.customFields('contact', SHOWN_CUSTOM_FIELDS)
  custom_fields: CustomFieldValues;

  static from(this: void, contact: Contact): ContactDto {
    return responseOf(ContactDto, contact);
  }
}

/** The filters of list_contacts. */
@Listing({
  sort: ['created_at', 'updated_at', 'full_name'],
  defaultSort: '-created_at',
  search: 'search',
  searched: 'names, e-mail, phone, company, job title and external id',
  customFields: 'contact',
  unindexed: {
    source_id: 'A source has a large part of the contacts.',
  },
})
export class ContactsQuery extends ProjectListQuery {
  @Filter.uuid({
    description: 'Only contacts of these owners; none for contacts without an owner.',
    example: [EXAMPLE.member],
    orNone: true,
  })
  owner_id?: (string | null)[];

  @Filter.uuid({
    description: 'Only contacts of these sources; none for contacts without a source.',
    example: [EXAMPLE.source],
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
