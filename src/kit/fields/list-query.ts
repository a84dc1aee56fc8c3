import type { Type } from '@nestjs/common';
import { CommonErrors } from '../errors/common-errors.js';
import type { FieldSpec } from './field-specification.js';
import { Field, field } from './fields.js';

/** One page of a list. The next page starts after its last item, so concurrent inserts neither repeat nor skip items. */
export interface Page<T> {
  data: T[];
  has_more: boolean;
  /** Opaque and signed; null on the last page. */
  next_cursor: string | null;
  /** Present with `include_total=true`; at most MOST_COUNTED if the listing is endless. */
  total_count?: number;
}

/** The body of a list response. */
export interface ListBody<T> extends Page<T> {
  object: 'list';
}

/**
 * Maps a page of entities to a list response: `listBody(page, NoteDto.from)`.
 *
 * @example
 * ```ts
 * import { listBody, responseOf, type Ctx, type Store } from 'work-suite/kit';
 * import { TripDto, TripsQuery } from './trip.dto.js';
 * import { Trip } from './trip.entity.js';
 *
 * export async function list(store: Store, ctx: Ctx, query: TripsQuery) {
 *   return listBody(await store.page(ctx, Trip, query), (trip) => responseOf(TripDto, trip));
 * }
 * ```
 */
export function listBody<E, D>(page: Page<E>, map: (entity: E) => D): ListBody<D> {
  return { object: 'list', ...page, data: page.data.map(map) };
}

/**
 * Builds a list response from a constant: `constantList(PRIORITIES, query, PriorityDto.from)`. The items must be in the order
 * of the listing's default sort; only that order and its reverse are supported. Items have no timestamps, so time filters
 * are ignored.
 *
 * @example
 * ```ts
 * import { constantList, Listing, ListQuery } from 'work-suite/kit';
 *
 * @Listing({ sort: ['code'], defaultSort: 'code' })
 * class MeansQuery extends ListQuery {}
 *
 * export const listMeans = (query: MeansQuery) => constantList([{ code: 'car' }, { code: 'train' }], query, (means) => means);
 * ```
 */
export function constantList<E, D>(items: readonly E[], query: ListQuery, map: (item: E) => D): ListBody<D> {
  const { defaultSort } = listingOf(query.constructor as Type);
  const sort = query.sort ?? defaultSort;
  const sorted = sort === defaultSort ? items : items.toReversed();
  const cursorAt = (position: number) => Buffer.from(`${sort} ${position}`).toString('base64url');
  const start = query.cursor === undefined ? 0 : sorted.findIndex((_, position) => position > 0 && cursorAt(position) === query.cursor);
  if (start === -1) throw CommonErrors.invalidCursor({ param: 'cursor' });
  const end = start + (query.limit ?? DEFAULT_LIMIT);
  const has_more = end < sorted.length;
  return {
    object: 'list',
    data: sorted.slice(start, end).map(map),
    has_more,
    next_cursor: has_more ? cursorAt(end) : null,
    ...(query.include_total ? { total_count: sorted.length } : {}),
  };
}

export interface ListingOptions {
  /** Columns a client may sort by. Each needs an index that starts with the scoping columns and ends with `id`; tests require it. */
  sort: readonly string[];
  /** Columns of `sort` and of filters by ids and texts that need no index, each with the reason, such as that the table stays small. */
  unindexed?: Readonly<Record<string, string>>;
  /** A leading `-` means descending. */
  defaultSort: string;
  /** The `tsvector` column that `q` searches by word prefixes. */
  search?: string;
  /** What that column contains, as the description of `q` names it. */
  searched?: string;
  /** The resource of the rows, by whose custom fields a client may filter and sort: that of `@CustomFields` on the entity. */
  customFields?: string;
  /** The column that refers to that resource, if the rows of the list are not the resource itself. */
  customFieldsOf?: string;
  /** The list grows without end, such as a log: `total_count` counts up to 10,000 rows. */
  isEndless?: boolean;
}

/** The largest total of an endless list. */
export const MOST_COUNTED = 10_000;

const LISTING = Symbol('listing');

/**
 * Declares the sort columns of a list and whether it supports `q`; for classes that extend `ListQuery`.
 *
 * @example
 * ```ts
 * import { Filter, Listing, ProjectListQuery } from 'work-suite/kit';
 *
 * @Listing({ sort: ['created_at', 'title'], defaultSort: '-created_at', search: 'search' })
 * export class NotesQuery extends ProjectListQuery {
 *   @Filter.string({ description: 'Authors.', example: ['ada'] })
 *   author?: string[];
 * }
 * ```
 */
export function Listing(options: ListingOptions): ClassDecorator {
  return (target) => {
    Reflect.defineMetadata(LISTING, options, target);
    const prototype = target.prototype as object;
    const values = options.sort.flatMap((column) => [column, `-${column}`]);
    const sort = { description: '- is descending.', example: options.defaultSort, default: options.defaultSort };
    // a custom field is none of the values, but can be sorted by, too
    const custom = options.customFields === undefined ? {} : { errorCode: 'validation_failed', maxLength: 100 };
    field({ ...sort, ...custom, kind: options.customFields === undefined ? 'enum' : 'string', values, required: false })(prototype, 'sort');
    if (options.customFields !== undefined)
      Filter.custom({
        kind: 'map',
        description: 'Values of custom fields by key; ranges as key_after and key_before.',
        example: {},
        maxProperties: 50,
        customFieldsOf: options.customFields,
      })(prototype, 'custom_fields');
    if (options.isEndless === true)
      Field.boolean({ ...INCLUDE_TOTAL, description: `Return total_count, at most ${MOST_COUNTED}.` })(prototype, 'include_total');
    if (options.search) {
      Field.string({
        description: `Words to find in ${options.searched ?? 'the text'}; all must match, as prefixes.`,
        example: 'autumn',
        required: false,
        maxLength: 200,
      })(prototype, 'q');
    }
  };
}

export function listingOf(query: Type): ListingOptions {
  const options = Reflect.getMetadata(LISTING, query) as ListingOptions | undefined;
  if (!options)
    throw new Error(
      query === Object
        ? 'The query of a list has lost its class, for example by `{ ...query }`. Pass the query that the handler got, or an instance ' +
            'of its class with other values: `Object.assign(new TripsQuery(), query, changes)`.'
        : `${query.name} extends ListQuery but has no @Listing: decorate the class with it.`,
    );
  return options;
}

const DEFAULT_LIMIT = 25;
const INCLUDE_TOTAL = { example: false, default: false, required: false };

function limitField(defaultLimit: number): PropertyDecorator {
  return Field.integer({ description: 'Page size.', example: 25, minimum: 1, maximum: 100, default: defaultLimit, required: false });
}

/**
 * The query parameters of every list. Extend it, decorate the class with `@Listing` and add `@Filter` fields.
 *
 * @example
 * ```ts
 * import { Listing, ListQuery } from 'work-suite/kit';
 *
 * @Listing({ sort: ['created_at'], defaultSort: '-created_at' })
 * export class LogEntriesQuery extends ListQuery {}
 * ```
 */
export abstract class ListQuery {
  @limitField(DEFAULT_LIMIT)
  limit?: number;

  @field({
    kind: 'string',
    description: 'From next_cursor.',
    example: 'eyJ2IjpbIjIwMjYiXX0.Zm9v',
    maxLength: 2048,
    required: false,
  })
  cursor?: string;

  @Field.boolean({
    ...INCLUDE_TOTAL,
    description: 'Count all (slow).',
  })
  include_total?: boolean;

  @field({
    kind: 'date_time',
    description: 'Created since.',
    example: '2026-01-01T00:00:00Z',
    required: false,
    filter: { column: 'created_at', operator: 'from' },
  })
  created_after?: string;

  @field({
    kind: 'date_time',
    description: 'Created before.',
    example: '2027-01-01T00:00:00Z',
    required: false,
    filter: { column: 'created_at', operator: 'before' },
  })
  created_before?: string;

  @field({
    kind: 'date_time',
    description: 'Changed since.',
    example: '2026-01-01T00:00:00Z',
    required: false,
    filter: { column: 'updated_at', operator: 'from' },
  })
  updated_after?: string;

  sort?: string;
  q?: string;
  /** With `customFields` of `@Listing`: what is sent as `custom_fields.<key>=<values>`. */
  custom_fields?: Record<string, unknown>;
}

/**
 * The parameters of a look-up: a short list that callers usually read completely, so the default limit is the maximum.
 *
 * @example
 * ```ts
 * import { Listing, LookupQuery } from 'work-suite/kit';
 *
 * @Listing({ sort: ['name'], defaultSort: 'name' })
 * export class VehicleKindsQuery extends LookupQuery {}
 * ```
 */
export abstract class LookupQuery extends ListQuery {
  @limitField(100)
  override limit?: number = 100;
}

type FilterOptions = Pick<FieldSpec, 'description' | 'example'> & {
  /** The column, if its name differs from the parameter's. */
  column?: string;
  /** Also accept `none`: rows without a value. */
  orNone?: boolean;
  /** The column is an array: match rows that contain any of the values. */
  overlaps?: boolean;
  /** Of times: a day stands for its end. */
  endOfDay?: boolean;
};

/**
 * Declares a list filter. Several values are separated by commas and mean OR; different filters mean AND.
 *
 * @example
 * ```ts
 * import { Filter, Listing, ProjectListQuery } from 'work-suite/kit';
 *
 * @Listing({ sort: ['created_at', 'starts_on'], defaultSort: 'starts_on' })
 * export class TripsQuery extends ProjectListQuery {
 *   @Filter.oneOf(['planned', 'done'], { description: 'Their status.', example: ['planned'] })
 *   status?: string[];
 *
 *   @Filter.uuid({ description: 'Their vehicle; none for those without.', example: ['none'], orNone: true })
 *   vehicle_id?: (string | null)[];
 *
 *   @Filter.from('date', { description: 'Starting on this day or later.', example: '2026-11-29', column: 'starts_on' })
 *   starts_from?: string;
 * }
 * ```
 */
export const Filter = {
  uuid: (options: FilterOptions & Pick<FieldSpec, 'orKey'>) => filter({ kind: 'uuid', orKey: options.orKey }, options),
  string: (options: FilterOptions) => filter({ kind: 'string', minLength: 1, maxLength: 255 }, options),
  integer: (options: FilterOptions) => filter({ kind: 'integer' }, options),
  oneOf: (values: readonly string[], options: FilterOptions) => filter({ kind: 'enum', values }, options),
  boolean: (options: FilterOptions) => single({ kind: 'boolean' }, options, 'in'),
  /** Inclusive lower bound of a column. */
  from: (kind: 'date' | 'date_time' | 'integer', options: FilterOptions & { column: string }) => single({ kind }, options, 'from'),
  /** Exclusive upper bound of a column. */
  before: (kind: 'date' | 'date_time' | 'integer', options: FilterOptions & { column: string }) => single({ kind }, options, 'before'),
  /** Parsed and validated like the others, but the service turns it into a condition. */
  custom: (spec: Omit<FieldSpec, 'required' | 'filter'>) => (target: object, property: string | symbol) =>
    field({ ...spec, required: false, filter: { column: property as string, operator: 'custom' } })(target, property),
  /** As `custom`, of a day or time that the condition only compares. */
  bound: (kind: 'date' | 'date_time', options: Pick<FieldSpec, 'description' | 'example'>) =>
    Filter.custom({ kind, isBound: true, ...options }),
};

/**
 * The query parameters of a list of records of projects.
 *
 * @example
 * ```ts
 * import { Listing, ProjectListQuery } from 'work-suite/kit';
 *
 * @Listing({ sort: ['created_at', 'title'], defaultSort: '-created_at', search: 'search', searched: 'title and notes' })
 * export class TripsQuery extends ProjectListQuery {}
 * ```
 */
export abstract class ProjectListQuery extends ListQuery {
  @Filter.uuid({
    description: 'Of these projects.',
    example: ['0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10'],
  })
  project_id?: string[];
}

function filter(spec: Pick<FieldSpec, 'kind' | 'values' | 'minLength' | 'maxLength' | 'orKey'>, options: FilterOptions): PropertyDecorator {
  return (target, property) =>
    field({
      ...spec,
      description: options.description,
      example: options.example,
      required: false,
      list: { maxItems: 50 },
      filter: { column: options.column ?? (property as string), operator: options.overlaps ? 'overlaps' : 'in', orNone: options.orNone },
    })(target, property);
}

function single(spec: Pick<FieldSpec, 'kind'>, options: FilterOptions, operator: 'in' | 'from' | 'before'): PropertyDecorator {
  return (target, property) =>
    field({
      ...spec,
      description: options.description,
      example: options.example,
      required: false,
      filter: { column: options.column ?? (property as string), operator },
    })(target, property);
}

/**
 * Declares the `expand` parameter of a read: related resources that the response can include in full. The service loads
 * them once per page. Tools ask for those of `inTools` by themselves, if they belong to what agents pick rows by.
 *
 * @example
 * ```ts
 * import { Expand, Listing, ProjectListQuery } from 'work-suite/kit';
 *
 * @Listing({ sort: ['created_at'], defaultSort: '-created_at' })
 * export class TripsQuery extends ProjectListQuery {
 *   @Expand(['vehicle', 'driver'])
 *   expand?: string[];
 * }
 * ```
 */
export function Expand(names: readonly string[], { inTools = [] }: { inTools?: readonly string[] } = {}): PropertyDecorator {
  return Filter.custom({
    kind: 'enum',
    values: names,
    list: { maxItems: 3 },
    example: [names[0]],
    description: 'Related resources to include in full, separated by commas; at most three.',
    toolDefault: inTools.length === 0 ? undefined : inTools,
  });
}

/**
 * The parameters of a look-up of what belongs to a project, or to all of them; the service decides what `project_id` leaves out.
 *
 * @example
 * ```ts
 * import { Listing, ProjectLookupQuery } from 'work-suite/kit';
 *
 * @Listing({ sort: ['name'], defaultSort: 'name' })
 * export class GaragesQuery extends ProjectLookupQuery {}
 * ```
 */
export abstract class ProjectLookupQuery extends LookupQuery {
  @field({
    kind: 'uuid',
    description: 'Only of this project.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10',
    required: false,
  })
  project_id?: string;
}

/**
 * The same of what can be retired.
 *
 * @example
 * ```ts
 * import { ActiveLookupQuery, Listing } from 'work-suite/kit';
 *
 * @Listing({ sort: ['name'], defaultSort: 'name' })
 * export class VehiclesQuery extends ActiveLookupQuery {}
 * ```
 */
export abstract class ActiveLookupQuery extends ProjectLookupQuery {
  @Filter.boolean({
    description: 'Only active ones, or only others.',
    example: true,
  })
  active?: boolean;
}
