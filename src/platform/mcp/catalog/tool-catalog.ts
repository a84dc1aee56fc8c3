import type { OpenAPIObject } from '@nestjs/swagger';
import { compileArgumentSchema, type ArgumentSchema } from './argument-validation.js';
import { takeCustomFields, type CustomArgument } from './custom-fields.js';
import type { HttpBinding } from './http-binding.js';
import { lookupsFor } from './lookup-hint.js';
import { operationsOf, type Operation } from './openapi-operations.js';
import { boundedInput, listedInput, SharedDescriptions } from './listed-input.js';
import { isPage, listedStructure, pageOf, referenceTo, structureOf } from './output-schema.js';
import type { Json, Tool } from '../protocol/protocol.js';
import { parameterHeaders, type ParameterHeader } from '../protocol/request-headers.js';
import { SchemaInliner } from './schema-inliner.js';
import { PROJECT_KEY, toolInput } from './tool-input.js';

const NAME = /^[a-z0-9_]{1,48}$/;

interface Context {
  name: string;
  covers: ReadonlySet<string>;
}

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
  /** The tool that returns all lookups of the module at once. */
  context: Context | undefined;
  binding: HttpBinding;
  argumentSchema: ArgumentSchema;
  /** The paths of what the items of a list have unless `fields` names others. */
  summary: readonly string[];
  /** The names that the argument `fields` accepts; undefined for any. */
  fields: ReadonlySet<string> | undefined;
  parameterHeaders: readonly ParameterHeader[];
  /** The tools whose arguments the listed input refers to. */
  sources: ReadonlySet<string>;
  /** Arguments with custom fields, which the listed definitions lack. */
  customFields: readonly CustomArgument[];
  /** The listed input without such references. */
  ownInput: Json;
  /** The listed definition, serialized once: without and with an output schema. */
  json: string;
  jsonWithOutput: string;
  /** With every bound of the input; the output schema is the listed one. */
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
    const texts: ModuleTexts = { outputs: new OutputSchemas(ofModule, inliner), inputs: new SharedDescriptions() };
    for (const operation of ofModule) {
      const taken = routes.get(operation.name);
      if (taken !== undefined) throw new Error(`Two tools are named "${operation.name}": ${taken} and ${operation.route}`);
      if (!NAME.test(operation.name)) {
        throw new Error(`The operationId "${operation.name}" of ${operation.route} is not a tool name: it must match ${NAME.source}`);
      }
      routes.set(operation.name, operation.route);
      byName.set(operation.name, buildTool(operation, inliner, ofModule, texts));
    }
  }
  return { tools: [...byName.values()], byName, modules };
}

/** What the listings of a module say once. */
interface ModuleTexts {
  outputs: OutputSchemas;
  inputs: SharedDescriptions;
}

function buildTool(
  operation: Operation,
  inliner: SchemaInliner,
  ofModule: readonly Operation[],
  { outputs, inputs }: ModuleTexts,
): CatalogTool {
  const { name, module, method, title } = operation;
  const { schema: whole, binding } = toolInput(operation, inliner);
  const [schema, customFields] = takeCustomFields(whole, method === 'GET' ? 'filters' : 'values');
  const readOnly = method === 'GET';
  const lookups = lookupsFor(operation, schema, ofModule);
  const context = contextOf(ofModule);
  const description = descriptionOf(operation) + lookupSentence(lookups, context);
  const annotations = {
    readOnlyHint: readOnly,
    destructiveHint: method === 'DELETE' || method === 'PUT' || operation.isDestructive,
    // false is the default, and the hint means nothing for a tool that only reads
    ...(method === 'PUT' || method === 'DELETE' ? { idempotentHint: true } : {}),
    openWorldHint: operation.isOpenWorld,
  };
  const outputSchema = outputs.of(operation);
  const ownInput = listedInput(schema, operation);
  const shared = inputs.share(ownInput, operation);
  const listed = { name, title, description, inputSchema: shared.schema, annotations };
  return {
    name,
    module,
    scopes: operation.scopes,
    readOnly,
    title,
    details: operation.details,
    description,
    lookups,
    context,
    binding,
    argumentSchema: compileArgumentSchema(whole),
    // the answer to a write is whole, since only tools that read have the argument `fields`
    summary: readOnly ? operation.summary : [],
    fields: outputs.fieldsOf(operation),
    parameterHeaders: parameterHeaders(schema),
    sources: shared.sources,
    customFields,
    ownInput,
    json: JSON.stringify(listed),
    jsonWithOutput: JSON.stringify({ ...listed, ...(outputSchema && { outputSchema: listedStructure(outputSchema) }) }),
    definition: { ...listed, inputSchema: boundedInput(schema), ...(outputSchema && { outputSchema }) } as Tool,
  };
}

/**
 * The output schemas of a module's tools. The fields of a resource are listed once, by the tool that reads one or else by
 * the first one; other tools that return the resource refer to that one. So are the fields of a page, by the first list.
 */
class OutputSchemas {
  private readonly sources = new Map<string, string>();
  private readonly firstPage: string | undefined;

  constructor(
    ofModule: readonly Operation[],
    private readonly inliner: SchemaInliner,
  ) {
    const reads = ofModule.filter(({ method, path }) => method === 'GET' && path.endsWith('}'));
    for (const operation of new Set([...reads, ...ofModule])) {
      const { resource } = this.read(operation);
      if (resource && !this.sources.has(JSON.stringify(resource))) this.sources.set(JSON.stringify(resource), operation.name);
    }
    this.firstPage = ofModule.find((operation) => isPage(this.read(operation).response))?.name;
  }

  of(operation: Operation): Json | undefined {
    const { response, resource } = this.read(operation);
    if (!response) return undefined;
    const structure = structureOf(response);
    const source = resource && this.sources.get(JSON.stringify(resource));
    const referred = source === operation.name ? undefined : source;
    if (resource === response) return referred === undefined ? structure : referenceTo(referred);
    const properties = structure['properties'] as Json;
    const data = referred === undefined ? properties['data'] : { type: 'array', items: referenceTo(referred) };
    if (isPage(response) && this.firstPage !== operation.name) return pageOf(this.firstPage as string, data as Json);
    return { ...structure, properties: { ...properties, data } };
  }

  /** The members of the object or of the list's items; undefined if the schema does not name them. */
  fieldsOf(operation: Operation): ReadonlySet<string> | undefined {
    const { response, resource } = this.read(operation);
    const object = isPage(response) ? resource : response;
    if (object?.['properties'] === undefined || object['additionalProperties'] === true) return undefined;
    const names = Object.keys(object['properties'] as Json);
    return new Set(isPage(response) && names.includes('project_id') ? [...names, PROJECT_KEY] : names);
  }

  /** Only a JSON object can be structured content. The resource of a list is its item. */
  private read({ responseSchema }: Operation): { response?: Json; resource?: Json } {
    const response = responseSchema && this.inliner.inline(responseSchema, 'output');
    if (response?.['type'] !== 'object') return {};
    const data = (response['properties'] as Record<string, Json> | undefined)?.['data'];
    return { response, resource: (data?.['items'] as Json | undefined) ?? response };
  }
}

function contextOf(ofModule: readonly Operation[]): Context | undefined {
  const found = ofModule.find(({ context }) => context.length > 0);
  return found && { name: found.name, covers: new Set(found.context) };
}

/** The description with only those lookups that the caller may call. */
export function descriptionFor({ description, lookups, context }: CatalogTool, visible: ReadonlySet<string>): string {
  if ((context === undefined || visible.has(context.name)) && lookups.every((name) => visible.has(name))) return description;
  const base = description.slice(0, description.length - lookupSentence(lookups, context).length);
  const seen = lookups.filter((name) => visible.has(name));
  return base + lookupSentence(seen, context && visible.has(context.name) ? context : undefined);
}

/** Names the context instead of several lookups that it contains. */
function lookupSentence(all: readonly string[], context: Context | undefined): string {
  const covered = all.filter((name) => context?.covers.has(name));
  const lookups = context && covered.length > 1 ? [context.name, ...all.filter((name) => !covered.includes(name))] : all;
  return lookups.length === 0 ? '' : ` Take identifiers from: ${lookups.join(', ')}.`;
}

function descriptionOf(operation: Operation): string {
  const { title, details } = operation;
  const sentence = /[.!?]$/.test(title) ? title : `${title}.`;
  return [...(operation.isDeprecated ? ['Deprecated:'] : []), sentence, ...(details === '' || details === title ? [] : [details])].join(
    ' ',
  );
}
