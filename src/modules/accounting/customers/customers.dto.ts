import {
  ActorDto,
  ActorField,
  bothOf,
  Field,
  Filter,
  Listing,
  partialOf,
  ProjectListQuery,
  ResourceDto,
  responseOf,
  shownOf,
  type CustomFieldValues,
} from '../../../kit/index.js';
import type { AccountingCustomer } from '../model/customer.entity.js';
import { EXAMPLE } from '../model/example-ids.js';

/** What callers set. */
export class CreateAccountingCustomerDto {
  @Field.uuid({
    description: "Project; the key's or the default project if omitted.",
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Name on invoices.',
    example: 'Nordlys Outdoor AS',
  })
  name: string;

  @Field.email({
    summary: true,
    description: 'E-mail address for reminders.',
    example: 'billing@nordlys.example',
    required: false,
    nullable: true,
  })
  email?: string | null;

  @Field.string({
    description: 'VAT or tax number.',
    example: 'NO912345678MVA',
    required: false,
    nullable: true,
    maxLength: 50,
  })
  tax_id_number?: string | null;

  @Field.string({
    description: 'Postal address; may have several lines.',
    example: 'Storgata 1\n0155 Oslo\nNorway',
    required: false,
    nullable: true,
    maxLength: 1000,
  })
  address?: string | null;

  @Field.string({
    summary: true,
    description: 'ISO 4217, of new invoices.',
    onCreate: 'The base currency if omitted.',
    example: 'EUR',
    required: false,
    pattern: '^[A-Z]{3}$',
  })
  currency?: string;

  @Field.integer({
    description: 'Days until invoices are due.',
    example: 30,
    required: false,
    default: 30,
    minimum: 0,
    maximum: 365,
  })
  payment_terms_days?: number;

  @Field.uuid({
    description: 'Contact of the CRM, in the same project.',
    example: EXAMPLE.contact,
    required: false,
    nullable: true,
  })
  contact_id?: string | null;

  @Field.string({
    description: 'Your id; unique in the project.',
    example: 'crm-4711',
    required: false,
    nullable: true,
    isIdentifier: true,
  })
  external_id?: string | null;

  @Field.customFields('customer')
  custom_fields?: CustomFieldValues;
}

/** The merge patch of a customer. */
export class UpdateAccountingCustomerDto extends partialOf(CreateAccountingCustomerDto, { omit: ['project_id'] }) {}

/** Whom invoices are addressed to. */
export class AccountingCustomerDto extends bothOf(
  ResourceDto,
  shownOf(CreateAccountingCustomerDto, {
    project_id: 'Project.',
    name: true,
    email: true,
    tax_id_number: true,
    address: 'Postal address.',
    currency: true,
    payment_terms_days: true,
    contact_id: 'Contact of the CRM.',
    external_id: 'Your id.',
    custom_fields: 'Custom fields by key.',
  }),
) {
  @Field.constant('customer')
  object: string;

  @ActorField('Who created it.')
  created_by: ActorDto;

  static from(this: void, customer: AccountingCustomer): AccountingCustomerDto {
    return responseOf(AccountingCustomerDto, customer);
  }
}

/** The filters of list_customers. */
@Listing({
  sort: ['created_at', 'updated_at', 'name'],
  defaultSort: '-created_at',
  search: 'search',
  searched: 'name, e-mail, tax number and external id',
  customFields: 'customer',
})
export class AccountingCustomersQuery extends ProjectListQuery {
  @Filter.custom({
    kind: 'string',
    minLength: 1,
    maxLength: 254,
    description: 'E-mail address, in any case.',
    example: 'billing@nordlys.example',
  })
  email?: string;

  @Filter.string({
    description: 'With these external ids.',
    example: ['crm-4711'],
  })
  external_id?: string[];
}
