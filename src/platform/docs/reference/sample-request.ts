import { isObject } from '../../../kit/index.js';
import { snakeCase } from '../../../kit/internal.js';
import type { ReferenceOperation } from './model.js';
import type { ArgumentValues } from './sample-values.js';
import type { DescribedSchema, Schemas } from './schemas.js';

/** What the samples of an operation send. */
export interface SampleRequest {
  path: Record<string, string>;
  query: Record<string, string>;
  /** JSON, or the text of a file. */
  body: { type: string; value: unknown } | null;
}

const ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60';
/** A change has no required members, so a sample shows two. It avoids codes and numbers, which another record may have. */
const MOST_CHANGES = 2;

/** Lists of a calendar need a period in most cases. */
const PERIOD = ['from', 'to'];

/** The shortest useful request: what is required, and of a change the first members. */
export function sampleRequest(operation: ReferenceOperation, schemas: Schemas): SampleRequest {
  const { parameters, bodies, method, sampleValues } = operation;
  const text = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value));
  const valuesOf = (kind: 'path' | 'query', all: boolean) =>
    Object.fromEntries(
      parameters[kind]
        .filter(({ required, schema }) => all || required || isInSamples(schema as DescribedSchema))
        .map(({ name, schema }) => [name, sampleValues[snakeCase(name)] ?? text(schemas.example(schema as DescribedSchema) ?? ID)] as const)
        .map(([name, value]) => [name, value === 'text' ? ID : String(value)]),
    );
  const query = valuesOf('query', false);
  for (const { name, schema } of parameters.query)
    if (PERIOD.includes(name)) query[name] ??= text(schemas.example(schema as DescribedSchema));
  if (parameters.query.some(({ name }) => name === 'cursor')) query['limit'] = '3';
  const body = bodies.find(({ type }) => type === 'application/json') ?? bodies[0];
  return {
    path: valuesOf('path', true),
    query,
    body: body
      ? {
          type: body.type,
          value: body.type === 'application/json' ? bodyOf(shortBody(body, schemas, method), operation) : fileOf(body.schema, schemas),
        }
      : null,
  };
}

/** The body with what records say; an argument that depends on the record is always sent. */
function bodyOf(body: unknown, { conditions, parameters, sampleValues }: ReferenceOperation): unknown {
  const dependent = conditions.sends.filter(
    (name) => !name.includes('.') && name in sampleValues && !parameters.path.some((one) => snakeCase(one.name) === name),
  );
  const sent = isObject(body) ? { ...body, ...Object.fromEntries(dependent.map((name) => [name, sampleValues[name]])) } : body;
  return withValues(sent, sampleValues);
}

/** `path` says where a value is, as `lines.item_id`. */
function withValues(value: unknown, values: ArgumentValues, path = ''): unknown {
  if (path in values) return values[path];
  if (Array.isArray(value)) return value.map((item) => withValues(item, values, path));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, withValues(inner, values, path === '' ? name : `${path}.${name}`)]),
    );
  return value;
}

function fileOf(schema: DescribedSchema, schemas: Schemas): string {
  return String(schemas.example(schema) ?? '');
}

function shortBody({ schema, isRequired }: ReferenceOperation['bodies'][number], schemas: Schemas, method: string): unknown {
  const { properties, required } = schemas.members(schema);
  const isPlain = (name: string) => {
    const { schema: found } = schemas.resolve(properties[name]);
    const kinds = [found.type].flat();
    return !/(^|_)(ids?|version|position|slug|code|sku|number|rate)$/.test(name) && !kinds.includes('object') && !kinds.includes('array');
  };
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  // where alternatives are required, one of them is enough
  const others = [...optional.filter(isPlain), ...optional].slice(0, method === 'PATCH' ? MOST_CHANGES : 1);
  const needed = neededOf(properties, required);
  const shown = needed.length > 0 ? needed : isRequired ? others : [];
  return Object.fromEntries(shown.map((name) => [name, shortValue(properties[name], schemas)]));
}

/** Examples of lists and objects are complete; without one, the members that are required. */
function shortValue(schema: DescribedSchema, schemas: Schemas): unknown {
  if (schema.examples) return schema.examples[0];
  const { schema: found } = schemas.resolve(schema);
  if (found.examples) return found.examples[0];
  if (found.items) return [shortValue(found.items, schemas)];
  const { properties, required } = schemas.members(found);
  if (Object.keys(properties).length === 0) return schemas.example(found);
  return Object.fromEntries(neededOf(properties, required).map((name) => [name, shortValue(properties[name], schemas)]));
}

function neededOf(properties: Readonly<Record<string, DescribedSchema>>, required: readonly string[]): string[] {
  return Object.keys(properties).filter((name) => required.includes(name) || isInSamples(properties[name]));
}

function isInSamples(schema: DescribedSchema): boolean {
  return schema['x-in-samples'] === true;
}
