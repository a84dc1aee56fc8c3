import fc, { type Arbitrary } from 'fast-check';
import { anyCharacter } from '../harness/any-character.js';
import type { ApiDocument, ApiOperation, Parameter, Schema } from '../harness/api-document.js';

/** Ids from earlier responses by object type. Random ids would rarely get past the first look-up. */
export class IdPool {
  private readonly ids = new Map<string, string[]>();

  /** Collects every id in a response body by object type. Returns whether it has any. */
  harvest(value: unknown): boolean {
    if (Array.isArray(value)) return value.map((item) => this.harvest(item)).includes(true);
    if (typeof value !== 'object' || value === null) return false;
    const { object, id } = value as { object?: unknown; id?: unknown };
    const isResource = typeof object === 'string' && typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id);
    if (isResource) {
      const known = this.ids.get(object) ?? [];
      if (known.length < 50 && !known.includes(id)) this.ids.set(object, [...known, id]);
    }
    return this.harvest(Object.values(value)) || isResource;
  }

  /** An id that matches the field's name, such as a project's for `project_id`; any id if there is no match. */
  of(name: string): Arbitrary<string> {
    const type = name.replace(/_ids?$/, '');
    return fc.nat().map((n) => {
      const matching = [...this.ids].filter(([object]) => object === type || object.endsWith(`_${type}`)).flatMap(([, ids]) => ids);
      const ids = matching.length > 0 ? matching : [...this.ids.values()].flat();
      return ids.length > 0 ? ids[n % ids.length] : '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60';
    });
  }
}

/** The code of a document type that exists. */
export const TYPE_CODE = 'note';
/** The e-mail address of a member who may approve and finalize documents. */
export const APPROVER = 'approver@example.com';

const LONG_TEXT_LENGTH = 30_000;

// fast-check takes milliseconds to construct an arbitrary text, and hundreds of fields have the same few kinds of it
const texts = new Map<string, Arbitrary<string>>();

function text(minLength: number, maxLength: number): Arbitrary<string> {
  return once(`${minLength} to ${maxLength}`, () => fc.string({ unit: 'grapheme', minLength, maxLength }));
}

function matching(pattern: string): Arbitrary<string> {
  return once(`/${pattern}/`, () => fc.stringMatching(new RegExp(pattern)));
}

function once(key: string, construct: () => Arbitrary<string>): Arbitrary<string> {
  let found = texts.get(key);
  if (!found) texts.set(key, (found = construct()));
  return found;
}

const email = fc.emailAddress();
const uuid = fc.uuid();
const openObject = fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });

/** Values that match no schema. */
const junk: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '%',
    '%zz',
    "'; --",
    '__proto__',
    'constructor',
    '🦊'.repeat(300),
    'x'.repeat(LONG_TEXT_LENGTH),
    0,
    -1,
    -0,
    1e308,
    2 ** 53,
    1.5,
    true,
    [],
    {},
    [[]],
    [null],
    { id: 1 },
  ),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Times at the limits of calendars and of PostgreSQL. */
const EDGE_TIMES = [
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2026-03-29T02:30:00+01:00',
  '2024-02-29T00:00:00.123456789-15:59',
  '9999-12-31T23:59:59-10:00',
  '2024-02-29T00:00:00-23:59',
  '1969-12-31t23:59:59z',
];
const EDGE_DAYS = ['0001-01-01', '9999-12-31', '2024-02-29', '2025-02-29', '1900-02-29'];

/** Values for fields where a random match of the schema would almost never be valid. */
const LIKELY_VALUES: Readonly<Record<string, readonly string[]>> = {
  currency: ['EUR', 'JPY', 'KWD', 'ABC', 'eur'],
  type_code: [TYPE_CODE, TYPE_CODE, TYPE_CODE, 'no_such_type'],
  // titles that a PDF cannot print are rejected later
  document_title: ['Note', 'Note', 'Vertrag Nr. 7', '🦊'],
  action: ['TRANSITION', 'TRANSITION', 'TRANSITION', 'approve', 'DANCE'],
  approver_email: [APPROVER, APPROVER, APPROVER, 'nobody@example.com'],
  lifecycle_action: ['finalize', 'finalize', 'finalize', 'revoke', 'no_such_move'],
  start_at: ['2027-03-29T09:00:00+02:00', '2027-03-29T09:00:00+02:00', '2027-03-29T09:00', 'soon'],
  end_at: ['2027-03-29T10:00:00+02:00', '2027-03-29T10:00:00+02:00', '2027-03-29T10:00', 'later'],
  timezone: ['Europe/Berlin', 'Asia/Kathmandu', 'No/Where'],
};

/** Optional fields without which most calls would be rejected. */
const ALWAYS_SENT = ['project_id', 'lifecycle_action', 'approver_email'];

export class Arbitraries {
  constructor(
    private readonly api: ApiDocument,
    private readonly pool: IdPool,
  ) {}

  body(operation: ApiOperation): Arbitrary<string | undefined> {
    if (!operation.body) return fc.constant(undefined);
    const malformed = fc.constantFrom(
      '',
      'null',
      '[]',
      '"text"',
      '{"a":',
      '{"__proto__":{"title":"x"}}',
      '{"title":"a","title":"b"}',
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      '\u0000',
      '{}{}',
    );
    const generated = this.valueOf(operation.body, 'body', 0.04);
    const example = exampleOf(operation);
    const body = example
      ? fc.tuple(generated, fc.boolean()).map(([value, filled]) => (filled && isObject(value) ? { ...example, ...value } : value))
      : generated;
    return fc.oneof({ weight: 12, arbitrary: body.map((value) => JSON.stringify(value)) }, { weight: 1, arbitrary: malformed });
  }

  /** The encoded path and query. */
  target(operation: ApiOperation): Arbitrary<string> {
    const path = fc.record(
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === 'path')
          .map((parameter) => [parameter.name, this.pathValue(operation, parameter)]),
      ),
    );
    const values = operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter): [string, Arbitrary<string>] => [
        // an object is sent member by member: deepObject
        this.isObject(parameter) ? `${parameter.name}[region]` : parameter.name,
        fc.oneof({ weight: 8, arbitrary: this.queryValue(parameter) }, { weight: 1, arbitrary: junkText }),
      ]);
    const named = (name: string, value: Arbitrary<string>) => value.map((text): [string, string] => [name, text]);
    const none = fc.constant<[string, string][]>([]);
    // many filters at once would match nothing, and one invalid filter would hide the others
    const fewParameters =
      values.length === 0
        ? none
        : fc
            .uniqueArray(fc.nat({ max: values.length - 1 }), { minLength: 1, maxLength: 3 })
            .chain((picked) => fc.tuple(...picked.map((index) => named(...values[index]))));
    return fc.tuple(path, fc.oneof({ weight: 6, arbitrary: fewParameters }, { weight: 1, arbitrary: none })).map(([ids, pairs]) => {
      const filled = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(ids[name]));
      const search = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&');
      return search === '' ? filled : `${filled}?${search}`;
    });
  }

  headers(operation: ApiOperation): Arbitrary<Record<string, string>> {
    const named = operation.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name.toLowerCase());
    const values: Record<string, Arbitrary<string>> = {
      'idempotency-key': fc.oneof(uuid, fc.constantFrom('same', '', ' ', 'x'.repeat(256), 'é')),
      'if-match': fc.oneof(fc.constantFrom('"1"', '*', 'W/"1"', '"1", "2"', '1', '""', '"99999999999"', 'nonsense')),
    };
    const all = fc.record(Object.fromEntries(named.filter((name) => name in values).map((name) => [name, values[name]])), {
      requiredKeys: [],
    });
    // usually none, because each header can end the request before the handler
    return fc.integer({ min: 0, max: 3 }).chain((n) => (n === 0 ? all : fc.constant({})) as Arbitrary<Record<string, string>>);
  }

  private pathValue(operation: ApiOperation, { name }: Parameter): Arbitrary<string> {
    const before = operation.path
      .slice(0, operation.path.indexOf(`/{${name}}`))
      .split('/')
      .at(-1) as string;
    const type = name === 'id' ? before.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', '_') : name.replace(/Id$/, '');
    return fc.oneof(
      { weight: 6, arbitrary: this.pool.of(`${type}_id`) },
      { weight: 1, arbitrary: uuid },
      { weight: 1, arbitrary: junkText.map((text) => text.toWellFormed()).filter((text) => text !== '' && text !== '.' && text !== '..') },
    );
  }

  private isObject({ schema }: Parameter): boolean {
    return this.api.resolve(schema).type === 'object';
  }

  private queryValue({ name, schema }: Parameter): Arbitrary<string> {
    const resolved = this.api.resolve(schema);
    if (resolved.type === 'object') return junkText;
    if (resolved.type === 'array')
      return fc
        .array(this.valueOf(resolved.items as Schema, name, 0), { minLength: 1, maxLength: 3 })
        .map((items) => items.map(String).join(','));
    return this.valueOf(resolved, name, 0).map(String);
  }

  /** A value that usually matches the schema; `junkRate` is the probability that a part of it is junk. */
  private valueOf(schema: Schema, name: string, junkRate: number): Arbitrary<unknown> {
    const valid = this.validValueOf(this.api.resolve(schema), name, junkRate);
    const nullable = this.api.acceptsNull(schema)
      ? fc.oneof({ weight: 5, arbitrary: valid }, { weight: 1, arbitrary: fc.constant(null) })
      : valid;
    if (junkRate === 0) return nullable;
    return fc.integer({ min: 0, max: 99 }).chain((n) => (n < junkRate * 100 ? junk : nullable));
  }

  private validValueOf(schema: Schema, name: string, junkRate: number): Arbitrary<unknown> {
    if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
    switch ([schema.type].flat().find((type) => type !== 'null')) {
      case 'string':
        return this.textOf(schema, name);
      case 'integer':
        return fc.integer({ min: Number(schema.minimum ?? -1000), max: Number(schema.maximum ?? 1000) });
      case 'number':
        return fc.double({ min: Number(schema.minimum ?? -1e9), max: Number(schema.maximum ?? 1e9), noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'array':
        return this.listOf(schema, name, junkRate);
      default:
        return this.objectOf(schema, junkRate);
    }
  }

  private listOf(schema: Schema, name: string, junkRate: number): fc.Arbitrary<unknown> {
    const items = this.valueOf(schema.items as Schema, name, junkRate);
    const minLength = Number(schema.minItems ?? 0);
    const length = { minLength, maxLength: Math.max(minLength, Math.min(Number(schema.maxItems ?? 4), 4)) };
    // so many different ones there may not be
    if (minLength > 4) return fc.array(items, length);
    return fc.uniqueArray(items, { ...length, selector: (item) => JSON.stringify(item) });
  }

  private objectOf(schema: Schema, junkRate: number): Arbitrary<unknown> {
    if (!schema.properties) return openObject;
    const properties = schema.properties as Record<string, Schema>;
    const nameOf = (key: string) => (key === 'title' && 'type_code' in properties ? 'document_title' : key);
    const members = Object.entries(properties).map(([key, property]) => [key, this.valueOf(property, nameOf(key), junkRate)] as const);
    const required = (schema.required ?? []) as string[];
    const records = new Map<string, Arbitrary<unknown>>();
    const recordOf = (kept: readonly string[]) => {
      const some = members.filter(([key]) => required.includes(key) || kept.includes(key) || ALWAYS_SENT.includes(key));
      const names = some.map(([key]) => key).join();
      const record = records.get(names) ?? fc.record(Object.fromEntries(some), { requiredKeys: required });
      records.set(names, record);
      return record;
    };
    // omits most optional fields: each additional field makes it less likely that the whole body is valid, and takes time to generate
    return fc.array(fc.constantFrom(...members.map(([key]) => key)), { maxLength: 4 }).chain(recordOf);
  }

  private textOf({ format, pattern, minLength, maxLength }: Schema, name: string): Arbitrary<string> {
    switch (format) {
      case 'uuid':
        return fc.oneof({ weight: 8, arbitrary: this.pool.of(name) }, { weight: 1, arbitrary: uuid });
      case 'email':
        return email;
      case 'date':
        return fc.oneof(
          fc
            .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
            .map((date) => date.toISOString().slice(0, 10)),
          fc.constantFrom(...EDGE_DAYS),
        );
      case 'date-time':
        return fc.oneof(
          fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
          fc.constantFrom(...EDGE_TIMES),
        );
    }
    const values = LIKELY_VALUES[name];
    if (values) return fc.constantFrom(...values);
    if (pattern && pattern !== String.raw`\S`) return matching(pattern as string);
    const longest = Math.min(Number(maxLength ?? 60), 60);
    return text(Math.min(Number(minLength ?? 0), longest), longest);
  }
}

/**
 * The example of a create operation without required fields: such an operation usually needs one of several fields. Omits
 * ids, which are not valid in the test.
 */
function exampleOf({ method, body, source }: ApiOperation): Record<string, unknown> | undefined {
  if (method !== 'post' || !body || body.required) return undefined;
  const { content } = source.requestBody as {
    content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
  };
  const { example, examples } = content['application/json'] ?? {};
  const value = example ?? Object.values(examples ?? {})[0]?.value;
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !/_ids?$/.test(key) && key !== 'custom_fields'));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const junkText: Arbitrary<string> = junk.map((value) => (typeof value === 'string' ? value.slice(0, 3_000) : JSON.stringify(value)));
