// Builds the OpenAPI documents from the decorators of routes and DTOs.

import type { INestApplication, Type } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ActiveLookupQuery, ActorDto, fieldsOf, ListQuery, LookupQuery, ProjectListQuery, ProjectLookupQuery } from '../../kit/index.js';
import { ANY_ID, applyOpenApiMetadata, ContextQuery, pascalCase, ProjectsQuery, schemaName, type FilesOption } from '../../kit/internal.js';
import { SUITE_VERSION } from '../config/suite-version.js';
import type { ModuleRegistry } from '../registry/module-registry.js';
import { PERMISSION_FORMAT } from '../registry/permission-registry.js';
import { reachesOutside, type Plane, type Route } from '../registry/route-registry.js';
import { errorResponses, errorSchema } from './errors.js';
import { exampleOf, resolve } from './examples.js';
import { toOpenApi31 } from './openapi-31.js';
import { RESPONSE_HEADERS, responseHeaders, requestHeaders } from './headers.js';
import { nameSchemas } from './schema-names.js';
import { SharedParts } from './shared-parts.js';
import { PLATFORM_TAG, webhooksOf, type DescribedDelivery, type DescribedEvent } from './webhooks.js';

type Json = Record<string, unknown>;
type Operation = Json & { operationId?: string; parameters?: Json[]; requestBody?: Json; responses: Record<string, Json> };

const VERSION = '3.1.0';
/** A shorter schema is easier to read in its place, in characters. */
const LEAST_COPY = 500;

export interface OpenApiOptions {
  title: string;
  description: string;
  /** Null if it is not configured: URLs are then relative to the document's. */
  baseUrl: string | null;
  /** Of the code that runs; null if it is unknown. */
  commit: string | null;
  /** The planes whose routes the document describes. */
  planes: readonly Plane[];
  /** Described in the section `webhooks`. */
  webhooks?: { events: readonly DescribedEvent[]; delivery: DescribedDelivery };
}

/** What @nestjs/swagger reads from the decorators of all controllers; done once because it is the slowest step. */
export function scanControllers(app: INestApplication, routes: readonly Route[], events: readonly DescribedEvent[]): OpenAPIObject {
  nameSchemas([
    { type: ActorDto, user: 'every event' },
    ...routes.flatMap(({ endpoint, bodyDto }) =>
      [endpoint?.returns, bodyDto].flatMap((type) => (endpoint && type ? [{ type, user: endpoint.operation }] : [])),
    ),
    ...events.map(({ definition }) => ({ type: definition.payload, user: definition.name })),
  ]);
  applyOpenApiMetadata();
  return SwaggerModule.createDocument(app, new DocumentBuilder().setOpenAPIVersion(VERSION).build(), {
    autoTagControllers: false,
    extraModels: [ActorDto, ...events.map(({ definition }) => definition.payload)],
  });
}

/**
 * The OpenAPI 3.1 document of the given planes: what the decorators declare, plus what applies to every route (security, headers,
 * errors, examples). MCP tools, docs and typed clients are derived from it.
 */
export function buildOpenApi(
  scanned: OpenAPIObject,
  routes: readonly Route[],
  modules: ModuleRegistry,
  options: OpenApiOptions,
): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion(VERSION)
    .setTitle(options.title)
    .setDescription(options.description)
    .setVersion(SUITE_VERSION)
    .addServer(options.baseUrl ?? '/')
    .build();
  if (options.commit !== null) base.info = { ...base.info, 'x-commit': options.commit } as typeof base.info;
  base.info.contact = { name: 'Work suite' };
  base.info.license = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } as NonNullable<typeof base.info.license>;
  const { webhooks } = options;
  const events = webhooks?.events ?? [];
  const { paths: found, components } = structuredClone(scanned);
  const document = { ...base, paths: found, components } as OpenAPIObject;
  listPermissions(components?.schemas ?? {}, modules);
  const described = routes.filter((route) => route.endpoint && options.planes.includes(planeOf(route)));
  const parts = new SharedParts();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of described) {
    const operation = (document.paths[route.path] as unknown as Record<string, Operation> | undefined)?.[route.method.toLowerCase()];
    if (!operation) throw new Error(`${route.method} ${route.path} is missing from the OpenAPI document.`);
    (paths[route.path] ??= {})[route.method.toLowerCase()] = complete(operation, route, { document, modules, parts });
  }
  document.paths = paths as unknown as OpenAPIObject['paths'];
  if (webhooks && events.length > 0) document.webhooks = webhooksOf(events, webhooks.delivery, parts) as OpenAPIObject['webhooks'];
  document.tags = tagsOf([...described.map(tagOf), ...events.map(({ module }) => module ?? PLATFORM_TAG)], modules, options.planes);
  document.components = {
    ...document.components,
    schemas: together(document.components?.schemas ?? {}, { ...parts.all('schemas'), Error: errorSchema() }) as never,
    responses: parts.all('responses') as never,
    parameters: parts.all('parameters') as never,
    examples: parts.all('examples') as never,
    headers: usedHeaders([paths, parts.all('responses')]) as never,
    securitySchemes: securitySchemes(options.planes) as never,
  };
  return withoutCopies(toOpenApi31(withoutUnusedSchemas(document)));
}

/** Manifests are known only now, so fields of permissions cannot name them. */
function listPermissions(schemas: object, { permissions }: ModuleRegistry): void {
  const names = permissions.all.map(({ name }) => name);
  for (const { properties = {} } of Object.values(schemas) as { properties?: Record<string, { items?: Json }> }[])
    for (const property of Object.values(properties))
      if (property.items?.format === PERMISSION_FORMAT) property.items = { type: 'string', enum: names };
}

function together(ofClasses: object, made: object): object {
  const taken = Object.keys(made).find((name) => name in ofClasses);
  if (taken)
    throw new Error(`The class of the schema ${taken} must have another name, for the OpenAPI documents make a schema of this name.`);
  return { ...ofClasses, ...made };
}

function usedHeaders(users: unknown) {
  const text = JSON.stringify(users);
  return Object.fromEntries(Object.entries(RESPONSE_HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`)));
}

/** A public route of the product plane, such as sign-in, is described with that plane. */
function planeOf(route: Route): Plane {
  return route.plane === 'public' && route.path.startsWith('/api/v1/org/') ? 'product' : route.plane;
}

interface Surroundings {
  document: OpenAPIObject;
  modules: ModuleRegistry;
  parts: SharedParts;
}

function complete(operation: Operation, route: Route, { document, modules, parts }: Surroundings): Operation {
  const endpoint = route.endpoint as NonNullable<Route['endpoint']>;
  operation.tags = [tagOf(route)];
  operation.description ||= endpoint.summary;
  operation.security =
    route.plane === 'public'
      ? []
      : route.plane === 'keyed'
        ? [{ apiKey: [endpoint.scope] }]
        : [route.write ? { session: [], csrf: [] } : { session: [] }];
  if (endpoint.lookup) operation['x-lookup'] = true;
  if (endpoint.context) operation['x-context'] = endpoint.context;
  if (endpoint.destructive) operation['x-destructive'] = true;
  if (reachesOutside(route)) operation['x-open-world'] = true;
  if (endpoint.scope && endpoint.requiresActor) operation['x-requires-actor'] = true;
  if (endpoint.permission) operation['x-permission'] = endpoint.permission;
  const headers = requestHeaders(route).map((header) => parts.refer('parameters', pascalCase(header.name), () => header));
  operation.parameters = [...(operation.parameters ?? []).map((parameter) => parameterOf(parameter, route, parts)), ...headers];
  if (endpoint.upload)
    operation.requestBody = {
      required: true,
      content: Object.fromEntries(Object.entries(endpoint.upload).map(([type, schema]) => [type, { schema }])),
    };
  if (endpoint.files) allowForm(operation, endpoint.files);
  if (endpoint.bareList) allowBareList(operation, endpoint.bareList, document);
  const successes = [endpoint.status, ...Object.keys(endpoint.alsoReturns ?? {})].map((status) => operation.responses[String(status)]);
  for (const success of successes) success.headers = responseHeaders(route);
  if (endpoint.list && endpoint.returns) nameList(successes, schemaName(endpoint.returns), parts);
  for (const media of Object.values((operation.requestBody?.content ?? {}) as Record<string, Json>))
    media.example = exampleOf(media.schema as Json, document);
  for (const success of endpoint.produces ? successes : [])
    success.content = { ...(success.content as Json | undefined), ...fileContent(endpoint.produces as Record<string, string>) };
  Object.assign(
    operation.responses,
    errorResponses(route, (spec) => modules.anchorOf(spec) ?? spec.code, parts),
  );
  return operation;
}

/** The pages of all lists of a resource have one schema, such as `TaskList`. */
function nameList(successes: readonly Json[], item: string, parts: SharedParts): void {
  for (const { content } of successes) {
    const media = (content as Record<string, { schema: Json }>)['application/json'];
    const { schema } = media;
    media.schema = parts.refer('schemas', `${item}List`, () => schema);
  }
}

/** Documents that the body may also be a form with files, or a file. MCP tools send JSON. */
function allowForm(operation: Operation, { field, description, most, mediaType }: FilesOption): void {
  const content = operation.requestBody?.content as Record<string, { schema: Json }>;
  const file = { type: 'string', format: 'binary', description: 'A file.' };
  const files = { type: 'array', maxItems: most, description, items: file };
  content['multipart/form-data'] = {
    schema: { allOf: [content['application/json'].schema, { type: 'object', properties: { [field]: files } }] },
  };
  if (mediaType !== undefined) content[mediaType] = { schema: { type: 'string', contentMediaType: mediaType, description } };
}

/** Documents that the body may be the object or only its list. MCP tools use the object. */
function allowBareList(operation: Operation, field: string, document: OpenAPIObject): void {
  const media = (operation.requestBody?.content as Record<string, { schema: Json }>)['application/json'];
  const object = resolve(media.schema.$ref as string, document) as { properties: Record<string, Json> };
  media.schema = { oneOf: [media.schema, object.properties[field]] };
}

/** The parameters that many operations share, by their specification. */
const SHARED_PARAMETERS = new Map([
  ...[...fieldsOf(ListQuery as Type)].map(([name, spec]) => [spec, pascalCase(name)] as const),
  shared(LookupQuery as Type, 'limit', 'LookupLimit'),
  shared(ProjectListQuery as Type, 'project_id', 'OfProjects'),
  shared(ProjectLookupQuery as Type, 'project_id', 'OfProject'),
  shared(ActiveLookupQuery as Type, 'active', 'Active'),
  shared(ContextQuery, 'project_id', 'ContextOfProject'),
  shared(ProjectsQuery, 'status', 'ProjectStatus'),
  shared(ProjectsQuery, 'key', 'ProjectKey'),
]);

function shared(query: Type, field: string, name: string) {
  return [fieldsOf(query).get(field)!, name] as const;
}

function isAnyId({ name, in: where, description, schema }: Json): boolean {
  return where === 'path' && name === 'id' && description === ANY_ID && (schema as Json).format === 'uuid';
}

function parameterOf({ required, ...described }: Json, route: Route, parts: SharedParts): Json {
  // false is OpenAPI's default
  const parameter: Json = required === true ? { ...described, required } : described;
  if (isAnyId(parameter)) return parts.refer('parameters', 'Id', () => parameter);
  const spec = parameter.in === 'query' && route.queryDto ? fieldsOf(route.queryDto).get(parameter.name as string) : undefined;
  // without this, OpenAPI's default would apply, which repeats the parameter's name
  if (spec?.customFieldsOf !== undefined) return customFieldsParameter(parameter, spec.customFieldsOf);
  const byDefault = spec?.toolDefault === undefined ? {} : { 'x-tool-default': spec.toolDefault };
  const listed = spec?.list ? { ...parameter, style: 'form', explode: false, ...byDefault } : { ...parameter, ...byDefault };
  const name = spec && SHARED_PARAMETERS.get(spec);
  return name ? parts.refer('parameters', name, () => listed) : listed;
}

/** Tools and `custom_fields[key]=value` send the same. @nestjs/swagger leaves extensions out of the schema of a parameter. */
function customFieldsParameter(parameter: Json, resource: string): Json {
  const schema = { ...(parameter.schema as Json), 'x-custom-fields': resource };
  return { ...parameter, style: 'deepObject', explode: true, schema };
}

function fileContent(produces: Readonly<Record<string, string>>): Json {
  const schemaOf = (type: string) => (type.startsWith('text/') ? { type: 'string' } : { type: 'string', contentMediaType: type });
  return Object.fromEntries(Object.entries(produces).map(([type, description]) => [type, { schema: { ...schemaOf(type), description } }]));
}

function tagOf(route: Route): string {
  return route.module ?? (route.path.split('/')[4] === 'developer' ? 'developer' : 'organization');
}

/** Guides tell the order of calls with keys, so the public document has only their first paragraph. */
function tagsOf(names: readonly string[], modules: ModuleRegistry, planes: readonly Plane[]) {
  const guideOf = (guide: string) => (planes.includes('public') ? guide.split('\n\n', 1)[0] : guide);
  return [...new Set(names)].sort().map((name) => {
    const manifest = modules.manifests.find((module) => module.name === name);
    return {
      name,
      description: manifest
        ? guideOf(manifest.guide)
        : name === 'developer'
          ? 'Keys, webhooks, mails, logs and analytics.'
          : 'Sign-in, projects and members.',
    };
  });
}

function securitySchemes(planes: readonly Plane[]) {
  if (planes.includes('public')) return undefined;
  if (planes.includes('keyed')) {
    return {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, `svc_live_...` or `svc_test_...`. The names listed with an operation are the scopes it requires.',
      },
    };
  }
  return {
    session: { type: 'apiKey', in: 'cookie', name: 'svc_session', description: 'Set by signing in.' },
    csrf: {
      type: 'apiKey',
      in: 'header',
      name: 'X-CSRF-Token',
      description: 'The csrf_token of the sign-in response; required on every write.',
    },
  };
}

/** @nestjs/swagger collects the schemas of all planes; each document keeps only those it references. */
function withoutUnusedSchemas(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, unknown>;
  const used = new Set<string>();
  const visit = (value: unknown) => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      if (schemas[name]) visit(schemas[name]);
    }
  };
  visit([document.paths, document.webhooks ?? {}, document.components?.responses]);
  document.components = {
    ...document.components,
    schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name))) as never,
  };
  return document;
}

/** Modules describe the same members, such as the projects of their contexts. Each name stays, as a reference to the first such schema. */
function withoutCopies(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, object>;
  const first = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas)) {
    const text = JSON.stringify(schema);
    const original = first.get(text);
    if (original === undefined) first.set(text, name);
    else if (text.length >= LEAST_COPY) schemas[name] = { $ref: `#/components/schemas/${original}` };
  }
  return document;
}
