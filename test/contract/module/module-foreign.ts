import type { Json } from '../../harness/api-document.js';
import { isObject } from '../../../src/kit/index.js';
import { sendCall, type Call, type ModuleContext } from './module-context.js';
import { collected, expectAnswer } from './module-errors.js';
import type { KeyedRoute } from './module-routes.js';
import { UUID, type Elsewhere } from './module-rows.js';
import { makeInFurtherStates, sendInOtherState } from './module-states.js';

/** Rows in a location, by what names them. */
export interface ForeignRows {
  location: Elsewhere;
  /** Ids and texts by the fields that have them; the id of a row also by the name of references to it, and by the path of its POST. */
  values: ReadonlyMap<string, string>;
  /** The ids of the rows. */
  ids: ReadonlySet<string>;
  /** All ids and texts that only rows of the location have. */
  texts: ReadonlySet<string>;
  /** The calls that made rows. */
  calls: ReadonlyMap<KeyedRoute, Call>;
  /** Why some rows were not made. */
  faults: readonly string[];
}

const made = new WeakMap<ModuleContext, Map<Elsewhere, Promise<ForeignRows>>>();

/**
 * Rows elsewhere, the same at each call: two are made with each POST. The first is older than all rows of others, the second has
 * other flags and choices, if the POST takes them, and the other choices have a row each.
 */
export function foreignRows(world: ModuleContext, routes: readonly KeyedRoute[], location: Elsewhere): Promise<ForeignRows> {
  return made.get(world)?.get(location) ?? newForeignRows(world, routes, location);
}

/** New rows elsewhere, which are those of `foreignRows` from now on. */
export function newForeignRows(world: ModuleContext, routes: readonly KeyedRoute[], location: Elsewhere): Promise<ForeignRows> {
  const known = made.get(world) ?? new Map<Elsewhere, Promise<ForeignRows>>();
  made.set(world, known);
  const rows = makeForeignRows(world, routes, location);
  known.set(location, rows);
  return rows;
}

async function makeForeignRows(world: ModuleContext, routes: readonly KeyedRoute[], location: Elsewhere): Promise<ForeignRows> {
  let found: [name: string, value: string][] = [];
  const ids: string[] = [];
  const faults: string[] = [];
  const calls = new Map<KeyedRoute, Call>();
  const plain = new Map<KeyedRoute, Json>();
  const make = (route: KeyedRoute) =>
    collected(faults, async () => {
      const call = await world.call(route, location);
      const first = plain.get(route);
      const { client } = world.location(location);
      const response = await (first ? sendInOtherState(world, client, route, call, first) : sendCall(client, route, call));
      expectAnswer(response, route.endpoint.status, `${route.endpoint.operation} in ${location}`);
      const row = (response.body ?? {}) as Json;
      if (!first) {
        calls.set(route, call);
        plain.set(route, row);
      }
      const named = namesIn(route, row, call.body, ids);
      // the last of a name stands for it, which is that of the row in the usual state
      found = first ? [...named, ...found] : [...found, ...named];
    });
  const posts = routes.filter(({ method }) => method === 'POST');
  for (const route of posts) await make(route);
  // a statement without a restriction may read the first row as well as the last one
  await collected(faults, () => world.dateBack(location));
  for (const route of posts) await make(route);
  // a statement may leave out its restriction for one state alone
  for (const [route, row] of plain) {
    const usual = { sent: calls.get(route)?.body ?? {}, row };
    await collected(faults, async () => {
      for (const one of await makeInFurtherStates(world, location, route, usual)) found.unshift(...namesIn(route, one.row, one.sent, ids));
    });
  }
  const hidden = await world.places.hidden([...found.map(([, value]) => value), ...ids], world.viewer(location));
  const isTheirs = (value: string) => (UUID.test(value) ? hidden.has(value) : world.isUniqueOf(location, value));
  const theirs = found.filter(([, value]) => isTheirs(value));
  return {
    location,
    // a row is better named by a reference than by its own id, which has the same name in all
    values: new Map(theirs.filter(([name]) => name !== 'id')),
    ids: new Set(ids.filter((id) => hidden.has(id))),
    texts: new Set(theirs.map(([, value]) => value)),
    calls,
    faults: [...new Set(faults)],
  };
}

/** The texts of a row by their names; its id is added to `ids`. */
function namesIn({ path: collection }: KeyedRoute, row: Json, sent: Json | undefined, ids: string[]): [name: string, value: string][] {
  const named = [...leavesOf(row), ...leavesOf(sent ?? {})].map(({ path, text }): [string, string] => [nameOf(path), text]);
  if (typeof row.id !== 'string') return named;
  ids.push(row.id);
  return [...named, [`${row.object as string}_id`, row.id], [collection, row.id]];
}

export interface Leaf {
  /** Members and indexes from the body to the text. */
  path: (string | number)[];
  text: string;
}

/** The texts in JSON, at any depth. */
export function leavesOf(value: unknown, path: (string | number)[] = []): Leaf[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]));
  return isObject(value) ? Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name])) : [];
}

/** A copy of JSON with another value at a path. */
export function withValue<T>(json: T, path: readonly (string | number)[], value: unknown): T {
  const copy = structuredClone(json);
  const parent = path.slice(0, -1).reduce<unknown>((at, step) => (at as Json)[step], copy);
  (parent as Json)[path.at(-1)!] = value;
  return copy;
}

/** The field of a text: an item of a list has that of the list. */
export function nameOf(path: readonly (string | number)[]): string {
  return path.findLast((step): step is string => typeof step === 'string') ?? '';
}
