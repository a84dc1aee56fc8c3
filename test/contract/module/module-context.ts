import { randomBytes } from 'node:crypto';
import type { Mode, Project } from '../../../src/kit/index.js';
import type { Scoping } from '../../../src/kit/internal.js';
import { ApiDocument, type ApiOperation, type Json } from '../../harness/api-document.js';
import type { ApiResponse, Client } from '../../harness/client.js';
import { SampleFile, type DescribeModuleOptions, type Resource, type SampleContext } from './module-samples.js';
import { noteAnswer } from './module-reached.js';
import { ModuleKeys } from './module-keys.js';
import { fillPath, parametersOf, pathUpTo, type DescribedModule, type KeyedRoute, type MemberRoute } from './module-routes.js';
import { HEX_RUNS, RowPlaces, UNIQUE, UNIQUE_LENGTH, type Elsewhere, type Viewer } from './module-rows.js';
import type { TestApp } from '../../harness/test-app.js';
import type { Workspace } from '../../harness/workspace.js';

/** A call without the key. */
export interface Call {
  ids: Record<string, string>;
  /** The arguments of the MCP tool without the ids of the path. */
  args: Json;
  body: Json | undefined;
  /** The body of an upload. */
  file: SampleFile | undefined;
  path: string;
}

/** The location of a resource, relative to a live key that is pinned to the project ENG of the first organization. */
export type Location = 'own' | 'another project' | 'another organization' | 'the other mode';

/** By scoping: where the rows are that a pinned key must not see. */
const HIDDEN: Readonly<Record<Scoping, Location[]>> = {
  business: ['another project', 'another organization', 'the other mode'],
  configuration: ['another project', 'another organization'],
  organization: ['another organization'],
};

/** The state shared by the checks of all routes of a module: one application, two organizations, the keys, the resources. */
export class ModuleContext {
  private readonly ids = new Map<string, string>();
  private readonly calls = new Map<string, Call>();
  /** Valid calls that were refused for what was added to them. */
  private readonly unused = new Map<string, Call[]>();
  private readonly answers = new Map<string, Promise<ApiResponse>>();

  private constructor(
    readonly app: TestApp,
    readonly places: RowPlaces,
    private readonly prefix: string,
    readonly tables: readonly string[],
    readonly api: ApiDocument,
    readonly workspace: Workspace,
    readonly keys: ModuleKeys,
    private readonly locations: Readonly<Record<Location, SampleContext>>,
    private readonly issued: ReadonlyMap<string, Location>,
    private readonly routes: readonly KeyedRoute[],
    private readonly options: DescribeModuleOptions,
  ) {}

  static async create(
    app: TestApp,
    { name: module, prefix, scopes, routes, tables }: DescribedModule,
    options: DescribeModuleOptions,
  ): Promise<ModuleContext> {
    const [workspace, other, api] = await Promise.all([app.workspace(), app.workspace(), ApiDocument.at(`${app.url}/openapi.json`)]);
    const keys = new ModuleKeys(app, workspace, module, scopes);
    const client = async (of: Workspace, mode: Mode) => (await of.key({ module, mode, actor_user_id: of.owner.id })).client;
    const issued = new Map<string, Location>();
    const uniqueIn = (location: Location) => () => {
      const text = randomBytes(5).toString('hex');
      issued.set(text, location);
      return text;
    };
    const place = async (location: Location, of: Workspace, project: Project, mode: Mode): Promise<SampleContext> => ({
      workspace: of,
      project,
      mode,
      client: of === workspace && mode === 'live' ? await keys.good() : await client(of, mode),
      unique: uniqueIn(location),
    });
    const locations: Record<Location, SampleContext> = {
      own: await place('own', workspace, workspace.eng, 'live'),
      'another project': await place('another project', workspace, workspace.ops, 'live'),
      'another organization': await place('another organization', other, other.eng, 'live'),
      'the other mode': await place('the other mode', workspace, workspace.eng, 'test'),
    };
    const places = await RowPlaces.of(app);
    return new ModuleContext(app, places, prefix, tables, api, workspace, keys, locations, issued, routes, options);
  }

  subject(route: KeyedRoute): Subject {
    return new Subject(this, route, this.api.operation(route.endpoint.operation));
  }

  /** A valid call, with new resources unless it only reads. */
  async call(route: KeyedRoute, location: Location = 'own'): Promise<Call> {
    if (route.method === 'GET') return this.sameCall(route, location);
    return this.unused.get(`${route.endpoint.operation} ${location}`)?.pop() ?? this.newCall(route, location);
  }

  /** Gives a call back that changed nothing: it does for another check. */
  giveBack(call: Call, route: KeyedRoute, location: Location = 'own'): void {
    const key = `${route.endpoint.operation} ${location}`;
    this.unused.set(key, [...(this.unused.get(key) ?? []), call]);
  }

  /** The same valid call each time, which a check makes invalid. */
  async sameCall(route: KeyedRoute, location: Location = 'own'): Promise<Call> {
    const key = `${route.endpoint.operation} ${location}`;
    let call = this.calls.get(key);
    if (!call) this.calls.set(key, (call = this.unused.get(key)?.pop() ?? (await this.newCall(route, location))));
    return call;
  }

  /** What `sameCall` returned so far, which may succeed now. */
  async lastCall(route: KeyedRoute, location: Location = 'own'): Promise<Call> {
    const call = await this.sameCall(route, location);
    if (route.method !== 'GET') this.calls.delete(`${route.endpoint.operation} ${location}`);
    return call;
  }

  private async newCall(route: KeyedRoute, location: Location): Promise<Call> {
    const ids: Record<string, string> = {};
    for (const parameter of parametersOf(route.path))
      ids[parameter] = await this.make(pathUpTo(route.path, parameter), location, ids, route.endpoint.operation);
    return this.callWith(route, ids, location);
  }

  async callWith(route: KeyedRoute, ids: Record<string, string>, location: Location = 'own'): Promise<Call> {
    const { operation } = route.endpoint;
    const api = this.api.operation(operation);
    const sample = this.options.samples?.[operation];
    const needed = api.parameters.filter((parameter) => parameter.in === 'query' && parameter.required).map(({ name }) => name);
    const required = [...needed, ...(api.body ? ((this.api.resolve(api.body).required ?? []) as string[]) : [])];
    const { upload } = route.endpoint;
    if (!sample && upload)
      throw new Error(`describeModule needs samples.${operation} with \`body: new SampleFile(...)\`, one of ${upload.join(', ')}.`);
    if (!sample && required.length > 0)
      throw new Error(`describeModule needs samples.${operation}: the call has required fields (${required.join(', ')}).`);
    return callOf(route, api, ids, ((await sample?.(this.locations[location])) ?? {}) as Json);
  }

  /** The id of a resource in a location, the same at each call. */
  async existing(path: string, location: Location, ids: Record<string, string>): Promise<string> {
    const key = `${path} ${location} ${JSON.stringify(ids)}`;
    let id = this.ids.get(key);
    if (!id) this.ids.set(key, (id = await this.make(path, location, ids)));
    return id;
  }

  /** The locations whose resources of this path must be hidden. */
  hiddenLocations(path: string): Location[] {
    return HIDDEN[this.resource(path)?.scoping ?? 'business'];
  }

  /** The locations whose rows a GET must not show. */
  hiddenFrom(operation: string, path: string | undefined): Location[] {
    const scoping = this.options.scopings?.[operation] ?? (path === undefined ? undefined : this.resource(path)?.scoping);
    return HIDDEN[scoping ?? 'business'];
  }

  /** The answer to a GET without the members that differ between equal calls. */
  settled(operation: string, text: string): string {
    const varying = this.options.varies?.[operation] ?? [];
    if (varying.length === 0) return text;
    return JSON.stringify(JSON.parse(text), (name, value: unknown) => (varying.includes(name) ? undefined : value));
  }

  /** Whether the member of a GET's answer differs between equal calls. */
  varies(operation: string, name: string): boolean {
    return this.options.varies?.[operation]?.includes(name) ?? false;
  }

  /** Whether a text has something that only rows of the location have: a unique text of its samples, or one of another organization. */
  isUniqueOf(location: Elsewhere, text: string): boolean {
    const [found] = UNIQUE.exec(text) ?? [];
    return (
      found !== undefined && (location === 'another organization' ? this.issued.get(found) !== 'own' : this.issued.get(found) === location)
    );
  }

  /** A unique text in another that samples got for the location, also for rows that they make themselves. */
  issuedIn(location: Elsewhere, text: string): string | undefined {
    for (const [digits] of text.matchAll(HEX_RUNS)) {
      // other digits may stand before and after it
      for (let end = UNIQUE_LENGTH; end <= digits.length; end++) {
        const candidate = digits.slice(end - UNIQUE_LENGTH, end);
        if (this.issued.get(candidate) === location) return candidate;
      }
    }
    return undefined;
  }

  /** Who must not see the rows of a location: a key that is pinned only if the project alone hides them. */
  viewer(location: Elsewhere): Viewer {
    const { workspace } = this.locations.own;
    const projectId = location === 'another project' ? workspace.eng.id : null;
    return { organizationId: workspace.organizationId, projectId, mode: 'live' };
  }

  /** Makes the module's rows in a location older than all others; own ones are those of live mode. */
  dateBack(location: Location): Promise<void> {
    const { workspace, project, mode } = this.locations[location];
    const { organizationId } = workspace;
    const ofProject = location === 'another project' ? project.id : null;
    const ofMode = location === 'own' || location === 'the other mode' ? mode : null;
    return this.places.dateBack(this.tables, { organizationId, projectId: ofProject, mode: ofMode });
  }

  /** The client of that viewer. */
  viewerClient(location: Elsewhere): Promise<Client> {
    return location === 'another project' ? this.keys.pinned() : this.keys.good();
  }

  /** Whether all projects of the organization share the values of a field, as the description says. */
  isShared(operation: string, field: string): boolean {
    return this.options.sharedByProjects?.[operation]?.includes(field) ?? false;
  }

  /** The answer to a call that is sent once. */
  once(what: string, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
    let answer = this.answers.get(what);
    if (!answer) this.answers.set(what, (answer = send()));
    return answer;
  }

  location(name: Location): SampleContext {
    return this.locations[name];
  }

  get requestLogs(): readonly string[] {
    return this.options.requestLogs ?? [];
  }

  get changedByJobs(): readonly string[] {
    return this.options.changedByJobs ?? [];
  }

  get anyMember(): Readonly<Record<string, string>> {
    return this.options.anyMember ?? {};
  }

  get readersMay(): Readonly<Record<string, string>> {
    return this.options.readersMay ?? {};
  }

  get unreached(): readonly string[] {
    return this.options.unreached ?? [];
  }

  /** The permissions with which a member's call of a keyed route succeeds. */
  permissionsOf({ permissions, twinOf }: MemberRoute): readonly string[] {
    return [...permissions.slice(0, 1), ...(this.options.alsoNeeds?.[twinOf ?? ''] ?? [])];
  }

  /** The input that the description has for a call; undefined if it has none. */
  async sampleOf(operation: string, location: Location): Promise<Json | undefined> {
    return (await this.options.samples?.[operation]?.(this.locations[location])) as Json | undefined;
  }

  /** The route for keys of an operation; undefined for one for members. */
  routeOf(operation: string): KeyedRoute | undefined {
    return this.routes.find(({ endpoint }) => endpoint.operation === operation);
  }

  routeAt(method: string, path: string): KeyedRoute | undefined {
    return this.routes.find((route) => route.method === method && route.path === path);
  }

  routesBelow(path: string): KeyedRoute[] {
    return this.routes.filter((route) => route.path.startsWith(`${path}/`));
  }

  async make(path: string, location: Location, ids: Record<string, string>, operation?: string): Promise<string> {
    const resource = this.resourceOf(path, operation) ?? this.resource(path);
    const { client } = this.locations[location];
    if (resource) return resource.make(this.locations[location], ids);
    const creation = this.routeAt('POST', path.replace(/\/\{[^}]+\}$/, ''));
    if (!creation) throw new Error(`describeModule needs resources['${this.below(path)}']: no POST on the collection creates one.`);
    const response = await sendCall(client, creation, await this.callWith(creation, ids, location));
    if (typeof response.body?.id !== 'string')
      throw new Error(`samples.${creation.endpoint.operation} created no resource in ${location}: ${response.status} ${response.text}`);
    return response.body.id as string;
  }

  /** The resource that the description has for one operation; a deleted one for what restores it. */
  resourceOf(path: string, operation: string | undefined): Resource | undefined {
    return this.options.resources?.[`${this.below(path)} ${operation}`] ?? this.deletedOne(path, operation);
  }

  private deletedOne(path: string, operation: string | undefined): Resource | undefined {
    const deletion = this.routeAt('DELETE', path);
    if (!operation?.startsWith('restore_') || !deletion || !this.routeAt('POST', `${path}/restore`)) return undefined;
    const make = async (context: SampleContext, ids: Readonly<Record<string, string>>) => {
      const location = (Object.keys(this.locations) as Location[]).find((name) => this.locations[name] === context)!;
      const id = await this.make(path, location, { ...ids });
      const named = { ...ids, [parametersOf(path).at(-1)!]: id };
      const { status, text } = await sendCall(context.client, deletion, await this.callWith(deletion, named, location));
      if (status !== 204) throw new Error(`${deletion.endpoint.operation} deleted nothing in ${location}: ${status} ${text}`);
      return id;
    };
    return { make };
  }

  /** Whether the description has a resource of a path. */
  isDescribed(path: string): boolean {
    return this.resource(path) !== undefined;
  }

  /** The version of what `make` makes. */
  newVersion(path: string): number {
    return this.resource(path)?.version ?? 1;
  }

  /** Whether a PUT creates what the last parameter of the path names. */
  putCreates(path: string): boolean {
    return this.resource(path)?.putCreates ?? false;
  }

  private resource(path: string): Resource | undefined {
    return this.options.resources?.[this.below(path)];
  }

  private below(path: string): string {
    return path.replace(`/api/v1/ext/${this.prefix}`, '');
  }
}

/** One route under test. */
export class Subject {
  constructor(
    readonly context: ModuleContext,
    readonly route: KeyedRoute,
    readonly operation: ApiOperation,
  ) {}

  send(client: Client, call: Call, headers?: Record<string, string>): Promise<ApiResponse> {
    return sendCall(client, this.route, call, headers);
  }

  with(call: Call, changes: { ids?: Record<string, string>; body?: Json; file?: SampleFile; query?: string }): Call {
    const args = changes.file ? { ...call.args, body: changes.file } : call.args;
    const changed = callOf(this.route, this.operation, changes.ids ?? call.ids, args);
    const path = changes.query === undefined ? changed.path : `${changed.path}${changed.path.includes('?') ? '&' : '?'}${changes.query}`;
    return { ...changed, path, body: changes.body ?? changed.body };
  }
}

/** The path of a member route with the ids and the query of a call of its keyed route. */
export function pathOfTwin(twin: MemberRoute, keyed: KeyedRoute, call: Call): string {
  return fillPath(twin.path, call.ids) + call.path.slice(fillPath(keyed.path, call.ids).length);
}

export function callOf(route: Pick<KeyedRoute, 'path'>, api: ApiOperation, ids: Record<string, string>, args: Json): Call {
  const query = new URLSearchParams();
  const body: Json = {};
  let file: SampleFile | undefined;
  for (const [name, value] of Object.entries(args)) {
    const parameter = api.parameters.find((candidate) => candidate.in === 'query' && candidate.name === name);
    if (parameter) query.set(name, String(value));
    else if (value instanceof SampleFile) file = value;
    else body[name] = value;
  }
  const search = query.size > 0 ? `?${query}` : '';
  return { ids, args, body: api.body ? body : undefined, file, path: fillPath(route.path, ids) + search };
}

/** Sends a valid or invalid call; `path` is that of the route at which it is sent. */
export async function sendCall(
  client: Client,
  route: KeyedRoute | MemberRoute,
  { path, body, file }: Pick<Call, 'path' | 'body' | 'file'>,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const type = file && { 'content-type': file.contentType };
  const response = await client.send(route.method.toLowerCase(), path, file ? file.text : body, { ...type, ...headers });
  if ('endpoint' in route) noteAnswer(route, { path, body }, response);
  return response;
}
