import { Field, Filter, Listing, ListQuery, partialOf } from '../../kit/index.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';

/** The body that adds a field to a resource. */
export class CreateOrgCustomFieldDto {
  @Field.string({
    description: 'The resource that gets the field, from list_org_custom_field_resources; it cannot be changed later.',
    example: 'note',
    isIdentifier: true,
  })
  resource: string;

  @Field.uuid({
    description: 'The project whose records get it; all projects if omitted. It cannot be changed later.',
    example: PROJECT,
    required: false,
    nullable: true,
  })
  project_id?: string | null;

  @Field.string({
    description: 'The key in custom_fields; it cannot be changed later.',
    example: 'region',
    pattern: '^[a-z][a-z0-9_]{0,62}$',
    patternInWords: 'a lower-case letter, followed by up to 62 lower-case letters, digits and underscores',
    maxLength: 63,
    isIdentifier: true,
  })
  key: string;

  @Field.string({
    description: 'The label that people see.',
    example: 'Region',
    maxLength: 100,
  })
  label: string;

  @Field.string({
    description: 'What the field is for; people and agents read it.',
    example: 'Where it applies',
    required: false,
    nullable: true,
    maxLength: 500,
  })
  description?: string | null;

  @Field.string({
    description: 'Type of the values, from list_org_custom_field_resources; it cannot be changed later.',
    example: 'choice',
  })
  type: string;

  @Field.string({
    description: 'The values of choice and choices, which other types do not have. Records keep values that are removed here.',
    example: ['emea', 'apac'],
    required: false,
    default: [],
    list: { maxItems: 200 },
    maxLength: 100,
  })
  options?: string[];

  @Field.string({
    description: 'ISO 4217 code of money, which other types do not have; it cannot be changed later.',
    example: 'EUR',
    required: false,
    nullable: true,
    maxLength: 3,
  })
  currency?: string | null;

  @Field.boolean({
    description: 'Whether new records must have a value. Records that were made before are not concerned.',
    example: false,
    required: false,
    default: false,
  })
  required?: boolean;

  @Field.boolean({
    description: 'Whether no two records have the same value. Such a field is filterable.',
    example: false,
    required: false,
    default: false,
  })
  unique?: boolean;

  @Field.boolean({
    description: 'Whether lists can be filtered and sorted by it: an index is built for it.',
    example: true,
    required: false,
    default: false,
  })
  filterable?: boolean;

  @Field.value({
    description: 'The value of new records that are created without one; null for none.',
    example: 'emea',
    required: false,
    nullable: true,
  })
  default_value?: unknown;

  @Field.string({
    description: 'The heading under which forms show it; null for none.',
    example: 'Sales',
    required: false,
    nullable: true,
    maxLength: 100,
  })
  group?: string | null;
}

/** The merge patch of a custom field. */
export class UpdateOrgCustomFieldDto extends partialOf(CreateOrgCustomFieldDto, {
  omit: ['resource', 'project_id', 'key', 'type', 'currency'],
}) {
  @Field.boolean({
    description: 'Whether records can get a value; with false, they keep those that they have.',
    example: true,
    required: false,
  })
  active?: boolean;
}

/** The body that puts fields in an order. */
export class OrderOrgCustomFieldsDto {
  @Field.uuid({
    description: 'Fields of one resource, in their new order. They share the places that they had.',
    example: ['0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a11', '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a12'],
    list: { minItems: 1, maxItems: 100 },
  })
  ids: string[];
}

/** The filters of list_org_custom_fields. */
@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class OrgCustomFieldsQuery extends ListQuery {
  @Filter.custom({
    kind: 'string',
    maxLength: 100,
    list: { maxItems: 50 },
    description: 'Only fields of these resources.',
    example: ['note'],
  })
  resource?: string[];

  @Filter.custom({
    kind: 'uuid',
    description: 'Only those that records of this project have.',
    example: PROJECT,
  })
  project_id?: string;

  @Filter.custom({
    kind: 'boolean',
    description: 'true for the fields that were deleted and can be restored.',
    example: false,
  })
  deleted?: boolean;
}

/** The answer to the question before a deletion. */
export class DeleteOrgCustomFieldQuery {
  @Field.boolean({
    description: 'Send true to delete a field of which records have values.',
    example: true,
    required: false,
    default: false,
  })
  confirm?: boolean;
}

/** A resource that can have custom fields. */
export class CustomFieldResourceDto {
  @Field.constant('custom_field_resource')
  object: string;

  @Field.string({
    description: 'Its name.',
    example: 'note',
  })
  resource: string;

  @Field.string({
    description: 'The module that has it.',
    example: 'notes',
  })
  module: string;

  @Field.string({
    description: 'The types of fields that it can have.',
    example: ['text', 'choice'],
    list: { maxItems: 50 },
  })
  types: string[];
}

/** The resources that can have custom fields. */
export class CustomFieldResourcesDto {
  @Field.constant('custom_field_resources')
  object: string;

  @Field.object(() => CustomFieldResourceDto, {
    description: 'The resources.',
    example: [],
    list: { maxItems: 200 },
  })
  resources: CustomFieldResourceDto[];
}
