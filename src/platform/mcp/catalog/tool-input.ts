import { snakeCase } from '../../../kit/internal.js';
import type { HttpBinding } from './http-binding.js';
import type { Operation } from './openapi-operations.js';
import type { Json } from '../protocol/protocol.js';
import type { SchemaInliner } from './schema-inliner.js';

/** Listed only for keys that demand it. */
export const PLAN_TOKEN = 'plan_token';

/** Headers that are arguments of a tool, since agents set no headers. An agent sees no ETag, but reads the version in the body. */
const HEADER_ARGUMENTS: Readonly<Record<string, { argument: string; description: string } | undefined>> = {
  'idempotency-key': {
    argument: 'idempotency_key',
    description: 'Same on a retry.',
  },
  'if-match': {
    argument: 'if_match',
    description: 'Only at this version.',
  },
  'svc-dry-run': {
    argument: 'dry_run',
    description: 'Change nothing.',
  },
  'svc-plan-token': {
    argument: PLAN_TOKEN,
    description: 'From its dry run.',
  },
};

/** The argument of every tool that reads JSON: which members to return. Not sent to the route. */
export const FIELDS = 'fields';
/** Among the names in `fields`: every member. */
export const ALL_FIELDS = '*';
/** The member with which what belongs to a project has its key, beside what the route returns. */
export const PROJECT_KEY = 'project_key';
const FIELDS_SCHEMA = {
  type: 'array',
  items: { type: 'string' },
  description: 'Members; * for all.',
};

/** Path, query, body and header inputs of an operation as one closed object, and the binding back to an HTTP request. */
export function toolInput(operation: Operation, inliner: SchemaInliner): { schema: Json; binding: HttpBinding } {
  const input = new InputObject(operation.route);
  const query: HttpBinding['query'][number][] = [];
  const headers: { argument: string; header: string }[] = [];
  for (const parameter of operation.parameters) {
    const schema = inliner.inline(parameter.schema, 'input');
    if (parameter.description !== undefined) schema['description'] = parameter.description;
    const header = parameter.in === 'header' ? parameter.name.toLowerCase() : undefined;
    if (header === undefined) {
      input.add(parameter.in === 'path' ? snakeCase(parameter.name) : parameter.name, schema, parameter.required, parameter.in);
      if (parameter.in === 'query') query.push(queryParameterOf(parameter));
      continue;
    }
    const known = HEADER_ARGUMENTS[header];
    if (known === undefined) continue;
    input.add(known.argument, { ...schema, description: known.description }, false, 'header');
    headers.push({ argument: known.argument, header });
  }
  const body = addBody(operation, input, inliner);
  if (operation.method === 'GET' && operation.responseSchema) input.add(FIELDS, FIELDS_SCHEMA, false, 'endpoint');
  const binding = { method: operation.method, path: splitPath(operation), query, headers, body };
  return { schema: input.schema(), binding };
}

function queryParameterOf({ name, explode, byDefault }: Operation['parameters'][number]): HttpBinding['query'][number] {
  return byDefault === undefined ? { name, explode } : { name, explode, byDefault };
}

function addBody(operation: Operation, input: InputObject, inliner: SchemaInliner): HttpBinding['body'] {
  const { body } = operation;
  if (body === undefined) return { kind: 'none' };
  const { contentType, required } = body;
  const schema = inliner.inline(body.schema, 'input');
  const object = contentType.includes('json') ? asOneObject(schema) : undefined;
  if (object === undefined) {
    const description = schema['description'] ?? body.description;
    input.add('body', { ...schema, ...(description === undefined ? {} : { description }) }, required, 'body');
    return { kind: 'argument', name: 'body', contentType };
  }
  for (const [name, property] of Object.entries(object.properties)) {
    input.add(name, property, required && object.required.includes(name), 'body');
  }
  return { kind: 'properties', names: Object.keys(object.properties), required, contentType };
}

/**
 * Merges alternative objects into one object with all their properties, because the root of an input must not be a union.
 * A list among the alternatives is shorthand for one of their fields.
 */
function asOneObject(schema: Json): { properties: Record<string, Json>; required: readonly string[] } | undefined {
  const alternatives = ((schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined)?.filter(({ type }) => type !== 'array');
  if (schema['allOf'] !== undefined || alternatives?.length === 0) return undefined;
  if (alternatives === undefined) {
    if (schema['properties'] === undefined) return undefined;
    return {
      properties: schema['properties'] as Record<string, Json>,
      required: (schema['required'] ?? []) as string[],
    };
  }
  const objects = alternatives.map(asOneObject);
  if (!objects.every((object) => object !== undefined)) return undefined;
  const own = (schema['properties'] ?? {}) as Record<string, Json>;
  return {
    properties: Object.assign({}, ...objects.map((object) => object.properties), own) as Record<string, Json>,
    required: [
      ...((schema['required'] ?? []) as string[]),
      ...(objects[0]?.required ?? []).filter((name) => objects.every((object) => object.required.includes(name))),
    ],
  };
}

function splitPath(operation: Operation): string[] {
  // split() with a capture group alternates literals and names.
  const parts = operation.path.split(/\{([^}]+)\}/);
  for (let i = 1; i < parts.length; i += 2) {
    if (!operation.parameters.some((parameter) => parameter.in === 'path' && parameter.name === parts[i])) {
      throw new Error(`The path of ${operation.route} has {${parts[i] as string}}, which is not a declared parameter`);
    }
    parts[i] = snakeCase(parts[i]);
  }
  return parts;
}

class InputObject {
  private readonly route: string;
  private readonly properties = new Map<string, Json>();
  private readonly origins = new Map<string, string>();
  private readonly required: string[] = [];

  constructor(route: string) {
    this.route = route;
  }

  add(name: string, schema: Json, required: boolean, origin: string): void {
    const taken = this.origins.get(name);
    if (taken !== undefined) {
      throw new Error(`Two inputs of ${this.route} are named "${name}": one in the ${taken}, one in the ${origin}`);
    }
    this.origins.set(name, origin);
    this.properties.set(name, schema);
    if (required) this.required.push(name);
  }

  schema(): Json {
    return {
      type: 'object',
      properties: Object.fromEntries(this.properties),
      ...(this.required.length === 0 ? {} : { required: this.required }),
      additionalProperties: false,
    };
  }
}
