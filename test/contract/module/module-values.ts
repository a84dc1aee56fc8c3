import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Json, Schema } from '../../harness/api-document.js';
import type { ApiResponse, Client } from '../../harness/client.js';
import { sendCall, type Location, type ModuleContext, type Subject } from './module-context.js';
import { comparable } from './module-errors.js';
import { itemPathOf, type DescribedModule, type KeyedRoute } from './module-routes.js';

/** Values of rows in a location, by the fields that have them. */
type Values = ReadonlyMap<string, string>;

const FOREIGN = 'another organization';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A value made with `unique()` of a sample. */
const UNIQUE = /[0-9a-f]{10}/;

/**
 * Checks that a value of another organization's row, where a key names one of its own, has the same effect as a value that nobody has:
 * an id in a body, and an id, a natural key or a search text in a query. Otherwise an answer would show what exists elsewhere.
 */
export function checkForeignValues(module: DescribedModule, world: () => ModuleContext): void {
  test('a value of a row elsewhere, in a query or a body, is as good as one that nobody has', async () => {
    expect(await foreignValueFaults(module, world())).toEqual([]);
  });
}

export async function foreignValueFaults({ routes }: DescribedModule, world: ModuleContext): Promise<string[]> {
  const [pinned, good] = [await world.keys.pinned(), await world.keys.good()];
  const faults: string[] = [];
  for (const location of ['another project', FOREIGN, 'the other mode'] as const) {
    const values = await valuesIn(world, routes, location);
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const { operation, list } = route.endpoint;
      if (!world.hiddenFrom(operation, list ? itemPathOf(route, routes) : route.path).includes(location)) continue;
      faults.push(...(await queryFaults(world.subject(route), location === 'another project' ? pinned : good, values, location)));
    }
    if (location !== FOREIGN) continue;
    for (const route of routes.filter(({ hasBody }) => hasBody)) {
      faults.push(...(await referenceFaults(world.subject(route), good, values)));
      if (route.method === 'POST' && !route.path.includes('{')) faults.push(...(await sameValueFaults(world.subject(route), good)));
    }
  }
  return faults;
}

/** Makes a row with each POST. Its id is under the name by which other resources refer to it, and under the path of the POST. */
async function valuesIn(world: ModuleContext, routes: readonly KeyedRoute[], location: Location): Promise<Values> {
  const values = new Map<string, string>();
  for (const route of routes.filter(({ method }) => method === 'POST')) {
    const call = await world.call(route, location);
    const { body } = await sendCall(world.location(location).client, route, call);
    const members = Object.entries((body ?? {}) as Json).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    for (const [name, value] of members) {
      // projects, members and configuration are the same in both modes
      const isOfLocation = UUID.test(value) ? location === FOREIGN && name !== 'id' : UNIQUE.test(value);
      if (isOfLocation) values.set(name, value);
    }
    const { id, object } = (body ?? {}) as { id?: string; object?: string };
    if (typeof id === 'string') values.set(`${object}_id`, id).set(route.path, id);
  }
  return values;
}

async function queryFaults(it: Subject, client: Client, values: Values, location: Location): Promise<string[]> {
  const faults: string[] = [];
  const call = await it.context.sameCall(it.route);
  const texts = new Set([...values.values()].filter((value) => UNIQUE.test(value) && !UUID.test(value)));
  for (const { name, in: where, schema } of it.operation.parameters) {
    if (where !== 'query' || !isText(it.context.api.resolve(schema))) continue;
    for (const value of name === 'q' ? [...texts] : [values.get(name) ?? []].flat()) {
      const send = (text: string) => it.send(client, it.with(call, { query: `${name}=${encodeURIComponent(text)}` }));
      const difference = await differenceOf(value, send, it);
      if (difference) faults.push(`${it.operation.id} treats ${name} of ${location} unlike an unknown one: ${difference}`);
    }
  }
  return faults;
}

async function referenceFaults(it: Subject, client: Client, values: Values): Promise<string[]> {
  const faults: string[] = [];
  const properties = (it.context.api.resolve(it.operation.body as Schema).properties ?? {}) as Record<string, Schema>;
  // a reference to something of the same kind may have any name, such as parent_id
  const collection = it.route.path.replace(/\/\{.*/, '');
  for (const [name, property] of Object.entries(properties)) {
    const schema = it.context.api.resolve(property);
    const isList = schema.type === 'array';
    const { format } = isList ? it.context.api.resolve(schema.items as Schema) : schema;
    const value = values.get(name.replace(/_ids$/, '_id')) ?? values.get(collection);
    if (format !== 'uuid' || value === undefined) continue;
    const send = async (id: string) => {
      const call = await it.context.call(it.route);
      return it.send(client, it.with(call, { body: { ...call.body, [name]: isList ? [id] : id } }));
    };
    const difference = await differenceOf(value, send, it);
    if (difference) faults.push(`${it.operation.id} treats ${name} of ${FOREIGN} unlike an unknown one: ${difference}`);
  }
  return faults;
}

/** Two organizations may each have a row with the same values. */
async function sameValueFaults(it: Subject, client: Client): Promise<string[]> {
  const foreign = await it.context.call(it.route, FOREIGN);
  const made = await sendCall(it.context.location(FOREIGN).client, it.route, foreign);
  const call = await it.context.call(it.route);
  const same = Object.entries(foreign.body ?? {}).filter(
    ([, value]) => typeof value === 'string' && !UUID.test(value) && UNIQUE.test(value),
  );
  if (made.status !== it.route.endpoint.status || same.length === 0) return [];
  const { status, text } = await it.send(client, it.with(call, { body: { ...call.body, ...Object.fromEntries(same) } }));
  if (status === made.status) return [];
  return [`${it.operation.id} refuses ${same.map(([name]) => name).join(', ')} of a row of ${FOREIGN}: ${status} ${text.slice(0, 200)}`];
}

/** How the answer to a foreign value differs from that to a value that nobody has; null if it does not. */
async function differenceOf(value: string, send: (value: string) => Promise<ApiResponse>, it: Subject): Promise<string | null> {
  const unknown = UUID.test(value) ? randomUUID() : value.replace(UNIQUE, randomBytes(5).toString('hex'));
  const [ofForeign, ofUnknown] = [answerOf(await send(value), value, it), answerOf(await send(unknown), unknown, it)];
  return ofForeign === ofUnknown ? null : `${ofForeign.slice(0, 200)} instead of ${ofUnknown.slice(0, 200)}`;
}

function answerOf({ status, text, body }: ApiResponse, value: string, { context, route }: Subject): string {
  const { error } = (body ?? {}) as { error?: Json };
  if (error) return `${status} ${JSON.stringify(comparable(error)).replaceAll(value, 'VALUE')}`;
  // what a write answers has ids and times of its own
  return route.method === 'GET' ? `${status} ${context.settled(route.endpoint.operation, text).replaceAll(value, 'VALUE')}` : `${status}`;
}

function isText(schema: Schema): boolean {
  if (schema.type === 'array') return true;
  return schema.type === 'string' && schema.enum === undefined && schema.format !== 'date-time' && schema.format !== 'date';
}
