import { randomUUID } from 'node:crypto';
import { ApiDocument, type Json, type Schema } from '../../harness/api-document.js';
import type { ApiResponse, Client } from '../../harness/client.js';
import { callOf, sendCall, type Call, type Location, type ModuleContext } from './module-context.js';
import { comparable } from './module-errors.js';
import { foreignRows, nameOf } from './module-foreign.js';
import { parametersOf, pathUpTo, type DescribedModule, type MemberRoute } from './module-routes.js';
import { SampleFile } from './module-samples.js';
import { referencesIn, withReference } from './module-value-places.js';
import { ownValues } from './module-variants.js';

const made = new WeakMap<ModuleContext, Promise<MemberCalls>>();

/** Calls of the routes for members only. */
export class MemberCalls {
  readonly routes: readonly MemberRoute[];
  private readonly clients = new Map<string, Promise<Client>>();
  /** By collection and location. */
  private readonly ids = new Map<string, string>();
  /** The routes that answered a valid call, by their path and location. */
  private readonly made = new Set<string>();
  private readonly references = new Map<Location, Map<string, string>>();

  private constructor(
    private readonly module: DescribedModule,
    private readonly world: ModuleContext,
    readonly api: ApiDocument,
  ) {
    this.routes = module.memberRoutes.filter(({ twinOf }) => twinOf === null);
  }

  static of(module: DescribedModule, world: ModuleContext): Promise<MemberCalls> {
    let calls = made.get(world);
    if (!calls) made.set(world, (calls = MemberCalls.create(module, world)));
    return calls;
  }

  private static async create(module: DescribedModule, world: ModuleContext): Promise<MemberCalls> {
    return new MemberCalls(module, world, await ApiDocument.at(`${world.app.url}/openapi.org.json`));
  }

  client(location: Location): Promise<Client> {
    const { workspace } = this.world.location(location);
    let client = this.clients.get(workspace.organizationId);
    if (!client) this.clients.set(workspace.organizationId, (client = workspace.signIn()));
    return client;
  }

  /** Whether it is certain where a row would be: one that names no project may be of the caller's own, such as a request of one's own. */
  reaches({ operation }: MemberRoute, location: Location): boolean {
    const { body, parameters } = this.api.operation(operation);
    const fields = Object.keys((body ? this.api.resolve(body).properties : undefined) ?? {});
    return location !== 'another project' || [...fields, ...parameters.map(({ name }) => name)].includes('project_id');
  }

  hasMade({ path }: MemberRoute, location: Location): boolean {
    return this.made.has(`${path} ${location}`);
  }

  async send(route: MemberRoute, location: Location): Promise<ApiResponse> {
    const ids = await this.idsOf(route, location);
    if (ids === null) return { status: 404, text: `no row of ${route.path} is known`, body: undefined } as ApiResponse;
    const response = await sendCall(await this.client(location), route, await this.call(route, location, ids));
    const { id, object } = (response.body ?? {}) as Json;
    if (response.status === route.status) this.made.add(`${route.path} ${location}`);
    if (response.status === route.status && typeof id === 'string') {
      this.ids.set(`${route.path} ${location}`, id);
      this.referencesIn(location).set(`${object as string}_id`, id);
    }
    return response;
  }

  /** The ids of a path in a location; null if a row of it is not known. */
  async idsOf({ path, operation }: MemberRoute, location: Location): Promise<Record<string, string> | null> {
    const ids: Record<string, string> = {};
    for (const name of parametersOf(path)) {
      const id = await this.idOf(pathUpTo(path, name), location, ids, operation);
      if (id === undefined) return null;
      ids[name] = id;
    }
    return ids;
  }

  /** How a route treats an id of another organization otherwise than an absent one. */
  async foreignIdFaults(route: MemberRoute): Promise<string[]> {
    const { path, operation } = route;
    const [own, theirs] = [await this.idsOf(route, 'own'), await this.idsOf(route, 'another organization')];
    if (own === null || theirs === null) return [];
    const client = await this.client('own');
    const faults: string[] = [];
    for (const name of parametersOf(path)) {
      if (own[name] === theirs[name]) continue;
      const answer = async (id: string) => {
        const { status, body, text } = await sendCall(client, route, await this.call(route, 'own', { ...own, [name]: id }));
        const { error } = (body ?? {}) as { error?: Json };
        return `${status} ${error ? JSON.stringify(comparable(error)) : text}`.replaceAll(id, 'ID');
      };
      const [foreign, absent] = [await answer(theirs[name]), await answer(randomUUID())];
      if (foreign !== absent)
        faults.push(`${operation} treats {${name}} of another organization unlike an absent one: ${foreign} instead of ${absent}`);
    }
    return faults;
  }

  /**
   * How a route treats a reference of its body to a row of another organization otherwise than one to an absent row. `sent` gets
   * the foreign ids, and by each the fields of the calls that were not refused.
   */
  async foreignReferenceFaults(route: MemberRoute, sent: Map<string, string[]>): Promise<string[]> {
    const { body } = this.api.operation(route.operation);
    const ids = await this.idsOf(route, 'own');
    if (!body || ids === null) return [];
    const client = await this.client('own');
    const { workspace } = this.world.location('another organization');
    const { values } = await foreignRows(this.world, this.module.routes, 'another organization');
    const theirs = this.referencesIn('another organization');
    const faults: string[] = [];
    const sample = (await this.call(route, 'own', ids)).body;
    for (const reference of referencesIn(this.api, body, sample, [])) {
      const name = nameOf(reference.path).replace(/_ids$/, '_id');
      const foreign = name === 'project_id' ? workspace.eng.id : (theirs.get(name) ?? values.get(name) ?? workspace.owner.id);
      const answer = async (id: string) => {
        const call = await this.call(route, 'own', ids);
        const { status, body: told } = await sendCall(client, route, { ...call, body: withReference(call.body ?? {}, reference, id) });
        const { error } = (told ?? {}) as { error?: Json };
        return { status, text: `${status} ${error ? JSON.stringify(comparable(error)) : ''}`.replaceAll(id, 'ID') };
      };
      // the foreign one last, or the next call overwrites it where both change one row
      const [absent, known] = [await answer(randomUUID()), await answer(foreign)];
      const field = reference.path.join('.');
      sent.set(foreign, [...(sent.get(foreign) ?? []), ...(known.status < 400 ? [`${field} of ${route.operation}`] : [])]);
      const at = `${route.operation} treats ${field} of another organization unlike an absent one`;
      if (known.status >= 500 || known.text !== absent.text) faults.push(`${at}: ${known.text} instead of ${absent.text}`);
    }
    return faults;
  }

  private async idOf(itemPath: string, location: Location, outer: Record<string, string>, operation: string): Promise<string | undefined> {
    const collection = itemPath.replace(/\/\{[^}]+\}$/, '');
    if (itemPath.endsWith('{project_id}')) return this.world.location(location).project.id;
    const described = this.world.resourceOf(itemPath.replace('/api/v1/org/', '/api/v1/ext/'), operation);
    if (described) return described.make(this.world.location(location), outer);
    const known = this.ids.get(`${collection} ${location}`);
    if (known !== undefined) return known;
    const creation = this.routes.find(({ method, path, status }) => method === 'POST' && path === collection && status === 201);
    if (creation) {
      await this.send(creation, location);
      return this.ids.get(`${collection} ${location}`);
    }
    const keyed = this.module.routes.find(
      ({ method, endpoint }) =>
        method === 'POST' && this.module.memberRoutes.some((twin) => twin.twinOf === endpoint.operation && twin.path === collection),
    );
    const path = keyed ? `${keyed.path}/{id}` : itemPath.replace('/api/v1/org/', '/api/v1/ext/');
    return keyed || this.world.isDescribed(path) ? this.world.existing(path, location, outer) : undefined;
  }

  async call(route: MemberRoute, location: Location, ids: Record<string, string>): Promise<Call> {
    const operation = this.api.operation(route.operation);
    const sample = await this.world.sampleOf(route.operation, location);
    if (operation.body) return callOf(route, operation, ids, { ...(await this.derived(route, operation.body, location)), ...sample });
    const file = fileOf(operation.source);
    const inProject = operation.parameters.some(({ name }) => name === 'project_id');
    const args = { ...(file && { body: file }), ...(inProject && { project_id: this.world.location(location).project.id }) };
    return callOf(route, operation, ids, { ...args, ...sample });
  }

  /** The required fields of a body by their examples, with texts of its own, and with references to rows that were made before. */
  private async derived({ method }: MemberRoute, body: Schema, location: Location): Promise<Json> {
    const { properties = {}, required = [] } = this.api.resolve(body) as { properties?: Record<string, Schema>; required?: string[] };
    const fields = Object.entries(properties);
    const changed = fields.find(
      ([, property]) => this.api.resolve(property).type === 'string' && this.api.resolve(property).format === undefined,
    );
    // a change of nothing may be refused before the row is looked for
    const needed = fields.filter(
      ([name]) => required.includes(name) || name === 'project_id' || (method === 'PATCH' && name === changed?.[0]),
    );
    const project = this.world.location(location).project.id;
    const values = needed.map(async ([name, property]) => [
      name,
      name === 'project_id' ? project : ((await this.referenceOf(name, property, location)) ?? this.valueOf(name, property, location)),
    ]);
    return Object.fromEntries(await Promise.all(values)) as Json;
  }

  /** The id of a row that the location has, or of its owner; undefined for a field of another kind. */
  private async referenceOf(name: string, property: Schema, location: Location): Promise<unknown> {
    const { type, format, items } = this.api.resolve(property);
    if (type === 'array') {
      const item = await this.referenceOf(name.replace(/_ids$/, '_id'), items as Schema, location);
      return item === undefined ? undefined : [item];
    }
    if (format !== 'uuid') return undefined;
    const { routes } = this.module;
    const rows = location === 'own' ? await ownValues(this.world, routes) : (await foreignRows(this.world, routes, location)).values;
    const made = this.referencesIn(location);
    // the `calendar_id` of a holiday is a holiday_calendar
    const similar = [...made].find(([one]) => one.endsWith(`_${name}`))?.[1];
    return made.get(name) ?? rows.get(name) ?? similar ?? this.world.location(location).workspace.owner.id;
  }

  /** The example of a field, or a text of its own where two rows may not have the same. */
  private valueOf(name: string, property: Schema, location: Location): unknown {
    const { type, format, enum: values, pattern, maxLength = Infinity } = this.api.resolve(property);
    const text = this.world
      .location(location)
      .unique()
      .slice(0, maxLength as number);
    if (format === 'email') return `${text}@example.com`;
    const isName = type === 'string' && !format && !values && /(?:^|_)(?:name|title|label|code|slug|key)$/.test(name);
    const allowed = [text, `a${text}`].find((one) => typeof pattern !== 'string' || new RegExp(pattern, 'u').test(one));
    return (isName ? allowed : undefined) ?? this.api.example(property);
  }

  private referencesIn(location: Location): Map<string, string> {
    const known = this.references.get(location) ?? new Map<string, string>();
    this.references.set(location, known);
    return known;
  }
}

/** The example of an upload's file. */
function fileOf({ requestBody }: Json): SampleFile | undefined {
  const { content = {} } = (requestBody ?? {}) as { content?: Record<string, { schema?: Schema }> };
  const [file] = Object.entries(content).flatMap(([type, { schema }]) => {
    const text = ((schema?.examples ?? []) as unknown[])[0];
    return typeof text === 'string' ? new SampleFile(type, text) : [];
  });
  return file;
}
