import type { OpenAPIObject } from '@nestjs/swagger';
import { CommonErrors } from '../../../kit/index.js';
import { pascalCase } from '../../../kit/internal.js';
import { resolved, type ApiDocument, type ApiOperation, type ApiResponse, type Parameter } from '../../client/api-document.js';
import { methodsOf, type ClientMethod } from '../../client/client-operations.js';
import { operationsOf, placesOf, type NamedOperation } from '../../client/names.js';
import type { CatalogedError, ModuleRegistry } from '../../registry/module-registry.js';
import type { Route } from '../../registry/route-registry.js';
import { DRY_RUN } from '../../http/validation/request-headers.js';
import { PLATFORM_TAG } from '../../openapi/webhooks.js';
import { operationsOf as toolOperationsOf } from '../../mcp/catalog/openapi-operations.js';
import type { Catalog } from '../../mcp/catalog/tool-catalog.js';
import type { SampleIds } from './sample-ids.js';
import { collectionOf, membersPath, memberTwinsOf, modulePath } from './addresses.js';
import { SampleValues, type ArgumentValues } from './sample-values.js';
import { Schemas, type DescribedSchema } from './schemas.js';

const KEYED = '/api/v1/ext/';
const PRODUCT = '/api/v1/org/';

/** The reference, read from the OpenAPI documents of the routes for keys and for members. */
export interface Reference {
  baseUrl: string;
  /** The largest body of operations that name no other size, in bytes. */
  bodyLimit: number;
  schemas: Schemas;
  /** Those of the operations of members. */
  memberSchemas: Schemas;
  modules: readonly ReferenceModule[];
  events: readonly ReferenceEvent[];
  /** The address of each operation. */
  operationPaths: ReadonlyMap<string, string>;
  /** The pages that describe an object, by the name of its schema. */
  objectPaths: ReadonlyMap<string, string>;
  errors: readonly CatalogedError[];
}

export interface ReferenceModule {
  name: string;
  title: string;
  path: string;
  guide: string;
  resources: readonly ReferenceResource[];
  /** The operations that only signed-in members can call. */
  members: readonly ReferenceResource[];
}

/** The operations below one path, and the object that they return. */
export interface ReferenceResource {
  title: string;
  path: string;
  object: string | null;
  operations: readonly ReferenceOperation[];
}

export interface ReferenceOperation {
  id: string;
  method: string;
  path: string;
  title: string;
  description: string;
  isDeprecated: boolean;
  /** What members need, of an operation that takes no key; null for one that takes keys. */
  permissions: readonly string[] | null;
  /** Whether agents can call it. */
  isTool: boolean;
  scope: string;
  scopeText: string;
  /** Of the bound member, for scopes that act in the name of people. */
  keyPermission: string | null;
  /** Where signed-in members call the same. */
  member: { path: string; permissions: readonly string[] } | null;
  parameters: Record<'path' | 'query' | 'header', Parameter[]>;
  bodies: readonly { type: string; schema: DescribedSchema; isRequired: boolean }[];
  answers: readonly { status: string; description: string; type: string | null; schema: DescribedSchema | null }[];
  /** Those of the operation alone, then the codes that others share. */
  errors: { own: readonly OwnError[]; general: readonly OwnError[] };
  methods: readonly ClientMethod[];
  /** The names of the events that it can emit. */
  emits: readonly string[];
  /** The largest body in bytes; null if it is that of most operations. */
  bodyLimit: number | null;
  /** The largest size of all its files together, in bytes; null if it takes none. */
  fileLimit: number | null;
  flags: { isDestructive: boolean; isOpenWorld: boolean; needsActor: boolean };
  /** What samples send for arguments that depend on records. */
  sampleValues: ArgumentValues;
  /** What the record of the operation must be like, and the arguments that depend on it. */
  conditions: { fits: Readonly<Record<string, unknown>>; sends: readonly string[] };
}

interface OwnError {
  code: string;
  status: string;
  text: string;
  anchor: string;
}

export interface ReferenceEvent {
  name: string;
  module: string;
  description: string;
  schema: DescribedSchema;
  object: string | null;
}

const DRY_RUN_ANSWER = `With \`${DRY_RUN}: true\`: what the call would do, see [Dry runs and plans](/docs/guides/dry-runs)`;

const RATE_LIMITED = CommonErrors.rateLimited.spec.code;

/** An error that as large a part of the operations has is explained once, in the guide. */
const GENERAL = 0.2;

export function readReference(
  document: ApiDocument,
  memberDocument: ApiDocument,
  modules: Pick<ModuleRegistry, 'manifests' | 'errors'>,
  routes: readonly Route[],
  { baseUrl, bodyLimit, sampleIds, catalog }: Pick<Reference, 'baseUrl' | 'bodyLimit'> & { sampleIds: SampleIds; catalog: () => Catalog },
): Reference {
  const operations = operationsOf(document);
  // without ids, the tools may not be needed at all
  const values = new SampleValues(sampleIds.size === 0 ? [] : catalog().tools, sampleIds);
  const schemas = new Schemas(document);
  const memberSchemas = new Schemas(memberDocument);
  const described = operationReader(document, modules, routes, { operations, values });
  const shared = memberTwinsOf(routes);
  const memberOperations = operationsOf(memberDocument);
  const describedForMembers = operationReader(memberDocument, modules, routes, { operations: memberOperations, values });
  const referenceModules = modules.manifests.flatMap(({ name, title, prefix, guide }): ReferenceModule[] => {
    const own = operations.filter(({ operation }) => operation.tags[0] === name);
    if (own.length === 0) return [];
    const path = modulePath(prefix);
    // a module with one resource of its own name has it at its own path
    const groups = Map.groupBy(own, ({ path: route }) => collectionOf(route));
    const resources = [...groups].map(([collection, members]) => resourceOf(collection || prefix, path, members.map(described), schemas));
    // what writers look up stands after what they write
    const rank = ({ operations: all }: ReferenceResource) => (all.some(({ method }) => method !== 'GET') ? 0 : 1);
    const ofMembers = memberOperations.filter(
      ({ operation }) => operation.tags[0] === name && !shared.has(operation.operationId) && operation.deprecated !== true,
    );
    const members = [...Map.groupBy(ofMembers, ({ path: route }) => collectionOf(route) || prefix)].map(([collection, own]) => ({
      title: `${titleOf(collection)}, for members`,
      path: membersPath(prefix, collection),
      object: null,
      operations: own.map(describedForMembers),
    }));
    return [{ name, title, path, guide, resources: resources.sort((one, other) => rank(one) - rank(other)), members }];
  });
  const resources = referenceModules.flatMap((module) => module.resources);
  const pages = [...resources, ...referenceModules.flatMap(({ members }) => members)];
  const objectPaths = new Map<string, string>();
  for (const { object, path } of resources) if (object !== null && !objectPaths.has(object)) objectPaths.set(object, `${path}#object`);
  return {
    baseUrl,
    bodyLimit,
    schemas,
    memberSchemas,
    modules: referenceModules,
    events: eventsOf(document, schemas),
    operationPaths: new Map(pages.flatMap(({ path, operations: all }) => all.map(({ id }) => [id, `${path}#${id}`] as const))),
    objectPaths,
    errors: modules.errors,
  };
}

function operationReader(
  document: ApiDocument,
  modules: Pick<ModuleRegistry, 'manifests' | 'errors'>,
  routes: readonly Route[],
  { operations, values }: { operations: readonly NamedOperation[]; values: SampleValues },
): (named: NamedOperation) => ReferenceOperation {
  // the client has methods for keys alone
  const places = placesOf(operations.filter(({ path }) => !path.startsWith(PRODUCT)));
  const errorsOf = sharedErrors(document, operations, modules);
  const tools = new Set(toolOperationsOf(document as unknown as OpenAPIObject, KEYED).map(({ name }) => name));
  return (named) => {
    const { method, path, operation } = named;
    const route = routes.find((one) => one.path === path && one.method === method.toUpperCase());
    const memberPath = route?.endpoint?.member?.path ?? path.replace('/ext/', '/org/');
    const member = route?.endpoint?.member && { path: memberPath, permissions: [route.endpoint.member.permission ?? []].flat() };
    const scope = (operation as { security?: { apiKey?: string[] }[] }).security?.[0]?.apiKey?.[0] ?? '';
    const manifest = modules.manifests.find(({ name }) => name === operation.tags[0]);
    const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter));
    const ofKind = (kind: string) => parameters.filter(({ in: where }) => where === kind);
    const place = places.get(named);
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      title: operation.summary ?? operation.operationId,
      description: operation.description === operation.summary ? '' : (operation.description ?? ''),
      isDeprecated: operation.deprecated === true,
      permissions: route?.plane === 'product' ? [route.endpoint?.permission ?? []].flat() : null,
      isTool: tools.has(operation.operationId),
      scope,
      scopeText: manifest?.scopes[scope] ?? '',
      keyPermission: manifest?.scopePermissions?.[scope] ?? null,
      member: member ?? null,
      parameters: { path: ofKind('path'), query: ofKind('query'), header: ofKind('header') },
      bodies: Object.entries(operation.requestBody?.content ?? {}).map(([type, { schema }]) => ({
        type,
        schema: schema as DescribedSchema,
        isRequired: operation.requestBody?.required === true,
      })),
      answers: answersOf(document, operation, ofKind('header')),
      errors: errorsOf(operation, route),
      methods: place ? methodsOf(document, named, place) : [],
      emits: (route?.endpoint?.emits ?? []).filter(({ internal }) => internal !== true).map(({ name }) => name),
      bodyLimit: route?.endpoint?.bodyLimit ?? null,
      fileLimit: route?.endpoint?.files?.bytes ?? null,
      flags: {
        isDestructive: 'x-destructive' in operation || method === 'delete',
        isOpenWorld: 'x-open-world' in operation,
        needsActor: route?.endpoint?.requiresActor === true,
      },
      sampleValues: values.of({ id: operation.operationId, module: operation.tags[0] ?? '', path }),
      conditions: {
        fits: manifest?.demo?.fits?.[operation.operationId] ?? {},
        sends: Object.keys(manifest?.demo?.sends?.[operation.operationId] ?? {}),
      },
    };
  };
}

function resourceOf(collection: string, modulePath: string, operations: ReferenceOperation[], schemas: Schemas): ReferenceResource {
  const title = titleOf(collection);
  // the one that most operations return; at the path of the resource itself first
  const returned = operations.flatMap(({ answers, method, path }) =>
    answers.flatMap(({ schema }) => {
      const name = schema && itemName(schema, schemas);
      return name ? [{ name, weight: (path.endsWith('}') && method === 'GET' ? 3 : 1) / path.split('/').length }] : [];
    }),
  );
  const weights = Map.groupBy(returned, ({ name }) => name);
  const sum = (name: string) => weights.get(name)!.reduce((total, { weight }) => total + weight, 0);
  const [object = null] = [...weights.keys()].sort((one, other) => sum(other) - sum(one));
  return { title, path: `${modulePath}/${collection}`, object, operations };
}

function titleOf(segment: string): string {
  const words = segment.replace(/[-_]/g, ' ');
  return words.replace(/^(?:\w\w$|(?:ai|api)\b|\w)/, (start) => start.toUpperCase());
}

/** The name of the schema of an answer, or of the items of a list. */
function itemName(schema: DescribedSchema, schemas: Schemas): string | null {
  const { name, schema: found } = schemas.resolve(schema);
  const data = found.properties?.['data'];
  const isPage = found.properties?.['has_more'] !== undefined;
  return isPage && data?.items ? schemas.resolve(data.items).name : name;
}

function answersOf(document: ApiDocument, { responses }: ApiOperation, headers: readonly Parameter[]): ReferenceOperation['answers'] {
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, response]): ReferenceOperation['answers'] => {
      const { content = {}, description = '' } = resolved<ApiResponse & { description?: string }>(document, response);
      const types = Object.entries(content);
      if (types.length === 0) return [{ status, description, type: null, schema: null }];
      return types.map(([type, { schema }]) => ({ status, description, type, schema: schema as DescribedSchema }));
    });
  const hasDryRun = headers.some(({ name }) => name === DRY_RUN) && answers.every(({ type }) => type === null);
  return hasDryRun ? [...answers, { status: '200', description: DRY_RUN_ANSWER, type: 'application/json', schema: null }] : answers;
}

interface ErrorExample {
  value: { error: { code: string; message: string; doc_url: string } };
}

function sharedErrors(document: ApiDocument, operations: readonly NamedOperation[], { errors }: Pick<ModuleRegistry, 'errors'>) {
  const texts = new Map(errors.map(({ anchor, spec }) => [anchor, spec.description ?? spec.message]));
  const all = ({ responses }: ApiOperation): OwnError[] =>
    Object.entries(responses)
      .filter(([status]) => /^[45]/.test(status))
      .flatMap(([status, response]) => {
        const examples = resolved<ApiResponse>(document, response).content?.['application/json']?.examples ?? {};
        return Object.values(examples).map((example) => {
          const { error } = resolved<{ value: unknown }>(document, example as ErrorExample).value as ErrorExample['value'];
          const anchor = error.doc_url.split('#')[1] ?? error.code;
          return { code: error.code, status, text: texts.get(anchor) ?? error.message, anchor };
        });
      });
  const counts = new Map<string, number>();
  for (const { operation } of operations) for (const { anchor } of all(operation)) counts.set(anchor, (counts.get(anchor) ?? 0) + 1);
  const isGeneral = ({ anchor }: OwnError) => (counts.get(anchor) ?? 0) > Math.max(3, operations.length * GENERAL);
  return (operation: ApiOperation, route: Route | undefined) => {
    // one that every operation can answer, and this one for a reason of its own
    const isDeclared = ({ code }: OwnError) =>
      code === RATE_LIMITED && (route?.endpoint?.errors ?? []).some(({ spec }) => spec.code === RATE_LIMITED);
    const isOwn = (error: OwnError) => !isGeneral(error) || isDeclared(error);
    const found = all(operation);
    return { own: found.filter(isOwn), general: found.filter((error) => !isOwn(error)) };
  };
}

function eventsOf({ webhooks = {}, components }: ApiDocument, schemas: Schemas): ReferenceEvent[] {
  return Object.entries(webhooks).map(([name, { post }]) => {
    const schema = components.schemas![`${pascalCase(name)}Event`] as DescribedSchema;
    const { data } = schemas.members(schema).properties;
    const { object } = schemas.members(data).properties;
    return {
      name,
      module: post.tags[0] ?? PLATFORM_TAG,
      description: schema.description ?? '',
      schema,
      object: object ? schemas.resolve(object).name : null,
    };
  });
}
