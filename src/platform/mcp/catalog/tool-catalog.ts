import type { OpenAPIObject } from '@nestjs/swagger';
import { compileArgumentSchema, type ArgumentSchema } from './argument-validation.js';
import { CLEAR, clearSchema, nullableMembers, withoutOptionalNulls, type Clearable } from './clear-argument.js';
import { takeCustomFields, type CustomArgument } from './custom-fields.js';
import type { HttpBinding } from './http-binding.js';
import { Lookups, projectIdsOf, withProjectKeys, type Answer } from './lookup-hint.js';
import { operationsOf, type Operation } from './openapi-operations.js';
import { boundedInput, briefInput, listedInput } from './listed-input.js';
import { isPage, listedOutput, structureOf, textsIn, withLacks } from './output-schema.js';
import type { Json, Tool } from '../protocol/protocol.js';
import { parameterHeaders, type ParameterHeader } from '../protocol/request-headers.js';
import { SchemaInliner } from './schema-inliner.js';
import { recordTree, type RecordTree } from './record-tree.js';
import { PLAN_TOKEN, PROJECT_KEY, toolInput } from './tool-input.js';

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
  /** By argument, such as `lines.item_id`, the tools whose answers contain its ids. */
  idsFrom: ReadonlyMap<string, readonly string[]>;
  /** Where its input has ids of projects, such as `items.project_id`. */
  projectIds: readonly string[];
  /** Only a key that is bound to a member can call it. */
  needsMember: boolean;
  /** The tool that returns all lookups of the module at once. */
  context: Context | undefined;
  binding: HttpBinding;
  argumentSchema: ArgumentSchema;
  /** What the argument `clear` can name; undefined for a tool without it. */
  clearable: Clearable | undefined;
  /** The paths of what the items of a list have unless `fields` names others; undefined for a tool that writes. */
  summary: readonly string[] | undefined;
  /** The paths of texts in the items of a list that a long page shortens. */
  texts: ReadonlySet<string>;
  /** Where its answer has records that belong to projects or name their authors. */
  records: RecordTree | undefined;
  /** The names that the argument `fields` accepts; undefined for any. */
  fields: ReadonlySet<string> | undefined;
  parameterHeaders: readonly ParameterHeader[];
  /** The argument with the token of a plan, if the tool takes one; the listed definitions lack it. */
  planToken: Json | undefined;
  /** Arguments with custom fields, which the listed definitions lack. */
  customFields: readonly CustomArgument[];
  /** The listed definition, serialized once, without an output schema. */
  json: string;
  /** The same without what a listing can do without if it does not fit the budget; undefined if that is nothing. */
  briefJson: string | undefined;
  /** The listed output schema, and how early it is listed where not all fit: lower first. */
  output: { json: string; rank: number } | undefined;
  /** As `describe_tool` returns it: with every bound of the input, and the output schema. */
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

/** The tools of a document, built when they are first needed. */
export function catalogOf(document: { content(): Buffer }): () => Catalog {
  let built: Catalog | undefined;
  return () => (built ??= buildCatalog(JSON.parse(document.content().toString()) as OpenAPIObject));
}

export function buildCatalog(document: OpenAPIObject, options: CatalogOptions = {}): Catalog {
  const operations = operationsOf(document, options.pathPrefix ?? '/api/v1/ext/');
  const inliner = new SchemaInliner((document.components?.schemas ?? {}) as Record<string, Json>);
  const byName = new Map<string, CatalogTool>();
  const routes = new Map<string, string>();
  const modules = [...new Set(operations.map((operation) => operation.module))];
  for (const module of modules) {
    const ofModule = operations.filter((candidate) => candidate.module === module);
    const outputs = new OutputSchemas(ofModule, inliner);
    const lookups = new Lookups(ofModule, (operation) => outputs.read(operation));
    for (const operation of ofModule) {
      const taken = routes.get(operation.name);
      if (taken !== undefined) throw new Error(`Two tools are named "${operation.name}": ${taken} and ${operation.route}`);
      if (!NAME.test(operation.name)) {
        throw new Error(`The operationId "${operation.name}" of ${operation.route} is not a tool name: it must match ${NAME.source}`);
      }
      routes.set(operation.name, operation.route);
      byName.set(operation.name, buildTool(operation, inliner, { context: contextOf(ofModule), lookups, outputs }));
    }
  }
  return { tools: [...byName.values()], byName, modules };
}

interface OfModule {
  context: Context | undefined;
  lookups: Lookups;
  outputs: OutputSchemas;
}

function buildTool(operation: Operation, inliner: SchemaInliner, ofModule: OfModule): CatalogTool {
  const { name, module, method, title } = operation;
  const { schema: whole, binding } = toolInput(operation, inliner);
  const [ofAll, customFields] = takeCustomFields(whole, method === 'GET' ? 'filters' : 'values');
  const clearable = clearableOf(operation, binding, ofAll, customFields);
  const schema = withClear(withoutOptionalNulls(ofAll), clearable, operation);
  const readOnly = method === 'GET';
  const { context, outputs } = ofModule;
  const idsFrom = ofModule.lookups.byArgument(operation, schema);
  const lookups = ofModule.lookups.of(operation, idsFrom);
  const description = descriptionOf(operation) + lookupSentence(lookups, context);
  const annotations = {
    readOnlyHint: readOnly,
    destructiveHint: method === 'DELETE' || method === 'PUT' || operation.isDestructive,
    idempotentHint: readOnly || method === 'PUT' || method === 'DELETE',
    openWorldHint: operation.isOpenWorld,
  };
  const { [PLAN_TOKEN]: planToken, ...others } = schema['properties'] as Record<string, Json | undefined>;
  const ofEveryone = withProjectKeys({ ...schema, properties: withoutDeprecated(others) });
  const listed = { name, title, description, inputSchema: listedInput(ofEveryone), annotations };
  const json = JSON.stringify(listed);
  const briefJson = JSON.stringify({ ...listed, inputSchema: briefInput(ofEveryone) });
  return {
    name,
    module,
    scopes: operation.scopes,
    readOnly,
    title,
    details: operation.details,
    description,
    lookups,
    idsFrom,
    projectIds: projectIdsOf(schema),
    needsMember: operation.needsMember,
    context,
    binding,
    argumentSchema: compileArgumentSchema(clearable ? withArgument(whole, CLEAR, clearSchema(clearable.members)) : whole),
    clearable,
    // the answer to a write is whole, since only tools that read have the argument `fields`
    summary: readOnly ? operation.summary : undefined,
    texts: outputs.textsOf(operation),
    records: outputs.recordsOf(operation),
    fields: outputs.fieldsOf(operation),
    parameterHeaders: parameterHeaders(schema),
    planToken: planToken && listedInput(planToken),
    customFields,
    json,
    briefJson: briefJson === json ? undefined : briefJson,
    output: outputs.listed(operation),
    definition: outputs.describe({ ...listed, inputSchema: boundedInput(ofEveryone) }, operation),
  };
}

/** Old names of arguments stay valid, but nobody needs to learn them. */
function withoutDeprecated(properties: Readonly<Record<string, Json | undefined>>): Record<string, Json | undefined> {
  return Object.fromEntries(Object.entries(properties).filter(([, property]) => property?.['deprecated'] !== true));
}

/** Only a tool that changes a record can empty its members: in the others, null is the same as leaving a member out. */
function clearableOf(
  { method, isDestructive }: Operation,
  { body }: HttpBinding,
  schema: Json,
  customFields: readonly CustomArgument[],
): Clearable | undefined {
  if (method !== 'PATCH' || isDestructive || body.kind !== 'properties') return undefined;
  const members = nullableMembers(schema, body.names);
  const custom = customFields.find(({ path }) => path.length === 2)?.path[1];
  return members.length === 0 && custom === undefined ? undefined : { members, customFields: custom };
}

function withClear(schema: Json, clearable: Clearable | undefined, { route }: Operation): Json {
  const properties = schema['properties'] as Json;
  if (clearable === undefined) return schema;
  if (CLEAR in properties) throw new Error(`An input of ${route} is named "${CLEAR}", as is the argument that names what to empty`);
  if (clearable.members.length === 0) return schema;
  return withArgument(schema, CLEAR, clearSchema(clearable.members));
}

function withArgument(schema: Json, name: string, argument: Json): Json {
  return { ...schema, properties: { ...(schema['properties'] as Json), [name]: argument } };
}

/** The output schemas of a module's tools. */
class OutputSchemas {
  private readonly answers = new Map<Operation, Answer>();
  /** By resource, the tool whose schema says first what it consists of. */
  private readonly sources = new Map<string, string>();

  constructor(
    ofModule: readonly Operation[],
    private readonly inliner: SchemaInliner,
  ) {
    for (const operation of ofModule.filter(isRead)) {
      const { resource } = this.read(operation);
      if (resource && !this.sources.has(JSON.stringify(resource))) this.sources.set(JSON.stringify(resource), operation.name);
    }
  }

  /** Tools that read a record come first, then lists, then other reads; the answer of a write is mostly what a read answers. */
  listed(operation: Operation): CatalogTool['output'] {
    const { response, resource } = this.read(operation);
    if (!response) return undefined;
    const isSource = this.sources.get(JSON.stringify(resource)) === operation.name;
    const rank = operation.method !== 'GET' ? 3 : isSource ? 0 : isPage(response) ? 1 : 2;
    return { json: JSON.stringify(this.withLacks(listedOutput(structureOf(response), operation.summary), operation)), rank };
  }

  /** A definition with the output schema, if there is one. */
  describe(definition: Json, operation: Operation): Tool {
    const { response } = this.read(operation);
    if (!response) return definition as unknown as Tool;
    return { ...definition, outputSchema: this.withLacks(structureOf(response), operation) } as unknown as Tool;
  }

  /** Of a list that is read, the texts of its items. */
  textsOf(operation: Operation): ReadonlySet<string> {
    const { response, resource } = this.read(operation);
    return new Set(operation.method === 'GET' && isPage(response) && resource ? textsIn(resource) : []);
  }

  recordsOf(operation: Operation): RecordTree | undefined {
    const { response } = this.read(operation);
    return response && recordTree(response);
  }

  private withLacks(schema: Json, operation: Operation): Json {
    return withLacks(schema, operation.summary, this.textsOf(operation));
  }

  /** The members of the object or of the list's items; undefined if the schema does not name them. */
  fieldsOf(operation: Operation): ReadonlySet<string> | undefined {
    const { response, resource } = this.read(operation);
    const object = isPage(response) ? resource : response;
    if (object?.['properties'] === undefined || object['additionalProperties'] === true) return undefined;
    return new Set(Object.keys(object['properties'] as Json));
  }

  read(operation: Operation): Answer {
    let answer = this.answers.get(operation);
    if (!answer) this.answers.set(operation, (answer = this.readAnew(operation)));
    return answer;
  }

  /** Only a JSON object can be structured content. The resource of a list is its item. */
  private readAnew({ responseSchema }: Operation): Answer {
    const whole = responseSchema && this.inliner.inline(responseSchema, 'output');
    if (whole?.['type'] !== 'object') return {};
    const response = withProjectKey(whole);
    const { data } = (response['properties'] ?? {}) as Record<string, Json | undefined>;
    return { response, resource: (data?.['items'] as Json | undefined) ?? response };
  }
}

/** What a tool answers beside what the route does: each record of a project has the key of the project. */
function withProjectKey(schema: Json): Json {
  const { properties, items } = schema as { properties?: Record<string, Json>; items?: Json };
  if (items) return { ...schema, items: withProjectKey(items) };
  if (properties === undefined) return schema;
  const inner = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, withProjectKey(member)]));
  const key = 'project_id' in properties ? { [PROJECT_KEY]: { type: 'string', description: 'Key of the project.' } } : {};
  return { ...schema, properties: { ...inner, ...key } };
}

function isRead({ method, path }: Operation): boolean {
  return method === 'GET' && path.endsWith('}');
}

function contextOf(ofModule: readonly Operation[]): Context | undefined {
  const found = ofModule.find(({ context }) => context.length > 0);
  return found && { name: found.name, covers: new Set(found.context) };
}

/** Of a key for which `needsMember` is not met: its tools are those of its scopes, so the tool is listed all the same. */
const NO_MEMBER = ' This key has no member, so the call fails.';

/** What a description depends on. */
export interface DescribedFor {
  visible: ReadonlySet<string>;
  hasMember: boolean;
}

/** The description with only those lookups that the caller may call. */
export function descriptionFor(tool: CatalogTool, { visible, hasMember }: DescribedFor): string {
  const { description, lookups, context } = tool;
  const seesAll = (context === undefined || visible.has(context.name)) && lookups.every((name) => visible.has(name));
  const base = () => description.slice(0, description.length - lookupSentence(lookups, context).length);
  const seen = lookups.filter((name) => visible.has(name));
  const seenContext = context && visible.has(context.name) ? context : undefined;
  return (seesAll ? description : base() + lookupSentence(seen, seenContext)) + (tool.needsMember && !hasMember ? NO_MEMBER : '');
}

/** Names the context instead of several lookups that it contains. */
function lookupSentence(all: readonly string[], context: Context | undefined): string {
  const covered = all.filter((name) => context?.covers.has(name));
  const others = all.filter((name) => !covered.includes(name) && name !== context?.name);
  const lookups = context && covered.length > 1 ? [context.name, ...others] : all;
  return lookups.length === 0 ? '' : ` Ids from ${lookups.join(', ')}.`;
}

function descriptionOf(operation: Operation): string {
  const { title, details } = operation;
  const sentence = /[.!?]$/.test(title) ? title : `${title}.`;
  return [...(operation.isDeprecated ? ['Deprecated:'] : []), sentence, ...(details === '' || details === title ? [] : [details])].join(
    ' ',
  );
}
