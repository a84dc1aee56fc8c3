import type { OpenAPIObject } from '@nestjs/swagger';
import { compileShape, type ArgumentShape } from './argument-validation.js';
import type { HttpBinding } from './http-binding.js';
import { lookupsFor } from './lookup-hint.js';
import { operationsOf, type Operation } from './openapi-operations.js';
import { orError, structureOf } from './output-schema.js';
import type { Json, Tool } from '../protocol/protocol.js';
import { parameterHeaders, type ParameterHeader } from '../protocol/request-headers.js';
import { SchemaInliner } from './schema-inliner.js';
import { toolInput } from './tool-input.js';

const NAME = /^[a-z0-9_]{1,48}$/;

export interface CatalogueTool {
  name: string;
  module: string;
  /** The key must hold all of them. */
  scopes: readonly string[];
  readOnly: boolean;
  title: string;
  /** Of the operation, without what the catalogue adds to make the description. */
  details: string;
  /** With all of its look-ups; see `descriptionFor`. */
  description: string;
  lookups: readonly string[];
  binding: HttpBinding;
  shape: ArgumentShape;
  parameterHeaders: readonly ParameterHeader[];
  /** As listed, serialised once: without its output schema, and with the structure of it. */
  json: string;
  jsonWithOutput: string;
  /** With its whole output schema. */
  definition: Tool;
}

export interface Catalogue {
  /** In listing order: by module, then as the document has them. */
  tools: readonly CatalogueTool[];
  byName: ReadonlyMap<string, CatalogueTool>;
  modules: readonly string[];
}

export interface CatalogueOptions {
  /** Tools are the operations below this path. */
  pathPrefix?: string;
}

export function buildCatalogue(document: OpenAPIObject, options: CatalogueOptions = {}): Catalogue {
  const operations = operationsOf(document, options.pathPrefix ?? '/api/v1/ext/');
  const inliner = new SchemaInliner((document.components?.schemas ?? {}) as Record<string, Json>);
  const byName = new Map<string, CatalogueTool>();
  const places = new Map<string, string>();
  const modules = [...new Set(operations.map((operation) => operation.module))];
  for (const module of modules) {
    const ofModule = operations.filter((candidate) => candidate.module === module);
    for (const operation of ofModule) {
      const taken = places.get(operation.name);
      if (taken !== undefined) throw new Error(`Two tools are named "${operation.name}": ${taken} and ${operation.place}`);
      if (!NAME.test(operation.name)) {
        throw new Error(`The operationId "${operation.name}" of ${operation.place} is no tool name: it must match ${NAME.source}`);
      }
      places.set(operation.name, operation.place);
      byName.set(operation.name, buildTool(operation, inliner, ofModule));
    }
  }
  return { tools: [...byName.values()], byName, modules };
}

function buildTool(operation: Operation, inliner: SchemaInliner, ofModule: readonly Operation[]): CatalogueTool {
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
    shape: compileShape(schema),
    parameterHeaders: parameterHeaders(schema),
    json: JSON.stringify(definition),
    jsonWithOutput: JSON.stringify(output ? withOutput(structureOf(output)) : definition),
    definition: output ? withOutput(output) : definition,
  };
}

/** Names only look-ups that the caller has. */
export function descriptionFor({ description, lookups }: CatalogueTool, visible: ReadonlySet<string>): string {
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
