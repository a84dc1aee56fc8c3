import type { OpenAPIObject } from '@nestjs/swagger';

type Json = Record<string, unknown>;

const SCHEMA_KEYS = new Set(['schema', 'items', 'additionalProperties']);
const SCHEMA_MAPS = new Set(['properties', 'schemas']);

/**
 * @nestjs/swagger writes schemas as in OpenAPI 3.0. OpenAPI 3.1 uses JSON Schema 2020-12, where null is a type and a schema has
 * `examples`.
 */
export function toOpenApi31(document: OpenAPIObject): OpenAPIObject {
  return convert(document, false) as OpenAPIObject;
}

function convert(value: unknown, isSchema: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => convert(item, isSchema));
  if (typeof value !== 'object' || value === null) return value;
  const result: Json = {};
  for (const [key, member] of Object.entries(value)) {
    // examples are data and contain no schemas
    if (key === 'example' || key === 'examples' || key === 'default' || key === 'enum') result[key] = member;
    else if (SCHEMA_MAPS.has(key))
      result[key] = Object.fromEntries(
        Object.entries(member as Json).map(([name, schema]) => [name, withDefaultInDescription(convert(schema, true) as Json)]),
      );
    else result[key] = convert(member, SCHEMA_KEYS.has(key) || (isSchema && (key === 'allOf' || key === 'anyOf' || key === 'oneOf')));
  }
  return isSchema ? schemaOf(result) : result;
}

/**
 * Moves a property's default into its description: client generators such as openapi-typescript treat a property with a `default`
 * as required.
 */
function withDefaultInDescription(schema: Json): Json {
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
  const { description, examples, ...bare } = rest;
  const target = Array.isArray(bare.allOf) && bare.allOf.length === 1 ? bare.allOf[0] : bare;
  return {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
    anyOf: [target, { type: 'null' }],
  };
}
