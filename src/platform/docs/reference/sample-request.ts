import type { ReferenceOperation } from './model.js';
import type { DescribedSchema, Schemas } from './schemas.js';

/** What the samples of an operation send. */
export interface SampleRequest {
  path: Record<string, string>;
  query: Record<string, string>;
  /** JSON, or the text of a file. */
  body: { type: string; value: unknown } | null;
}

const ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60';
/** A change has no required members, so a sample shows as many. */
const MOST_CHANGES = 2;

/** Lists of a calendar need a period in most cases. */
const PERIOD = ['from', 'to'];

/** The shortest useful request: what is required, and of a change the first members. */
export function sampleRequest(operation: ReferenceOperation, schemas: Schemas): SampleRequest {
  const { parameters, bodies, method } = operation;
  const text = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value));
  const valuesOf = (kind: 'path' | 'query', all: boolean) =>
    Object.fromEntries(
      parameters[kind]
        .filter(({ required }) => all || required)
        .map(({ name, schema }) => [name, text(schemas.example(schema as DescribedSchema) ?? ID)] as const)
        .map(([name, value]) => [name, value === 'text' ? ID : value]),
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
          value: body.type === 'application/json' ? shortBody(body, schemas, method) : fileOf(body.schema, schemas),
        }
      : null,
  };
}

function fileOf(schema: DescribedSchema, schemas: Schemas): string {
  return String(schemas.example(schema) ?? '');
}

function shortBody({ schema, isRequired }: ReferenceOperation['bodies'][number], schemas: Schemas, method: string): unknown {
  const { properties, required } = schemas.members(schema);
  const isPlain = (name: string) => {
    const { schema: found } = schemas.resolve(properties[name]);
    const kinds = [found.type].flat();
    return !/(^|_)(ids?|version|position)$/.test(name) && !kinds.includes('object') && !kinds.includes('array');
  };
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  // where alternatives are required, one of them is enough
  const others = [...optional.filter(isPlain), ...optional].slice(0, method === 'PATCH' ? MOST_CHANGES : 1);
  const shown = required.length > 0 ? required : isRequired ? others : [];
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
  return Object.fromEntries(required.map((name) => [name, shortValue(properties[name], schemas)]));
}
