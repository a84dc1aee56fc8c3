import type { ApiDocument, Json, Schema } from '../../harness/api-document.js';
import type { ApiResponse, Client } from '../../harness/client.js';
import { callOf, sendCall, type Call, type Location, type ModuleContext } from './module-context.js';
import { parametersOf, pathUpTo, type KeyedRoute } from './module-routes.js';

/** By route: how many of its changes were refused, which are not tried again. */
const refused = new WeakMap<ModuleContext, Map<KeyedRoute, number>>();

/**
 * Sends a call of a POST with other flags and choices than a row has that the same call made: all of them, or the flags alone, or none,
 * whichever is not refused. A read may show rows of others only in such a state, such as archived ones.
 */
export async function sendInOtherState(
  world: ModuleContext,
  client: Client,
  route: KeyedRoute,
  call: Call,
  row: Json,
): Promise<ApiResponse> {
  const { body } = world.api.operation(route.endpoint.operation);
  const fields = (body ? choicesOf(world.api, body, call.body ?? {}, row) : []).map(({ name, others }): [string, unknown] => [
    name,
    others[0],
  ]);
  const flags = fields.filter(([, value]) => typeof value === 'boolean');
  const changes = [fields, ...(flags.length < fields.length ? [flags] : [])].filter(({ length }) => length > 0);
  const known = refused.get(world) ?? new Map<KeyedRoute, number>();
  refused.set(world, known);
  for (const change of changes.slice(known.get(route) ?? 0)) {
    const response = await sendCall(client, route, {
      ...call,
      body: { ...call.body, ...Object.fromEntries(change) },
    });
    if (response.status < 400 || response.status >= 500) return response;
    known.set(route, (known.get(route) ?? 0) + 1);
  }
  return sendCall(client, route, call);
}

/** The optional fields of a POST with which a row is made, or of the PATCH that changes it then. */
interface State {
  made: Json;
  changed: Json;
}

/** What was sent for a row, and what was answered. */
export interface MadeRow {
  row: Json;
  sent: Json;
}

/** By route and state, what was refused and is not tried again. */
const unreachable = new WeakMap<ModuleContext, Set<string>>();

/**
 * Makes rows of a POST in the states besides the usual one and that of `sendInOtherState`: each value of each choice is had once, also of
 * choices and flags that only a PATCH takes. `sent` and `row` are of the usual one.
 */
export async function makeInFurtherStates(
  world: ModuleContext,
  location: Location,
  route: KeyedRoute,
  { sent, row }: MadeRow,
): Promise<MadeRow[]> {
  const found: MadeRow[] = [];
  for (const state of furtherStates(world, route, sent, row)) {
    const made = await makeInState(world, location, route, state);
    if (made) found.push(made);
    const fields = Object.entries(state.made);
    if (made || fields.length < 2) continue;
    for (const [name, value] of fields) {
      const alone = await makeInState(world, location, route, { made: { [name]: value }, changed: {} });
      if (alone) found.push(alone);
    }
  }
  return found;
}

function furtherStates(world: ModuleContext, route: KeyedRoute, sent: Json, row: Json): State[] {
  const choices = (at: KeyedRoute | undefined) => {
    const { body } = (at && world.api.operation(at.endpoint.operation)) ?? {};
    return body ? choicesOf(world.api, body, sent, row) : [];
  };
  const made = choices(route);
  const known = new Set(made.map(({ name }) => name));
  const rounds = (of: readonly Choice[]) => {
    const at = (round: number) =>
      Object.fromEntries(of.flatMap(({ name, others }) => (round < others.length ? [[name, others[round]]] : [])));
    return Array.from({ length: Math.max(0, ...of.map(({ others }) => others.length)) }, (_, round) => at(round));
  };
  return [
    ...rounds(made.map(({ name, others }) => ({ name, others: others.slice(1) }))).map((fields) => ({ made: fields, changed: {} })),
    ...rounds(choices(changeOf(world, route)).filter(({ name }) => !known.has(name))).map((fields) => ({ made: {}, changed: fields })),
  ];
}

/** Makes a row in a state; undefined if the module refuses it. */
async function makeInState(world: ModuleContext, location: Location, route: KeyedRoute, state: State): Promise<MadeRow | undefined> {
  const refusedStates = unreachable.get(world) ?? new Set<string>();
  unreachable.set(world, refusedStates);
  const key = `${route.endpoint.operation} ${JSON.stringify(state)}`;
  if (refusedStates.has(key)) return undefined;
  const { client } = world.location(location);
  const call = await world.call(route, location);
  const change = changeOf(world, route);
  let response = await sendCall(client, route, { ...call, body: { ...call.body, ...state.made } });
  const { id } = (response.body ?? {}) as Json;
  if (change && typeof id === 'string' && Object.keys(state.changed).length > 0) {
    const ids = { ...call.ids, [parametersOf(change.path).at(-1)!]: id };
    response = await sendCall(client, change, callOf(change, world.api.operation(change.endpoint.operation), ids, state.changed));
  }
  const { status, text } = response;
  if (status >= 500) throw new Error(`${route.endpoint.operation} with ${JSON.stringify(state)} failed: ${status} ${text}`);
  if (status < 400) return { row: (response.body ?? {}) as Json, sent: call.body ?? {} };
  refusedStates.add(key);
  return undefined;
}

/**
 * A call of a route whose row has other flags and choices than usual, the last of each, such as a locked one; undefined if its POST
 * takes none, or refuses these.
 */
export async function callInOtherState(world: ModuleContext, route: KeyedRoute): Promise<Call | undefined> {
  const [parameter] = parametersOf(route.path);
  const creation = parameter && world.routeAt('POST', pathUpTo(route.path, parameter).replace(/\/[^/]+$/, ''));
  if (!creation || creation.endpoint.status !== 201) return undefined;
  const { body } = world.api.operation(creation.endpoint.operation);
  const made = await world.call(creation);
  const choices = body ? choicesOf(world.api, body, made.body ?? {}, {}) : [];
  const state = { made: Object.fromEntries(choices.map(({ name, others }) => [name, others.at(-1)])), changed: {} };
  if (choices.length === 0) return undefined;
  const found = await makeInState(world, 'own', creation, state);
  if (typeof found?.row.id !== 'string') return undefined;
  const call = await world.call(route);
  return callOf(route, world.api.operation(route.endpoint.operation), { ...call.ids, [parameter]: found.row.id }, call.args);
}

/** The PATCH of the rows that a POST makes. */
function changeOf(world: ModuleContext, { path }: KeyedRoute): KeyedRoute | undefined {
  return world.routesBelow(path).find((other) => other.method === 'PATCH' && /^\/\{[^}]+\}$/.test(other.path.slice(path.length)));
}

interface Choice {
  name: string;
  /** The values that the row does not have. */
  others: unknown[];
}

/** The optional flags and choices of a body that the call leaves out, each with the values that the row does not have. */
function choicesOf(api: ApiDocument, body: Schema, sent: Json, row: Json): Choice[] {
  const { properties = {}, required = [] } = api.resolve(body) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).flatMap(([name, schema]): Choice[] => {
    if (required.includes(name) || name in sent) return [];
    const shape = api.resolve(schema);
    const present = row[name] ?? shape.default;
    if ([shape.type].flat().includes('boolean')) return [{ name, others: [present !== true] }];
    const others = ((shape.enum ?? []) as unknown[]).filter((value) => value !== null && value !== present);
    return others.length === 0 ? [] : [{ name, others }];
  });
}
