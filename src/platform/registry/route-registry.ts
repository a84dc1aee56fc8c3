import { Injectable, RequestMethod, type Type } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { fieldsOf } from '../../kit/index.js';
import {
  ENDPOINT_KEYS,
  NESTED_ENDPOINT_KEYS,
  endpointOf,
  errorsBeforeWriting,
  publicOf,
  type EndpointOptions,
  type PublicOptions,
} from '../../kit/internal.js';
import { dtoHabits } from './dto-habits.js';
import { ModuleRegistry } from './module-registry.js';
import { unknownKeys } from './manifest-shapes.js';
import { suggestion } from './near-matches.js';
import { refuseDeclarations } from './refused-declarations.js';
import { routeHabits } from './route-habits.js';

export type Plane = 'keyed' | 'product' | 'public';

/** A route and what its decorators declare. */
export interface Route {
  /** Null for what is served outside Nest's routes. */
  controller: Type | null;
  method: string;
  /** The full path, with parameters as `{id}`. */
  path: string;
  plane: Plane;
  /** The domain module's name; null for the platform's own routes. */
  module: string | null;
  endpoint: (EndpointOptions & { status: number }) | null;
  /** Why anyone may call it; null for a route that requires a key or a session. */
  publicReason: string | null;
  /** The options of `@Public`. */
  open: PublicOptions;
  write: boolean;
  /** What a GET writes all the same. */
  writesOnGet: string | null;
  /** Guards of its own, by `@UseGuards`. */
  guarded: boolean;
  bodyDto: Type | null;
  queryDto: Type | null;
}

/** A route outside Nest, or of a request that is rejected before Nest's guards run. */
export function rawRoute(method: string, path: string, plane: Plane = 'keyed'): Route {
  return {
    controller: null,
    method,
    path,
    plane,
    module: null,
    endpoint: null,
    publicReason: null,
    open: {},
    write: false,
    writesOnGet: null,
    guarded: false,
    bodyDto: null,
    queryDto: null,
  };
}

const KEYED = ['/api/v1/ext/', '/api/v1/webhooks/'];
const PRODUCT = '/api/v1/org/';
const DEVELOPER_AREA = '/api/v1/org/developer/';
const OF_MODULE = /^\/api\/v1\/(?:ext|org|public)\/([^/]+)/;
const OPERATION = /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/;
// Nest's RouteParamtypes in the metadata of a handler's arguments
const BODY_ARGUMENT = '3:';
const QUERY_ARGUMENT = '4:';

/** All routes, read from the decorators at boot. An undeclared or contradictory route fails the boot. */
@Injectable()
export class RouteRegistry {
  private byHandler: ReadonlyMap<object, Route> | undefined;
  /** The DTOs whose fields were checked; many routes share theirs. */
  private readonly bounded = new Set<Type>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly modules: ModuleRegistry,
  ) {}

  get routes(): readonly Route[] {
    return [...this.read().values()];
  }

  /** May be called before the application is initialized. */
  handlers(): Iterable<[handler: object, Route]> {
    return this.read().entries();
  }

  of(handler: object): Route | undefined {
    return this.read().get(handler);
  }

  /** Reads the decorators when called first. */
  private read(): ReadonlyMap<object, Route> {
    if (this.byHandler) return this.byHandler;
    const found = new Map<object, Route>();
    const problems: string[] = [];
    for (const { metatype } of this.discovery.getControllers()) {
      if (metatype) this.readController(metatype as Type, found, problems);
    }
    this.checkScopesOfJobs(problems);
    checkOperations([...found.values()], problems);
    this.checkScopes([...found.values()], problems);
    this.checkPermissions([...found.values()], problems);
    this.checkSubjects([...found.values()], problems);
    this.checkArguments([...found.values()], problems);
    this.checkPaths([...found.values()], problems);
    if (problems.length === 0) checkAddresses([...found.values()], problems);
    refuseDeclarations(problems, this.modules.manifests);
    return (this.byHandler = found);
  }

  private readController(controller: Type, found: Map<object, Route>, problems: string[]): void {
    const prototype = controller.prototype as Record<string, object>;
    const prefixes = [Reflect.getMetadata(PATH_METADATA, controller) as string | string[]].flat();
    for (const name of new MetadataScanner().getAllMethodNames(prototype)) {
      const handler = prototype[name];
      const verb = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (verb === undefined) continue;
      const paths = prefixes.flatMap((prefix) =>
        [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat().map((path) => join(prefix, path)),
      );
      const endpoint = this.endpointOf(handler);
      const open = publicOf(handler);
      const publicReason = open?.why ?? null;
      const owner = this.modules.ownerOf(controller);
      const write = verb !== RequestMethod.GET && verb !== RequestMethod.HEAD;
      const route: Route = {
        controller,
        endpoint: write && owner ? withHookErrors(endpoint, owner.entities) : endpoint,
        publicReason,
        open: open ?? {},
        method: RequestMethod[verb],
        path: paths[0],
        plane: publicReason !== null ? 'public' : isKeyedPath(paths[0]) ? 'keyed' : 'product',
        module: owner?.name ?? null,
        write,
        writesOnGet: endpoint?.writesOnGet ?? open?.writesOnGet ?? null,
        guarded: [controller, handler].some((target) => Reflect.hasMetadata(GUARDS_METADATA, target)),
        ...argumentTypes(controller, name),
      };
      const at = `${controller.name}.${name} (${route.method} ${route.path})`;
      problems.push(...problemsOf(route, at, this.bounded), ...routeHabits(controller, name, endpoint, at));
      found.set(handler, route);
    }
  }

  /** With the permissions that manifests declare for their keys in place of `keys:view`, `keys:create` and `keys:delete`. */
  private endpointOf(handler: object): Route['endpoint'] {
    const endpoint = endpointOf(handler) ?? null;
    if (!endpoint || !Array.isArray(endpoint.permission)) return endpoint;
    const own = (action: string) => this.modules.manifests.flatMap(({ keys }) => keys?.permissions[action as 'view'] ?? []);
    const permission = (endpoint.permission as readonly string[]).flatMap((name) =>
      name.startsWith('keys:') ? own(name.slice(5)) : [name],
    );
    return { ...endpoint, permission };
  }

  /** Nest creates a provider of such a tree per request, and a job has none. */
  private checkScopesOfJobs(problems: string[]): void {
    const jobs = new Set<unknown>([...this.modules.jobs(), ...this.modules.manifests.flatMap(({ scheduledJobs }) => scheduledJobs ?? [])]);
    for (const provider of this.discovery.getProviders())
      if (provider.metatype && jobs.has(provider.metatype) && (provider.isTransient || !provider.isDependencyTreeStatic()))
        problems.push(`the job ${provider.metatype.name} has another scope than Scope.DEFAULT, or needs a provider with Scope.REQUEST`);
  }

  private checkScopes(routes: readonly Route[], problems: string[]): void {
    const declared = this.modules.scopes();
    for (const { endpoint, controller, module } of routes) {
      const scope = endpoint?.scope;
      if (!scope) continue;
      const owner = this.modules.manifests.find(({ scopes }) => scope in scopes)?.name;
      if (owner === undefined)
        problems.push(`${controller?.name}: the scope ${scope} of ${endpoint.operation} is not declared in its module's manifest`);
      else if (module !== null && owner !== module)
        problems.push(`${controller?.name}: the scope ${scope} of ${endpoint.operation} is one of ${owner}: declare one of ${module}`);
    }
    const used = new Set(routes.map(({ endpoint }) => endpoint?.scope));
    for (const scope of declared.keys()) if (!used.has(scope)) problems.push(`the scope ${scope} is declared, but no route requires it`);
  }

  /** The rates, guides and keys of a module are found by the prefix of a path. Tells the first of a module, whose others follow it. */
  private checkPaths(routes: readonly Route[], problems: string[]): void {
    const owners = new Map(this.modules.manifests.map(({ name, prefix }) => [prefix, name]));
    const told = new Set<string>();
    for (const { controller, method, path, module } of routes) {
      // the developer area for members, where any module may have routes
      if (path.startsWith(DEVELOPER_AREA)) continue;
      const prefix = OF_MODULE.exec(path)?.[1];
      if (module === null || prefix === undefined || owners.get(prefix) === module || told.has(module)) continue;
      // the platform's own keyed routes have prefixes of no module, too
      if (!owners.has(prefix) && !path.startsWith('/api/v1/ext/')) continue;
      told.add(module);
      const owner = owners.has(prefix) ? `the module ${owners.get(prefix)}` : 'no module';
      problems.push(`${controller?.name}: ${method} ${path} is below the prefix ${prefix} of ${owner}: begin it with that of ${module}`);
    }
  }

  /** The console links to them. */
  private checkSubjects(routes: readonly Route[], problems: string[]): void {
    const operations = new Set(routes.filter(({ plane }) => plane === 'product').map(({ endpoint }) => endpoint?.operation));
    for (const { name, apiOnly = [] } of this.modules.manifests)
      for (const [word, operation] of apiOnly.flatMap(({ names }) => names))
        if (!operations.has(operation)) problems.push(`${name}: apiOnly links ${word} to ${operation}, which is no operation for members`);
  }

  /** The error about an unknown argument suggests none that no tool of the module has. */
  private checkArguments(routes: readonly Route[], problems: string[]): void {
    for (const { name, agentWords } of this.modules.manifests) {
      const known = new Set(routes.filter(({ module, plane }) => module === name && plane === 'keyed').flatMap(argumentsOf));
      for (const [word, meant] of Object.entries(agentWords?.arguments ?? {}))
        for (const argument of meant)
          if (!known.has(argument))
            problems.push(
              `${name}: agentWords.arguments names ${argument} for ${word}, which no tool of the module takes` +
                suggestion(argument, [...known]),
            );
    }
  }

  /** Nobody could be given a permission that no manifest declares. */
  private checkPermissions(routes: readonly Route[], problems: string[]): void {
    for (const { endpoint, controller, method, path } of routes)
      for (const permission of [endpoint?.permission ?? []].flat())
        if (!this.modules.permissions.has(permission))
          problems.push(
            `${controller?.name}: ${endpoint?.operation} (${method} ${path}) requires ${this.modules.permissions.undeclared(permission)}`,
          );
  }
}

export function isKeyedPath(path: string): boolean {
  return KEYED.some((prefix) => path.startsWith(prefix));
}

/**
 * Whether a write can be tried out. One with transactions of its own cannot be taken back, unless it says so, nor can what members do to
 * their account and organization, such as to sign out.
 */
export function takesDryRun({ write, plane, module, endpoint }: Route): boolean {
  if (!write || endpoint === null || (endpoint.ownTransactions && !endpoint.dryRun)) return false;
  return plane === 'keyed' || (plane === 'product' && module !== null);
}

/** Whether a key can demand that calls follow a plan: those that delete, replace or end what exists, and those that reach outside. */
export function takesPlan(route: Route): boolean {
  return route.write && route.plane === 'keyed' && (isDestructive(route) || reachesOutside(route));
}

/** Whether the call can send mail, ask a model or let outsiders in. */
export function reachesOutside({ endpoint }: Pick<Route, 'endpoint'>): boolean {
  return endpoint?.openWorld === true;
}

/** Whether the call can delete, replace or end what exists. */
export function isDestructive({ method, endpoint }: Pick<Route, 'method' | 'endpoint'>): boolean {
  return method === 'DELETE' || method === 'PUT' || endpoint?.destructive === true;
}

/** Whether the items of a list can be had as a CSV file. A route that makes files of its own decides that itself. */
export function listsAsCsv({ plane, write, endpoint }: Route): boolean {
  return plane !== 'public' && !write && endpoint?.list === true && endpoint.returns !== null && endpoint.produces === undefined;
}

/** Whether the route is a page for a browser: public, outside the API, and in no OpenAPI document. */
export function isPage({ plane, endpoint, path }: Route): boolean {
  return plane === 'public' && endpoint === null && !path.startsWith('/api/');
}

function problemsOf(route: Route, at: string, bounded: Set<Type>): string[] {
  const { endpoint, publicReason, plane, path } = route;
  if (!endpoint && publicReason === null) return [`${at} declares neither @Endpoint nor @Public`];
  const problems: string[] = endpoint ? endpointKeyProblems(at, endpoint) : [];
  if (plane === 'public' && (endpoint?.scope || isKeyedPath(path)))
    problems.push(
      `${at} is public, but ${endpoint?.scope ? `declares the scope ${endpoint.scope}` : 'its path is below a prefix that requires keys'}`,
    );
  if (takesPlan(route) && !takesDryRun(route))
    problems.push(`${at} is destructive or openWorld, but has transactions of its own without dryRun, so no key could ask before it`);
  if (!route.write && (isDestructive(route) || reachesOutside(route)))
    problems.push(`${at} is destructive or openWorld, but a GET, before which no key asks`);
  if (endpoint?.dryRun && !endpoint.ownTransactions)
    problems.push(`${at} declares dryRun without ownTransactions: a write in one transaction can be tried out anyway`);
  if (route.write && route.writesOnGet !== null) problems.push(`${at} declares writesOnGet, but is no GET`);
  if (plane === 'keyed' && !endpoint?.scope) problems.push(`${at} is keyed but declares no scope`);
  if (plane === 'product' && (!path.startsWith(PRODUCT) || endpoint?.permission === undefined))
    problems.push(`${at} must be below ${PRODUCT} and declare a permission (or null for any member)`);
  if (endpoint && (!OPERATION.test(endpoint.operation) || endpoint.operation.length > 48))
    problems.push(`${at}: the operation "${endpoint.operation}" must be verb_noun, at most 48 characters`);
  if (route.open.upload !== undefined && !(isPage(route) && route.write))
    problems.push(`${at} takes an upload, but is not a page that is posted`);
  const { bareList } = endpoint ?? {};
  if (bareList !== undefined && !(route.bodyDto && fieldsOf(route.bodyDto).get(bareList)?.list))
    problems.push(`${at}: bareList must be a list field of the body, but ${bareList} is not`);
  // a write's response is stored as JSON and replayed for its Idempotency-Key
  if (endpoint?.produces && route.write && plane !== 'public') problems.push(`${at} returns files, which only a GET or a public route can`);
  for (const dto of [route.bodyDto, route.queryDto]) if (dto && fieldsOf(dto).size === 0) problems.push(`${at}: ${withoutFields(dto)}`);
  for (const dto of [route.bodyDto, route.queryDto]) if (dto) problems.push(...boundProblems(dto, at, bounded));
  return problems;
}

/** What the compiler would find, but not in a spread object. */
function endpointKeyProblems(at: string, endpoint: EndpointOptions): string[] {
  const nested = Object.entries(NESTED_ENDPOINT_KEYS).flatMap(([key, known]) => {
    const value = endpoint[key as keyof typeof NESTED_ENDPOINT_KEYS];
    return typeof value === 'object' ? unknownKeys(`${at}: ${key} of @Endpoint`, value, known) : [];
  });
  return [...unknownKeys(`${at}: @Endpoint`, endpoint, ENDPOINT_KEYS), ...nested];
}

function withoutFields(dto: Type): string {
  // the compiler writes Object for interfaces and for classes that are imported as types
  if (dto === Object) return 'the type of its body or query must be a DTO class, imported without `type`';
  return `${dto.name} has no @Field; declare one per property, or derive the class with partialOf, pickOf or bothOf of the kit`;
}

/** A text or map without a bound could be as large as the body. Lists have one by their type. */
function boundProblems(dto: Type, at: string, bounded: Set<Type>): string[] {
  const problems: string[] = [];
  if (bounded.has(dto)) return problems;
  bounded.add(dto);
  problems.push(...dtoHabits(dto).map((problem) => `${at}: ${problem}`));
  const lacks = (name: string, bound: string) => problems.push(`${at}: ${dto.name}.${name} has no ${bound}`);
  for (const [name, { kind, type, maxLength, maxProperties }] of fieldsOf(dto)) {
    if (type) {
      problems.push(...boundProblems(type(), at, bounded));
      continue;
    }
    if ((kind === 'string' || kind === 'email' || kind === 'text_or_map') && maxLength === undefined) lacks(name, 'maxLength');
    if ((kind === 'map' || kind === 'text_or_map') && maxProperties === undefined) lacks(name, 'maxProperties');
    if (kind === 'object') lacks(name, 'type');
  }
  return problems;
}

function checkOperations(routes: readonly Route[], problems: string[]): void {
  const isNamed = ({ endpoint }: Route) => Boolean(endpoint?.operation);
  for (const [first, route] of repeated(routes.filter(isNamed), ({ endpoint }) => endpoint!.operation))
    problems.push(
      `${route.controller?.name}: the operation ${route.endpoint?.operation} is declared twice: ${first.method} ${first.path} and ` +
        `${route.method} ${route.path}; choose another name`,
    );
}

/** Fastify would refuse the second, without its controller. */
function checkAddresses(routes: readonly Route[], problems: string[]): void {
  for (const [first, { controller, method, path }] of repeated(
    routes,
    (route) => `${route.method} ${route.path.replace(/\{[^}]+\}/g, '{}')}`,
  ))
    problems.push(`${controller?.name}: ${method} ${path} is a route of ${first.controller?.name} already: choose another path`);
}

/** Routes with the key of an earlier one, with that. Those for members repeat the mistakes of the keyed routes that they are made from. */
function repeated(routes: readonly Route[], keyOf: (route: Route) => string): [first: Route, route: Route][] {
  const seen = new Map<string, Route>();
  const found: [Route, Route][] = [];
  for (const route of routes) {
    const first = seen.get(keyOf(route));
    if (first) found.push([first, route]);
    else seen.set(keyOf(route), route);
  }
  const told = new Set<unknown>(found.map(([, { controller }]) => controller));
  return found.filter(([, { controller }]) => controller === null || !told.has(Object.getPrototypeOf(controller)));
}

function argumentTypes(controller: Type, name: string): Pick<Route, 'bodyDto' | 'queryDto'> {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<string, { index: number; data?: unknown }>;
  const found: { body?: number; query?: number } = {};
  for (const key of Object.keys(args)) {
    if (args[key].data !== undefined) continue;
    if (key.startsWith(BODY_ARGUMENT)) found.body ??= args[key].index;
    else if (key.startsWith(QUERY_ARGUMENT)) found.query ??= args[key].index;
  }
  if (found.body === undefined && found.query === undefined) return { bodyDto: null, queryDto: null };
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) ?? []) as Type[];
  const typeAt = (index: number | undefined) => (index === undefined ? null : (types[index] ?? null));
  return { bodyDto: typeAt(found.body), queryDto: typeAt(found.query) };
}

function argumentsOf({ path, bodyDto, queryDto }: Route): string[] {
  const fields = [bodyDto, queryDto].flatMap((dto) => (dto ? [...fieldsOf(dto).keys()] : []));
  return [...fields, ...[...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)];
}

function join(prefix: string, path: string): string {
  return pathOfUrl(`/${prefix ?? ''}/${path ?? ''}/`.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, ''));
}

/** The path of a route with the parameters as Fastify writes them: `/notes/:id`. */
function urlOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** The inverse: `/notes/{id}`. */
export function pathOfUrl(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}');
}

/** The routes by their method and the URL that a request of Fastify names, such as `GET /notes/:id`. */
export function routesByUrl({ routes }: RouteRegistry): ReadonlyMap<string, Route> {
  return new Map(routes.map((route) => [`${route.method} ${urlOf(route.path)}`, route]));
}

/** Any module may refuse writes of the entities, with errors of its own. */
function withHookErrors(endpoint: Route['endpoint'], entities: readonly Type[]): Route['endpoint'] {
  const errors = entities.flatMap((entity) => errorsBeforeWriting(entity));
  return endpoint && errors.length > 0 ? { ...endpoint, errors: [...(endpoint.errors ?? []), ...errors] } : endpoint;
}
