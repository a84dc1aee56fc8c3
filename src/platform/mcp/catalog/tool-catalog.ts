import type { OpenAPIObject } from '@nestjs/swagger';
import { compileArgumentSchema, type ArgumentSchema } from './argument-validation.js';
import type { HttpBinding } from './http-binding.js';
import { lookupsFor } from './lookup-hint.js';
import { operationsOf, type Operation } from './openapi-operations.js';
import { orError, structureOf } from './output-schema.js';
import type { Json, Tool } from '../protocol/protocol.js';
import { parameterHeaders, type ParameterHeader } from '../protocol/request-headers.js';
import { SchemaInliner } from './schema-inliner.js';
import { toolInput } from './tool-input.js';

const NAME = /^[a-z0-9_]{1,48}$/;

export interface CatalogTool {
  name: string;
  module: string;
  /** The key needs all of them. */
  scopes: readonly string[];
  readOnly: boolean;
  title: string;
  /** The operation's description alone; `description` also has the title and the lookups. */
  details: string;
  /** With all lookups; see `descriptionFor`. */
  description: string;
  lookups: readonly string[];
  binding: HttpBinding;
  argumentSchema: ArgumentSchema;
  parameterHeaders: readonly ParameterHeader[];
  /** The listed definition, serialized once: without an output schema, and with the reduced one. */
  json: string;
  jsonWithOutput: string;
  /** With the full output schema. */
  definition: Tool;
}

export interface Catalog {
  /** In listing order: by module, then in the order of the document. */
  tools: readonly CatalogTool[];
  byName: ReadonlyMap<string, CatalogTool>;
  modules: readonly string[];
}

export interface CatalogOptions {
  /** Only operations below this path become tools. */
  pathPrefix?: string;
}

export function buildCatalog(document: OpenAPIObject, options: CatalogOptions = {}): Catalog {
  const operations = operationsOf(document, options.pathPrefix ?? '/api/v1/ext/');
  const inliner = new SchemaInliner((document.components?.schemas ?? {}) as Record<string, Json>);
  const byName = new Map<string, CatalogTool>();
  const routes = new Map<string, string>();
  const modules = [...new Set(operations.map((operation) => operation.module))];
  for (const module of modules) {
    const ofModule = operations.filter((candidate) => candidate.module === module);
    for (const operation of ofModule) {
      const taken = routes.get(operation.name);
      if (taken !== undefined) throw new Error(`Two tools are named "${operation.name}": ${taken} and ${operation.route}`);
      if (!NAME.test(operation.name)) {
        throw new Error(`The operationId "${operation.name}" of ${operation.route} is not a tool name: it must match ${NAME.source}`);
      }
      routes.set(operation.name, operation.route);
      byName.set(operation.name, buildTool(operation, inliner, ofModule));
    }
  }
  return { tools: [...byName.values()], byName, modules };
}

function buildTool(operation: Operation, inliner: SchemaInliner, ofModule: readonly Operation[]): CatalogTool {
  const { name, module, method, title } = operation;
  const { schema, binding } = toolInput(operation, inliner);
  const readOnly = method === 'GET';
  const lookups = lookupsFor(operation, schema, ofModule);
  const description = descriptionOf(operation) + lookupSentence(lookups);
  const definition = {
    name,
    title,
    description,
    inputSchema: schema,
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: method === 'DELETE',
      idempotentHint: readOnly || method === 'PUT' || method === 'DELETE',
      openWorldHint: operation.isOpenWorld,
    },
  } as Tool;
  const response = operation.responseSchema && inliner.inline(operation.responseSchema, 'output');
  const output = response?.['type'] === 'object' ? response : undefined;
  const withOutput = (outputSchema: Json): Tool => ({ ...definition, outputSchema: orError(outputSchema) }) as Tool;
  return {
    name,
    module,
    scopes: operation.scopes,
    readOnly,
    title,
    details: operation.details,
    description,
    lookups,
    binding,
    argumentSchema: compileArgumentSchema(schema),
    parameterHeaders: parameterHeaders(schema),
    json: JSON.stringify(definition),
    jsonWithOutput: JSON.stringify(output ? withOutput(structureOf(output)) : definition),
    definition: output ? withOutput(output) : definition,
  };
}

/** The description with only those lookups that the caller may call. */
export function descriptionFor({ description, lookups }: CatalogTool, visible: ReadonlySet<string>): string {
  if (lookups.every((name) => visible.has(name))) return description;
  const base = description.slice(0, description.length - lookupSentence(lookups).length);
  return base + lookupSentence(lookups.filter((name) => visible.has(name)));
}

function lookupSentence(lookups: readonly string[]): string {
  return lookups.length === 0 ? '' : ` Take identifiers from: ${lookups.join(', ')}.`;
}

function descriptionOf(operation: Operation): string {
  const { title, details } = operation;
  const sentence = /[.!?]$/.test(title) ? title : `${title}.`;
  return [...(operation.isDeprecated ? ['Deprecated:'] : []), sentence, ...(details === '' || details === title ? [] : [details])].join(
    ' ',
  );
}
