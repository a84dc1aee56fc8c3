import { Controller, Get, Query, type Type } from '@nestjs/common';
import { Ctx } from '../callers/ctx.js';
import { Field, ResourceDto } from '../fields/fields.js';
import { responseOf } from '../fields/response-of.js';
import { Filter, listBody, Listing, LookupQuery, type ListBody } from '../fields/list-query.js';
import { CustomFieldCatalog, type CustomFieldRow } from '../services/custom-fields.js';
import { Endpoint } from './endpoint.js';

/** What agents need of a field. */
const LOOKED_UP = ['resource', 'key', 'label', 'type', 'options', 'currency', 'required', 'unique', 'filterable', 'project_id'];
/** How far the index is that makes a filter fast. */
const INDEX_STATES = ['none', 'building', 'ready', 'unavailable'] as const;

/** A field that administrators added to a resource. */
export class CustomFieldDto extends ResourceDto {
  @Field.constant('custom_field')
  object: string;

  @Field.string({
    summary: true,
    description: 'The resource that has the field, such as note.',
    example: 'note',
  })
  resource: string;

  @Field.uuid({
    description: 'The project whose records have it; null for all projects.',
    example: null,
    nullable: true,
  })
  project_id: string | null;

  @Field.string({
    summary: true,
    description: 'The key in custom_fields; it never changes.',
    example: 'region',
  })
  key: string;

  @Field.string({
    summary: true,
    description: 'The label that people see.',
    example: 'Region',
  })
  label: string;

  @Field.string({
    description: 'What the field is for.',
    example: 'Where it applies',
    nullable: true,
    minLength: 0,
    maxLength: 500,
  })
  description: string | null;

  @Field.string({
    summary: true,
    description:
      'text, long_text and url are strings, integer and number are numbers, decimal a string such as "12.5", money minor units, ' +
      'date YYYY-MM-DD, time HH:MM, choice one of options, choices an array of them; member and types of modules are ids.',
    example: 'choice',
  })
  type: string;

  @Field.string({
    summary: true,
    description: 'The values of choice and choices.',
    example: ['emea', 'apac'],
    list: { maxItems: 200 },
  })
  options: string[];

  @Field.string({
    description: 'ISO 4217 code of money.',
    example: null,
    nullable: true,
  })
  currency: string | null;

  @Field.boolean({
    summary: true,
    description: 'Whether new records must have a value.',
    example: false,
  })
  required: boolean;

  @Field.boolean({
    description: 'Whether no two records have the same value: in the project, or in all projects if project_id is null.',
    example: false,
  })
  unique: boolean;

  @Field.boolean({
    description: 'Whether lists can be filtered and sorted by it.',
    example: true,
  })
  filterable: boolean;

  @Field.value({
    description: 'The value of new records that are created without one.',
    example: 'emea',
    nullable: true,
  })
  default_value: unknown;

  @Field.string({
    description: 'The heading under which forms show it.',
    example: 'Sales',
    nullable: true,
  })
  group: string | null;

  @Field.integer({
    description: 'Place among the fields of the resource, ascending.',
    example: 1,
  })
  position: number;

  @Field.boolean({
    description: 'Whether records can get a value; if not, they keep those that they have.',
    example: true,
  })
  active: boolean;

  @Field.oneOf(INDEX_STATES, {
    description:
      'The index of a filterable field. building: filters work, but are slow on large lists; unavailable: the installation has no room ' +
      'for another index.',
    example: 'ready',
  })
  index: string;

  @Field.dateTime({
    description: 'When it was deleted, UTC; it can be restored for 30 days.',
    example: null,
    nullable: true,
  })
  deleted_at: string | null;

  static from(this: void, row: CustomFieldRow & { index: string }): CustomFieldDto {
    return responseOf(CustomFieldDto, row);
  }
}

/**
 * A controller with one route, `GET /api/v1/ext/<prefix>/custom-fields`, that lists the custom fields of a module's resources. A manifest
 * with `customFields` has it.
 */
export function customFieldLookup(
  { name, prefix, title }: { name: string; prefix: string; title: string },
  resources: readonly string[],
  { scope, byProject = true }: { scope: string; byProject?: boolean },
): Type {
  const ofProject = Filter.custom({
    kind: 'uuid',
    description: 'Only those this project uses.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10',
  });

  @Listing({
    sort: ['position'],
    defaultSort: 'position',
  })
  class CustomFieldsQuery extends LookupQuery {
    project_id?: string;

    @Filter.custom({
      kind: 'enum',
      values: resources,
      list: { maxItems: 20 },
      description: 'Of these resources.',
      example: [resources[0]],
    })
    resource?: string[];
  }
  if (byProject) ofProject(CustomFieldsQuery.prototype, 'project_id');

  @Controller(`/api/v1/ext/${prefix}/custom-fields`)
  class CustomFieldLookupController {
    constructor(private readonly catalog: CustomFieldCatalog) {}

    @Get()
    @Endpoint({
      scope,
      member: { permission: null },
      operation: `list_${name}_custom_fields`,
      summary: `List the custom fields of ${title}`,
      returns: CustomFieldDto,
      list: true,
      // the context of a module takes a project
      ...(byProject && { lookup: { fields: LOOKED_UP } }),
    })
    async list(@Ctx() ctx: Ctx, @Query() query: CustomFieldsQuery): Promise<ListBody<CustomFieldDto>> {
      const wanted = { resources: query.resource ?? resources, projectId: query.project_id };
      return listBody(await this.catalog.page(ctx, query, wanted), CustomFieldDto.from);
    }
  }
  return CustomFieldLookupController;
}
