import { bothOf, Field, partialOf, ResourceDto, responseOf, shownOf, type CustomFieldRow } from '../../../kit/index.js';
import { EXAMPLE } from '../fields/example-ids.js';
import { CUSTOM_FIELD_RESOURCES, CUSTOM_FIELD_TYPES, typeName, type CustomFieldResource, type CustomFieldType } from './custom-fields.js';

/** The body that defines a custom field. */
export class CreateCustomFieldDto {
  @Field.uuid({
    description: 'Project whose records get the field.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.oneOf(CUSTOM_FIELD_RESOURCES, {
    summary: true,
    description: 'The resource that gets the field; it cannot be changed later.',
    example: 'lead',
  })
  resource: CustomFieldResource;

  @Field.string({
    summary: true,
    description: 'The key in custom_fields; it cannot be changed later.',
    example: 'budget',
    pattern: '^[a-z][a-z0-9_]{0,62}$',
    maxLength: 63,
  })
  key: string;

  @Field.string({
    summary: true,
    description: 'The label that people see.',
    example: 'Budget',
    maxLength: 100,
  })
  label: string;

  @Field.oneOf(CUSTOM_FIELD_TYPES, {
    summary: true,
    description: 'Type of the values; it cannot be changed later.',
    example: 'number',
  })
  type: CustomFieldType;

  @Field.string({
    summary: true,
    description: 'The allowed values; required for select and multi_select, not allowed for other types.',
    example: ['small', 'large'],
    required: false,
    default: [],
    list: { maxItems: 200 },
    maxLength: 100,
  })
  options?: string[];

  @Field.boolean({
    summary: true,
    description: 'Whether every new record must have a value.',
    example: false,
    required: false,
    default: false,
  })
  required?: boolean;
}

/** The merge patch of a custom field. Records keep values of removed options until the value is changed. */
export class UpdateCustomFieldDto extends partialOf(CreateCustomFieldDto, { omit: ['project_id', 'resource', 'key', 'type'] }) {
  @Field.boolean({
    description: 'Whether records can get a value; with false, they keep those that they have.',
    example: true,
    required: false,
  })
  active?: boolean;
}

/** A field that a project adds to its leads, contacts or deals. */
export class CrmCustomFieldDto extends bothOf(
  ResourceDto,
  shownOf(CreateCustomFieldDto, {
    project_id: { description: 'Project whose records have it; null for all.', nullable: true },
    resource: 'The resource that has the field.',
    key: 'The key in custom_fields.',
    label: true,
    type: {
      kind: 'string',
      values: undefined,
      description:
        'Type of the values: text and url are strings, date is YYYY-MM-DD, select is one of the options, multi_select an array of them. ' +
        'Others are those of custom fields.',
    },
    options: { description: 'The allowed values of select and multi_select; empty for other types.', example: [] },
    required: true,
  }),
) {
  @Field.constant('custom_field')
  object: string;

  @Field.constant('crm')
  module: string;

  @Field.boolean({
    description: 'Whether records can get a value; if not, they keep those that they have.',
    example: true,
  })
  active: boolean;

  static from(this: void, field: CustomFieldRow): CrmCustomFieldDto {
    return { ...responseOf(CrmCustomFieldDto, field), type: typeName(field.type), module: 'crm' } as CrmCustomFieldDto;
  }
}
