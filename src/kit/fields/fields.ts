import type { Abstract, Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { copyRules } from './class-rules.js';
import { describe, IN_SAMPLES, jsonSchemaOf, type JsonSchema } from './field-schema.js';
import type { DecimalRange } from '../values/decimals.js';
import type { FieldSpec } from './field-specification.js';
import { MAX_AMOUNT } from '../values/money.js';
import { forOpenApi } from './openapi-metadata.js';

type Described = Pick<FieldSpec, 'description' | 'example'> & Partial<Omit<FieldSpec, 'kind'>>;

const FIELDS = Symbol('fields');

/**
 * The fields of a DTO class by name, including inherited ones, in order of declaration.
 *
 * @example
 * ```ts
 * import { fieldsOf } from 'work-suite/kit';
 * import { CreateTripDto } from './trip.dto.js';
 *
 * const required = [...fieldsOf(CreateTripDto)].filter(([, { required = true }]) => required).map(([name]) => name);
 * ```
 */
export function fieldsOf(dto: Type): ReadonlyMap<string, FieldSpec> {
  return (Reflect.getMetadata(FIELDS, dto.prototype as object) as Map<string, FieldSpec> | undefined) ?? new Map();
}

/**
 * The paths of the fields that a list of the DTO has by default for agents: those declared with `summary: true`, and of an object among
 * them only its own summary, such as `totals.gross_amount`, unless it has none. A `?` follows those that are `if_short`. Empty if the DTO
 * declares no summary.
 */
export function summaryOf(dto: Type): string[] {
  const declared = [...fieldsOf(dto)].filter(([, { summary }]) => summary);
  // each resource has an id
  if (declared.every(([name]) => name === 'id')) return [];
  return declared.flatMap(([name, { type, summary }]) => {
    const inner = type ? summaryOf(type()) : [];
    const paths = inner.length > 0 ? inner.map((path) => `${name}.${path}`) : [name];
    return summary === 'if_short' ? paths.map((path) => path.replace(/\??$/, '?')) : paths;
  });
}

/**
 * Declares a field by its full specification; `Field` has shorter forms.
 *
 * @example
 * ```ts
 * import { field } from 'work-suite/kit';
 *
 * export class CodeDto {
 *   @field({ kind: 'string', description: 'Code.', example: 'T-7', maxLength: 9, pattern: '^T-[0-9]+$', patternInWords: 'T- and digits' })
 *   code: string;
 * }
 * ```
 */
export function field(spec: FieldSpec): PropertyDecorator {
  return (target, property) => {
    if (spec.type && spec.deprecated) throw new Error(`${target.constructor.name}.${String(property)}: an object cannot be deprecated.`);
    let fields = Reflect.getOwnMetadata(FIELDS, target) as Map<string, FieldSpec> | undefined;
    if (!fields) {
      fields = new Map(Reflect.getMetadata(FIELDS, target) as Map<string, FieldSpec> | undefined);
      Reflect.defineMetadata(FIELDS, fields, target);
    }
    fields.set(property as string, spec);
    forOpenApi(() => ApiProperty(apiPropertyOf(spec))(target, property));
  };
}

function apiPropertyOf(spec: FieldSpec) {
  const required = spec.required ?? true;
  const { type } = spec;
  if (type) {
    // @nestjs/swagger resolves the nested class to a $ref; it treats a function as lazy only if it is named "type"
    return {
      type: () => type(),
      isArray: spec.list !== undefined,
      description: describe(spec),
      required,
      nullable: spec.nullable ?? false,
      example: spec.example,
      ...(spec.inSamples ? { [IN_SAMPLES]: true } : {}),
      ...(spec.list ? { maxItems: spec.list.maxItems } : {}),
    } as never;
  }
  return { ...(jsonSchemaOf(spec) as JsonSchema), required } as never;
}

/**
 * Declares a DTO's field: its validation rules and its OpenAPI schema. For request bodies, queries and responses.
 *
 * @example
 * ```ts
 * import { Field } from 'work-suite/kit';
 *
 * export class CreateTripDto {
 *   @Field.string({ description: 'Where it goes.', example: 'Lyon', maxLength: 100 })
 *   title: string;
 *
 *   @Field.amount({ description: 'Costs in minor units of the currency.', example: 12_000, required: false })
 *   cost_amount?: number;
 *
 *   @Field.oneOf(['car', 'train'], { description: 'How.', example: 'train', nullable: true, required: false })
 *   means?: 'car' | 'train' | null;
 *
 *   @Field.uuid({ description: 'Who goes, from list_members.', example: ['0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60'], list: { maxItems: 9 } })
 *   member_ids: string[];
 * }
 * ```
 */
export const Field = {
  /** String of 1 to 255 characters unless bounds are given. */
  string: (options: Described) => field({ minLength: 1, maxLength: 255, ...options, kind: 'string' }),
  /** UUID; converted to lower case when it is validated. */
  uuid: (options: Described) => field({ ...options, kind: 'uuid' }),
  email: (options: Described) => field({ maxLength: 254, ...options, kind: 'email' }),
  /** 32-bit integer unless bounds are given. */
  integer: (options: Described) => field({ minimum: -2147483648, maximum: 2147483647, ...options, kind: 'integer' }),
  /** Amount of money in minor units of its currency; from 0 to the largest exact number unless bounds are given. */
  amount: (options: Described) => field({ minimum: 0, maximum: MAX_AMOUNT, ...options, kind: 'integer', isAmount: true }),
  number: (options: Described) => field({ ...options, kind: 'number' }),
  /**
   * Decimal number in a string, such as `"12.5"`: exact where a JSON number is not. Has up to 12 digits before the point and 6 after
   * it unless said otherwise, and no sign. Services get it without trailing zeros; `numeric` columns and `kit/decimals` read it.
   */
  decimal: ({ digits = 12, places = 6, sign = 'not_negative', asWritten, ...options }: Described & Partial<DecimalRange>) =>
    field({ ...options, kind: 'decimal', decimal: { digits, places, sign, asWritten } }),
  boolean: (options: Described) => field({ ...options, kind: 'boolean' }),
  /** Calendar date, `YYYY-MM-DD`. */
  date: (options: Described) => field({ ...options, kind: 'date' }),
  /** RFC 3339 time with offset; responses use UTC with milliseconds and `Z`. */
  dateTime: (options: Described) => field({ ...options, kind: 'date_time' }),
  oneOf: (values: readonly string[], options: Described) => field({ ...options, kind: 'enum', values }),
  object: (type: () => Type, options: Described) => field({ ...options, kind: 'object', type }),
  /** JSON object with arbitrary members, at most 500 of its own unless another bound is given. */
  map: (options: Described) => field({ maxProperties: 500, ...options, kind: 'map' }),
  /**
   * The values of the fields that administrators add to a resource. In a response: `shownOf(CreateTaskDto, { custom_fields: true })`.
   * The resource is that of `@CustomFields` on the entity.
   */
  customFields: (resource: string, options: Partial<Described> = {}) =>
    field({
      kind: 'map',
      description: 'Custom fields by key; null clears one.',
      example: {},
      required: false,
      maxProperties: 100,
      ...options,
      customFieldsOf: resource,
    }),
  /** A string, a number, true, false or an array of strings; the service decides which. */
  value: (options: Described) => field({ ...options, kind: 'value' }),
  /** The constant `object` member of every resource. */
  constant: (value: string) => field({ kind: 'enum', values: [value], description: `Always \`${value}\`.`, example: value }),
};

const CREATED_AT: FieldSpec = { kind: 'date_time', description: 'When it was created, UTC.', example: '2026-11-21T09:30:00.000Z' };

/**
 * The fields that every resource has in responses; extend it.
 *
 * @example
 * ```ts
 * import { Field, ResourceDto } from 'work-suite/kit';
 *
 * export class TripDto extends ResourceDto {
 *   @Field.constant('trip')
 *   object: string;
 *
 *   @Field.string({ description: 'Where it goes.', example: 'Lyon', summary: true })
 *   title: string;
 * }
 * ```
 */
export abstract class ResourceDto {
  @Field.uuid({
    summary: true,
    description: 'Id of this resource, UUID v7.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  id: string;

  @Field.integer({
    description: 'Starts at 1 and increases with each change; also the ETag.',
    example: 1,
    minimum: 1,
  })
  version: number;

  @field(CREATED_AT)
  created_at: string;

  @Field.dateTime({
    description: 'When it was last changed, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  updated_at: string;
}

/** The same with `created_at` in its summary: for what is read in the order of its creation, such as comments. */
export abstract class DatedResourceDto extends ResourceDto {}
field({ ...CREATED_AT, summary: true })(DatedResourceDto.prototype, 'created_at');

/**
 * A DTO with the fields of another, all of them optional: the body of a merge patch.
 * `class UpdateNoteDto extends partialOf(CreateNoteDto, { omit: ['project_id'] }) {}`
 *
 * @example
 * ```ts
 * import { Field, partialOf } from 'work-suite/kit';
 *
 * class CreateNoteDto {
 *   @Field.uuid({ description: 'Project.', example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10', required: false })
 *   project_id?: string;
 *
 *   @Field.string({ description: 'Title.', example: 'Minutes' })
 *   title: string;
 * }
 *
 * export class UpdateNoteDto extends partialOf(CreateNoteDto, { omit: ['project_id'] }) {}
 * ```
 */
export function partialOf<T extends object, K extends keyof T = never>(
  source: Type<T>,
  options: { omit?: readonly K[] } = {},
): Type<Partial<Omit<T, K>>> {
  return derive(
    source,
    (name) => !options.omit?.includes(name as K),
    (spec) => ({ ...spec, required: false, default: undefined, onCreate: undefined, inSamples: undefined }),
  );
}

/**
 * A DTO with some of the fields of another, unchanged.
 *
 * @example
 * ```ts
 * import { pickOf } from 'work-suite/kit';
 * import { CreateTripDto } from './trip.dto.js';
 *
 * export class RenameTripDto extends pickOf(CreateTripDto, ['title']) {}
 * ```
 */
export function pickOf<T extends object, const K extends keyof T>(source: Type<T>, names: readonly K[]): Type<Pick<T, K>> {
  return derive(
    source,
    (name) => names.includes(name as K),
    (spec) => spec,
  );
}

/**
 * A response with fields of a request, which it always has. A text in place of `true` is their description there; a specification changes
 * what it names. `class TaskDto extends bothOf(ResourceDto, shownOf(CreateTaskDto, { title: true, due_on: 'Due date.' })) {}`
 *
 * @example
 * ```ts
 * import { bothOf, Field, ResourceDto, shownOf } from 'work-suite/kit';
 *
 * class CreateNoteDto {
 *   @Field.string({ description: 'Title.', example: 'Minutes', required: false })
 *   title?: string;
 * }
 *
 * export class NoteDto extends bothOf(ResourceDto, shownOf(CreateNoteDto, { title: true })) {
 *   @Field.constant('note')
 *   object: string;
 * }
 * ```
 */
export function shownOf<T extends object, K extends keyof T & string>(
  source: Type<T>,
  fields: Readonly<Record<K, true | string | Partial<FieldSpec>>>,
): Type<Required<Pick<T, K>>> {
  class Shown {}
  for (const [name, change] of Object.entries<true | string | Partial<FieldSpec>>(fields)) {
    const spec = fieldsOf(source).get(name);
    if (!spec) throw new Error(`${source.name} has no field ${name}.`);
    const changes = change === true ? {} : typeof change === 'string' ? { description: change } : change;
    field({ ...spec, required: true, default: undefined, onCreate: undefined, inSamples: undefined, ...changes })(Shown.prototype, name);
  }
  return Shown as Type<Required<Pick<T, K>>>;
}

/**
 * A DTO with the fields of two others.
 *
 * @example
 * ```ts
 * import { bothOf, Field, ResourceDto } from 'work-suite/kit';
 *
 * class NamedDto {
 *   @Field.string({ description: 'Name.', example: 'Ada' })
 *   name: string;
 * }
 *
 * export class DriverDto extends bothOf(ResourceDto, NamedDto) {}
 * ```
 */
export function bothOf<A extends object, B extends object>(one: Type<A> | Abstract<A>, other: Type<B>): Type<A & B> {
  const both = derive<A & B>(
    one as Type<A>,
    () => true,
    (spec) => spec,
  );
  for (const [name, spec] of fieldsOf(other)) field(spec)(both.prototype as object, name);
  copyRules(other, both, (name) => fieldsOf(other).has(name));
  return both;
}

/** The mapped types of `@nestjs/swagger` would not copy the `FieldSpec`s, by which requests are validated. */
function derive<R>(source: Type, keep: (name: string) => boolean, change: (spec: FieldSpec) => FieldSpec): Type<R> {
  class Derived {}
  for (const [name, spec] of fieldsOf(source)) if (keep(name)) field(change(spec))(Derived.prototype, name);
  copyRules(source, Derived, keep);
  return Derived as Type<R>;
}
