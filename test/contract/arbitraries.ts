import fc, { type Arbitrary } from 'fast-check';
import type { ApiDocument, ApiOperation, Parameter, Schema } from '../kit/api-document.js';

/** Ids that answers have shown, by what they are ids of; a random id would seldom get past the first look-up. */
export class IdPool {
  private readonly ids = new Map<string, string[]>();

  /** Takes every id of an answer, under the name of its object. */
  harvest(value: unknown): void {
    if (Array.isArray(value)) return value.forEach((item) => this.harvest(item));
    if (typeof value !== 'object' || value === null) return;
    const { object, id } = value as { object?: unknown; id?: unknown };
    if (typeof object === 'string' && typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id)) {
      const known = this.ids.get(object) ?? [];
      if (known.length < 50 && !known.includes(id)) this.ids.set(object, [...known, id]);
    }
    Object.values(value).forEach((member) => this.harvest(member));
  }

  /** Of `project_id` a project's, as far as the name tells; of `id` any. */
  of(name: string): Arbitrary<string> {
    const wanted = name.replace(/_ids?$/, '');
    return fc.nat().map((n) => {
      const fitting = [...this.ids].filter(([object]) => object === wanted || object.endsWith(`_${wanted}`)).flatMap(([, ids]) => ids);
      const ids = fitting.length > 0 ? fitting : [...this.ids.values()].flat();
      return ids.length > 0 ? ids[n % ids.length] : '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60';
    });
  }
}

/** The code of a type of documents that is there. */
export const TYPE_CODE = 'note';
/** The address of a member who may do what keys do in people's names. */
export const APPROVER = 'approver@example.com';

const LONG = 30_000;

/** What no schema asks for. */
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
    'x'.repeat(LONG),
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
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Times at the edges of calendars and of what PostgreSQL keeps. */
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

/** Of texts that only some values get past: few of the codes that a pattern admits exist. */
const FEW: Readonly<Record<string, readonly string[]>> = {
  currency: ['EUR', 'JPY', 'KWD', 'ABC', 'eur'],
  type_code: [TYPE_CODE, TYPE_CODE, TYPE_CODE, 'no_such_type'],
  // what a PDF cannot print is refused later on
  document_title: ['Note', 'Note', 'Vertrag Nr. 7', '🦊'],
  action: ['TRANSITION', 'TRANSITION', 'TRANSITION', 'approve', 'DANCE'],
  approver_email: [APPROVER, APPROVER, APPROVER, 'nobody@example.com'],
  lifecycle_action: ['finalize', 'finalize', 'finalize', 'revoke', 'no_such_move'],
};

/** Optional fields without which most calls would be refused. */
const KEPT = ['project_id', 'lifecycle_action', 'approver_email'];

export class Arbitraries {
  constructor(
    private readonly api: ApiDocument,
    private readonly pool: IdPool,
  ) {}

  body(operation: ApiOperation): Arbitrary<string | undefined> {
    if (!operation.body) return fc.constant(undefined);
    const odd = fc.constantFrom(
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
    const shown = exampleOf(operation);
    const body = shown
      ? fc.tuple(generated, fc.boolean()).map(([value, filled]) => (filled && isObject(value) ? { ...shown, ...value } : value))
      : generated;
    return fc.oneof({ weight: 12, arbitrary: body.map((value) => JSON.stringify(value)) }, { weight: 1, arbitrary: odd });
  }

  /** The path and its query, encoded. */
  target(operation: ApiOperation): Arbitrary<string> {
    const path = fc.record(
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === 'path')
          .map((parameter) => [parameter.name, this.pathValue(operation, parameter)]),
      ),
    );
    const query = fc.record(
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === 'query')
          .map((parameter) => [
            parameter.name,
            fc.oneof({ weight: 8, arbitrary: this.queryValue(parameter) }, { weight: 1, arbitrary: junkText }),
          ]),
      ),
      { requiredKeys: [] },
    );
    const thinned = fc.tuple(query, fc.array(fc.nat(), { minLength: 1, maxLength: 3 })).map(([values, picks]) => {
      // a dozen filters at once would match nothing, and one bad one would hide the others
      const entries = Object.entries(values) as [string, string][];
      return entries.length === 0
        ? ([] as [string, string][])
        : [...new Set(picks.map((pick) => pick % entries.length))].map((index) => entries[index]);
    });
    return fc
      .tuple(path, fc.oneof({ weight: 6, arbitrary: thinned }, { weight: 1, arbitrary: fc.constant<[string, string][]>([]) }))
      .map(([ids, pairs]) => {
        const filled = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(ids[name]));
        const search = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&');
        return search === '' ? filled : `${filled}?${search}`;
      });
  }

  headers(operation: ApiOperation): Arbitrary<Record<string, string>> {
    const named = operation.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name.toLowerCase());
    const values: Record<string, Arbitrary<string>> = {
      'idempotency-key': fc.oneof(fc.uuid(), fc.constantFrom('same', '', ' ', 'x'.repeat(256), 'é')),
      'if-match': fc.oneof(fc.constantFrom('"1"', '*', 'W/"1"', '"1", "2"', '1', '""', '"99999999999"', 'nonsense')),
    };
    return fc
      .record(Object.fromEntries(named.filter((name) => name in values).map((name) => [name, values[name]])), { requiredKeys: [] })
      .chain((all) =>
        // mostly none: each of them is a way out before the handler
        fc.integer({ min: 0, max: 3 }).map((n) => (n === 0 ? all : {}) as Record<string, string>),
      );
  }

  private pathValue(operation: ApiOperation, { name }: Parameter): Arbitrary<string> {
    const before = operation.path
      .slice(0, operation.path.indexOf(`/{${name}}`))
      .split('/')
      .at(-1) as string;
    const wanted = name === 'id' ? before.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', '_') : name.replace(/Id$/, '');
    return fc.oneof(
      { weight: 6, arbitrary: this.pool.of(`${wanted}_id`) },
      { weight: 1, arbitrary: fc.uuid() },
      { weight: 1, arbitrary: junkText.map((text) => text.toWellFormed()).filter((text) => text !== '' && text !== '.' && text !== '..') },
    );
  }

  private queryValue({ name, schema }: Parameter): Arbitrary<string> {
    const shape = this.api.resolve(schema);
    if (shape.type === 'array')
      return fc
        .array(this.valueOf(shape.items as Schema, name, 0), { minLength: 1, maxLength: 3 })
        .map((items) => items.map(String).join(','));
    return this.valueOf(shape, name, 0).map(String);
  }

  /** A value that the schema mostly admits; `spoil` is how likely each part of it is junk. */
  private valueOf(schema: Schema, name: string, spoil: number): Arbitrary<unknown> {
    const right = this.rightValueOf(this.api.resolve(schema), name, spoil);
    const nullable = this.api.acceptsNull(schema)
      ? fc.oneof({ weight: 5, arbitrary: right }, { weight: 1, arbitrary: fc.constant(null) })
      : right;
    if (spoil === 0) return nullable;
    return fc.integer({ min: 0, max: 99 }).chain((n) => (n < spoil * 100 ? junk : nullable));
  }

  private rightValueOf(schema: Schema, name: string, spoil: number): Arbitrary<unknown> {
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
        return fc.uniqueArray(this.valueOf(schema.items as Schema, name, spoil), {
          minLength: Number(schema.minItems ?? 0),
          maxLength: Math.min(Number(schema.maxItems ?? 4), 4),
          selector: (item) => JSON.stringify(item),
        });
      default:
        return this.objectOf(schema, spoil);
    }
  }

  private objectOf(schema: Schema, spoil: number): Arbitrary<unknown> {
    if (!schema.properties) return fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
    const properties = schema.properties as Record<string, Schema>;
    const nameOf = (key: string) => (key === 'title' && 'type_code' in properties ? 'document_title' : key);
    const members = Object.entries(properties).map(([key, property]) => [key, this.valueOf(property, nameOf(key), spoil)] as const);
    const required = (schema.required ?? []) as string[];
    const whole = fc.record(Object.fromEntries(members), { requiredKeys: required });
    // most optional fields left out: each right one makes the whole less likely to be right
    return fc
      .tuple(whole, fc.array(fc.constantFrom(...members.map(([key]) => key)), { maxLength: 4 }))
      .map(([object, kept]) =>
        Object.fromEntries(Object.entries(object).filter(([key]) => required.includes(key) || kept.includes(key) || KEPT.includes(key))),
      );
  }

  private textOf({ format, pattern, minLength, maxLength }: Schema, name: string): Arbitrary<string> {
    switch (format) {
      case 'uuid':
        return fc.oneof({ weight: 8, arbitrary: this.pool.of(name) }, { weight: 1, arbitrary: fc.uuid() });
      case 'email':
        return fc.emailAddress();
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
    const words = FEW[name];
    if (words) return fc.constantFrom(...words);
    if (pattern && pattern !== String.raw`\S`) return fc.stringMatching(new RegExp(pattern as string));
    const most = Math.min(Number(maxLength ?? 60), 60);
    return fc.string({ unit: 'grapheme', minLength: Math.min(Number(minLength ?? 0), most), maxLength: most });
  }
}

/** Where a creation has no required field but wants one or another of several, its example shows which; ids are not those of the test. */
function exampleOf({ method, body, source }: ApiOperation): Record<string, unknown> | undefined {
  if (method !== 'post' || !body || body.required) return undefined;
  const { content } = source.requestBody as {
    content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
  };
  const { example, examples } = content['application/json'] ?? {};
  const shown = example ?? Object.values(examples ?? {})[0]?.value;
  if (!isObject(shown)) return undefined;
  return Object.fromEntries(Object.entries(shown).filter(([key]) => !/_ids?$/.test(key) && key !== 'custom_fields'));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const junkText: Arbitrary<string> = junk.map((value) => (typeof value === 'string' ? value.slice(0, 3_000) : JSON.stringify(value)));
