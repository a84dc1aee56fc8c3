import type { Type } from '@nestjs/common';
import { Field, field, type FieldSpec } from './fields.js';

/** One page of a list; the next starts after its last item, so rows created meanwhile neither repeat nor hide others. */
export interface Page<T> {
  data: T[];
  has_more: boolean;
  /** Opaque and signed; null on the last page. */
  next_cursor: string | null;
  /** Present when `include_total=true` was asked for. */
  total_count?: number;
}

/** The body of a list answer. */
export interface ListBody<T> extends Page<T> {
  object: 'list';
}

/** Maps a page of entities to a list answer: `listBody(page, NoteDto.from)`. */
export function listBody<E, D>(page: Page<E>, map: (entity: E) => D): ListBody<D> {
  return { object: 'list', ...page, data: page.data.map(map) };
}

/** A short list that is never paged (a look-up) as a list answer. */
export function wholeList<E, D>(entities: readonly E[], map: (entity: E) => D): ListBody<D> {
  return { object: 'list', data: entities.map(map), has_more: false, next_cursor: null };
}

export interface ListingOptions {
  /** Columns a client may sort by. Each wants an index that starts with the scoping columns and ends with `id`. */
  sort: readonly string[];
  /** With a leading `-` for descending. */
  defaultSort: string;
  /** A `tsvector` column that `q` searches by the beginnings of words. */
  search?: string;
}

const LISTING = Symbol('listing');

/** Declares what a list sorts by and whether it takes `q`; stands on a class that extends `ListQuery`. */
export function Listing(options: ListingOptions): ClassDecorator {
  return (target) => {
    Reflect.defineMetadata(LISTING, options, target);
    const prototype = target.prototype as object;
    Field.oneOf(options.sort.flatMap((column) => [column, `-${column}`]), {
      description: 'The field to sort by; a leading "-" means descending. Equal values are ordered by id.',
      example: options.defaultSort, required: false, default: options.defaultSort,
    })(prototype, 'sort');
    if (options.search) {
      Field.string({ description: 'Words to look for; each matches the beginning of a word, and all must be found.', example: 'invoice', required: false, maxLength: 200 })(prototype, 'q');
    }
  };
}

export function listingOf(query: Type): ListingOptions {
  const options = Reflect.getMetadata(LISTING, query) as ListingOptions | undefined;
  if (!options) throw new Error(`${query.name} extends ListQuery but has no @Listing.`);
  return options;
}

/** The query parameters every list takes. Extend it, put `@Listing` on the class and add `@Filter` fields. */
export abstract class ListQuery {
  @Field.integer({ description: 'How many items a page holds.', example: 25, minimum: 1, maximum: 100, default: 25, required: false })
  limit?: number;

  @Field.string({ description: 'The next_cursor of the page before; keep the other parameters the same.', example: 'eyJ2IjpbIjIwMjYiXX0.Zm9v', maxLength: 2048, required: false })
  cursor?: string;

  @Field.boolean({ description: 'Whether to count all matches into total_count; costs time on large lists.', example: false, default: false, required: false })
  include_total?: boolean;

  @field({ kind: 'date_time', description: 'Only what was created at or after this time.', example: '2026-01-01T00:00:00Z', required: false, filter: { column: 'created_at', operator: 'from' } })
  created_after?: string;

  @field({ kind: 'date_time', description: 'Only what was created before this time.', example: '2027-01-01T00:00:00Z', required: false, filter: { column: 'created_at', operator: 'before' } })
  created_before?: string;

  @field({ kind: 'date_time', description: 'Only what was changed at or after this time; use it to synchronise.', example: '2026-01-01T00:00:00Z', required: false, filter: { column: 'updated_at', operator: 'from' } })
  updated_after?: string;

  sort?: string;
  q?: string;
}

type FilterOptions = Pick<FieldSpec, 'description' | 'example'> & {
  /** The column when it is not named like the parameter. */
  column?: string;
  /** Also accept `none`: rows without a value. */
  orNone?: boolean;
  /** The column is an array: match rows that hold any of the values. */
  overlaps?: boolean;
};

/** Declares a list filter. Several values are separated by commas and mean OR; different filters mean AND. */
export const Filter = {
  uuid: (options: FilterOptions) => filter({ kind: 'uuid' }, options),
  string: (options: FilterOptions) => filter({ kind: 'string', minLength: 1, maxLength: 255 }, options),
  integer: (options: FilterOptions) => filter({ kind: 'integer' }, options),
  oneOf: (values: readonly string[], options: FilterOptions) => filter({ kind: 'enum', values }, options),
  boolean: (options: FilterOptions) => single({ kind: 'boolean' }, options, 'in'),
  /** Inclusive lower bound of a column. */
  from: (kind: 'date' | 'date_time' | 'integer', options: FilterOptions & { column: string }) => single({ kind }, options, 'from'),
  /** Exclusive upper bound of a column. */
  before: (kind: 'date' | 'date_time' | 'integer', options: FilterOptions & { column: string }) => single({ kind }, options, 'before'),
  /** Parsed like the others; the service turns it into a condition. */
  custom: (spec: Omit<FieldSpec, 'required' | 'filter'>) => (target: object, property: string | symbol) =>
    field({ ...spec, required: false, filter: { column: property as string, operator: 'custom' } })(target, property),
};

function filter(spec: Pick<FieldSpec, 'kind' | 'values' | 'minLength' | 'maxLength'>, options: FilterOptions): PropertyDecorator {
  return (target, property) =>
    field({
      ...spec, description: options.description, example: options.example, required: false, list: { maxItems: 50 },
      filter: { column: options.column ?? (property as string), operator: options.overlaps ? 'overlaps' : 'in', orNone: options.orNone },
    })(target, property);
}

function single(spec: Pick<FieldSpec, 'kind'>, options: FilterOptions, operator: 'in' | 'from' | 'before'): PropertyDecorator {
  return (target, property) =>
    field({ ...spec, description: options.description, example: options.example, required: false, filter: { column: options.column ?? (property as string), operator } })(target, property);
}

/**
 * Declares the `expand` parameter of a read: the resources that may be added to the answer beside their ids. The service
 * reads them for the whole page at once.
 */
export function Expand(names: readonly string[]): PropertyDecorator {
  return Filter.custom({
    kind: 'enum', values: names, list: { maxItems: 3 }, example: [names[0]],
    description: 'Resources to add to the answer beside their ids, separated by commas; at most three.',
  });
}
