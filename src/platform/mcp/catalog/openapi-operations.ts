import type { OpenAPIObject } from '@nestjs/swagger';
import type { Json } from '../protocol/protocol.js';
import { doneSchema } from './done-schema.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  description: string | undefined;
  required: boolean;
  explode: boolean;
  schema: Json;
  /** What the tool sends if the agent sends nothing. */
  byDefault: unknown;
}

interface RequestBody {
  contentType: string;
  required: boolean;
  description: string | undefined;
  schema: Json;
}

/** What a tool needs to know of one keyed operation of the OpenAPI document. */
export interface Operation {
  name: string;
  /** Its tag, or the first segment of its path. */
  module: string;
  method: string;
  path: string;
  /** For error messages: `POST /api/v1/ext/tasks`. */
  route: string;
  scopes: readonly string[];
  title: string;
  details: string;
  parameters: readonly Parameter[];
  body: RequestBody | undefined;
  /** Schema of the 2xx response, or of what a tool answers where it has no body; absent when it may be something else than JSON. */
  responseSchema: Json | undefined;
  isDeprecated: boolean;
  isDestructive: boolean;
  isOpenWorld: boolean;
  /** Only a key that is bound to a member can call it. */
  needsMember: boolean;
  /** The paths of the members of a list's items that it returns unless others are named; empty if the resource declares none. */
  summary: readonly string[];
  /** The operations whose first items this one returns together. */
  context: readonly string[];
}

export function operationsOf(document: OpenAPIObject, pathPrefix: string): Operation[] {
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    if (!path.startsWith(pathPrefix)) continue;
    for (const method of METHODS) {
      const source = (item as unknown as Record<string, Json | undefined>)[method];
      const scopes = source && requiredScopes(source);
      if (source === undefined || scopes === undefined || isEventStream(source)) continue;
      operations.push(readOperation(document, { path, method: method.toUpperCase(), source, scopes, item: item as Json, pathPrefix }));
    }
  }
  return operations;
}

/** An answer that does not end is no result of a tool. */
function isEventStream({ responses }: Json): boolean {
  return Object.values((responses ?? {}) as Record<string, { content?: object }>).some(
    ({ content }) => content !== undefined && 'text/event-stream' in content,
  );
}

function requiredScopes(operation: Json): string[] | undefined {
  const alternatives = (operation['security'] ?? []) as Record<string, string[]>[];
  return alternatives.find((alternative) => 'apiKey' in alternative)?.['apiKey'];
}

interface Source {
  path: string;
  method: string;
  source: Json;
  scopes: string[];
  item: Json;
  pathPrefix: string;
}

function readOperation(document: OpenAPIObject, { path, method, source, scopes, item, pathPrefix }: Source): Operation {
  const route = `${method} ${path}`;
  const name = source['operationId'];
  if (typeof name !== 'string') throw new Error(`${route} has no operationId`);
  const declared = [...((item['parameters'] ?? []) as Json[]), ...((source['parameters'] ?? []) as Json[])]
    .map((parameter) => readParameter(dereference(document, parameter), route))
    .filter((parameter) => parameter.in !== 'cookie');
  // An operation's parameter replaces that of the path item with the same name and location.
  const parameters = new Map(declared.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
  const details = String(source['description'] ?? '').trim();
  const responseSchema = readResponse(document, method, source);
  return {
    name,
    module: ((source['tags'] ?? []) as string[])[0] ?? (path.slice(pathPrefix.length).split('/', 1)[0] as string),
    method,
    path,
    route,
    scopes,
    title: String(source['summary'] ?? '').trim() || name,
    details,
    parameters: [...parameters.values()],
    body: readBody(document, source, route),
    responseSchema,
    isDeprecated: source['deprecated'] === true,
    isDestructive: source['x-destructive'] === true,
    isOpenWorld: source['x-open-world'] === true,
    needsMember: source['x-requires-actor'] === true,
    summary: readSummary(document, responseSchema),
    context: (source['x-context'] ?? []) as string[],
  };
}

function readParameter(parameter: Json, route: string): Parameter {
  const schema = parameter['schema'] as Json | undefined;
  if (schema === undefined) throw new Error(`The parameter ${String(parameter['name'])} of ${route} has no schema`);
  return {
    name: String(parameter['name']),
    in: parameter['in'] as Parameter['in'],
    description: parameter['description'] as string | undefined,
    required: parameter['required'] === true,
    explode: parameter['explode'] !== false,
    schema,
    byDefault: parameter['x-tool-default'],
  };
}

function readBody(document: OpenAPIObject, operation: Json, route: string): RequestBody | undefined {
  if (operation['requestBody'] === undefined) return undefined;
  const body = dereference(document, operation['requestBody'] as Json);
  const content = (body['content'] ?? {}) as Record<string, { schema?: Json }>;
  const contentType = Object.keys(content).find(isJson) ?? Object.keys(content).find((type) => type.startsWith('text/'));
  if (contentType === undefined) throw new Error(`The request body of ${route} is neither JSON nor text, so no tool can send it`);
  return {
    contentType,
    required: body['required'] === true,
    description: body['description'] as string | undefined,
    schema: content[contentType]?.schema ?? {},
  };
}

function readResponse(document: OpenAPIObject, method: string, operation: Json): Json | undefined {
  const successes = Object.entries((operation['responses'] ?? {}) as Record<string, Json>)
    .filter(([status]) => /^2/.test(status))
    .map(([, response]) => dereference(document, response)['content'] as Record<string, { schema?: Json }> | undefined);
  if (successes.length > 0 && successes.every((content) => content === undefined)) return doneSchema(method);
  const schemas = successes.map((content) => content && Object.entries(content).find(([type]) => isJson(type))?.[1].schema);
  // Clients reject a result without structuredContent from a tool that has an output schema.
  return schemas.includes(undefined) ? undefined : schemas[0];
}

function readSummary(document: OpenAPIObject, responseSchema: Json | undefined): string[] {
  const { properties } = (responseSchema ? dereference(document, responseSchema) : {}) as { properties?: { data?: Json } };
  return (properties?.data?.['x-summary'] ?? []) as string[];
}

function isJson(contentType: string): boolean {
  return /^application\/([\w.-]+\+)?json/.test(contentType);
}

function dereference(document: OpenAPIObject, value: Json): Json {
  const reference = value['$ref'];
  if (typeof reference !== 'string') return value;
  let target: unknown = document;
  for (const segment of reference.replace(/^#\//, '').split('/')) target = (target as Json | undefined)?.[segment];
  if (target === undefined) throw new Error(`${reference} does not exist`);
  return target as Json;
}
