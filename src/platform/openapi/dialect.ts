import type { OpenAPIObject } from '@nestjs/swagger';

type Json = Record<string, unknown>;

const SCHEMA_KEYS = new Set(['schema', 'items', 'additionalProperties']);
const SCHEMA_MAPS = new Set(['properties', 'schemas']);

/**
 * @nestjs/swagger writes schemas in the manner of OpenAPI 3.0; 3.1 is JSON Schema 2020-12: null is a type, and a schema has
 * `examples`.
 */
export function dialect(document: OpenAPIObject): OpenAPIObject {
  return convert(document, false) as OpenAPIObject;
}

function convert(value: unknown, isSchema: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => convert(item, isSchema));
  if (typeof value !== 'object' || value === null) return value;
  const result: Json = {};
  for (const [key, member] of Object.entries(value)) {
    // examples are data: nothing in them is a schema
    if (key === 'example' || key === 'examples' || key === 'default' || key === 'enum') result[key] = member;
    else if (SCHEMA_MAPS.has(key))
      result[key] = Object.fromEntries(
        Object.entries(member as Json).map(([name, schema]) => [name, withDefaultInWords(convert(schema, true) as Json)]),
      );
    else result[key] = convert(member, SCHEMA_KEYS.has(key) || (isSchema && (key === 'allOf' || key === 'anyOf' || key === 'oneOf')));
  }
  return isSchema ? schemaOf(result) : result;
}

/**
 * A member's default is said in its description: client generators (openapi-typescript among them) make a member that has a
 * `default` one that must be sent.
 */
function withDefaultInWords(schema: Json): Json {
  if (schema.default === undefined) return schema;
  const { default: value, description, ...rest } = schema;
  return {
    ...rest,
    description: `${String(description ?? '')} Default: ${typeof value === 'string' ? value : JSON.stringify(value)}.`.trim(),
  };
}

function schemaOf(schema: Json): Json {
  const { nullable, example, ...rest } = schema;
  if (example !== undefined) rest.examples = [example];
  if (rest.oneOf !== undefined) delete rest.type;
  if (!nullable) return rest;
  if (rest.type !== undefined) {
    rest.type = [rest.type, 'null'].flat();
    if (Array.isArray(rest.enum)) rest.enum = [...(rest.enum as unknown[]), null];
    return rest;
  }
  const { description, examples, ...shape } = rest;
  const target = Array.isArray(shape.allOf) && shape.allOf.length === 1 ? shape.allOf[0] : shape;
  return {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
    anyOf: [target, { type: 'null' }],
  };
}
