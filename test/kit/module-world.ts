import { randomBytes } from 'node:crypto';
import type { Mode } from '../../src/kit/index.js';
import { ApiDocument, type ApiOperation, type Json } from './api-document.js';
import type { Answer, Client } from './client.js';
import type { DescribeModuleOptions, Resource, SampleContext } from './module-samples.js';
import { ModuleKeys } from './module-keys.js';
import { fillPath, parametersOf, pathUpTo, type DescribedModule, type KeyedRoute } from './module-routes.js';
import type { TestApp } from './test-app.js';
import type { Workspace } from './workspace.js';

/** Everything of a call but the key. */
export interface Call {
  ids: Record<string, string>;
  /** Without the path: what an MCP client sends as arguments beside the ids. */
  args: Json;
  body: Json | undefined;
  path: string;
}

/** Where a resource may lie, seen from a live key that is pinned to the project ENG of the first organization. */
export type PlaceName = 'own' | 'another project' | 'another organization' | 'the other mode';

/** What the checks of all routes of a module share: one application, two organizations, the keys, the resources. */
export class ModuleWorld {
  private readonly ids = new Map<string, string>();
  private readonly calls = new Map<KeyedRoute, Call>();

  private constructor(
    readonly app: TestApp,
    private readonly prefix: string,
    readonly api: ApiDocument,
    readonly workspace: Workspace,
    readonly keys: ModuleKeys,
    private readonly places: Readonly<Record<PlaceName, SampleContext>>,
    private readonly routes: readonly KeyedRoute[],
    private readonly options: DescribeModuleOptions,
  ) {}

  static async create(
    app: TestApp,
    { name: module, prefix, scopes, routes }: DescribedModule,
    options: DescribeModuleOptions,
  ): Promise<ModuleWorld> {
    const [workspace, other, document] = await Promise.all([app.workspace(), app.workspace(), fetch(`${app.url}/openapi.json`)]);
    const api = new ApiDocument((await document.json()) as Json);
    const keys = new ModuleKeys(app, workspace, module, scopes);
    const client = async (of: Workspace, mode: Mode) => (await of.key({ module, mode, actor_user_id: of.owner.id })).client;
    const unique = () => randomBytes(5).toString('hex');
    const places: Record<PlaceName, SampleContext> = {
      own: { workspace, project: workspace.eng, mode: 'live', client: await keys.good(), unique },
      'another project': { workspace, project: workspace.ops, mode: 'live', client: await keys.good(), unique },
      'another organization': { workspace: other, project: other.eng, mode: 'live', client: await client(other, 'live'), unique },
      'the other mode': { workspace, project: workspace.eng, mode: 'test', client: await client(workspace, 'test'), unique },
    };
    return new ModuleWorld(app, prefix, api, workspace, keys, places, routes, options);
  }

  subject(route: KeyedRoute): Subject {
    return new Subject(this, route, this.api.operation(route.endpoint.operation));
  }

  /** A valid call; with new resources unless it is going to be refused anyway. */
  async call(route: KeyedRoute, place: PlaceName = 'own'): Promise<Call> {
    const ids: Record<string, string> = {};
    for (const parameter of parametersOf(route.path)) ids[parameter] = await this.make(pathUpTo(route.path, parameter), place, ids);
    return this.callWith(route, ids, place);
  }

  /** The same valid call each time, to be spoilt by a check. */
  async sameCall(route: KeyedRoute): Promise<Call> {
    let call = this.calls.get(route);
    if (!call) this.calls.set(route, (call = await this.call(route)));
    return call;
  }

  async callWith(route: KeyedRoute, ids: Record<string, string>, place: PlaceName = 'own'): Promise<Call> {
    const { operation } = route.endpoint;
    const api = this.api.operation(operation);
    const sample = this.options.samples?.[operation];
    const required = api.body ? ((this.api.resolve(api.body).required ?? []) as string[]) : [];
    if (!sample && (required.length > 0 || api.parameters.some((parameter) => parameter.in === 'query' && parameter.required))) {
      throw new Error(`describeModule needs samples.${operation}: the call has required fields (${required.join(', ')}).`);
    }
    return callOf(route, api, ids, (await sample?.(this.places[place])) ?? {});
  }

  /** The id of a resource in a place, the same each time. */
  async existing(path: string, place: PlaceName, ids: Record<string, string>): Promise<string> {
    const key = `${path} ${place} ${JSON.stringify(ids)}`;
    let id = this.ids.get(key);
    if (!id) this.ids.set(key, (id = await this.make(path, place, ids)));
    return id;
  }

  /** Where a resource of this path would be hidden. */
  hiddenPlaces(path: string): PlaceName[] {
    const scoping = this.resource(path)?.scoping ?? 'business';
    if (scoping === 'organization') return ['another organization'];
    return scoping === 'configuration'
      ? ['another project', 'another organization']
      : ['another project', 'another organization', 'the other mode'];
  }

  place(name: PlaceName): SampleContext {
    return this.places[name];
  }

  routeAt(method: string, path: string): KeyedRoute | undefined {
    return this.routes.find((route) => route.method === method && route.path === path);
  }

  async make(path: string, place: PlaceName, ids: Record<string, string>): Promise<string> {
    const resource = this.resource(path);
    const { client } = this.places[place];
    if (resource) return resource.make(this.places[place], ids);
    const creation = this.routeAt('POST', path.replace(/\/\{[^}]+\}$/, ''));
    if (!creation) throw new Error(`describeModule needs resources['${this.below(path)}']: no POST on the collection makes one.`);
    const answer = await send(client, creation, await this.callWith(creation, ids, place));
    if (typeof answer.body?.id !== 'string')
      throw new Error(`samples.${creation.endpoint.operation} made no resource in ${place}: ${answer.status} ${answer.text}`);
    return answer.body.id as string;
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
    readonly world: ModuleWorld,
    readonly route: KeyedRoute,
    readonly operation: ApiOperation,
  ) {}

  send(client: Client, call: Call, headers?: Record<string, string>): Promise<Answer> {
    return send(client, this.route, call, headers);
  }

  with(call: Call, changes: { ids?: Record<string, string>; body?: Json; query?: string }): Call {
    const changed = callOf(this.route, this.operation, changes.ids ?? call.ids, call.args);
    const path = changes.query === undefined ? changed.path : `${changed.path}${changed.path.includes('?') ? '&' : '?'}${changes.query}`;
    return { ...changed, path, body: changes.body ?? changed.body };
  }
}

function callOf(route: KeyedRoute, api: ApiOperation, ids: Record<string, string>, args: Json): Call {
  const query = new URLSearchParams();
  const body: Json = {};
  for (const [name, value] of Object.entries(args)) {
    const parameter = api.parameters.find((candidate) => candidate.in === 'query' && candidate.name === name);
    if (parameter) query.set(name, String(value));
    else body[name] = value;
  }
  const search = query.size > 0 ? `?${query}` : '';
  return { ids, args, body: api.body ? body : undefined, path: fillPath(route.path, ids) + search };
}

function send(client: Client, route: KeyedRoute, call: Call, headers?: Record<string, string>): Promise<Answer> {
  return client.send(route.method.toLowerCase(), call.path, call.body, headers);
}
