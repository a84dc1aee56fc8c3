import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Json, Schema } from '../../harness/api-document.js';
import type { ApiResponse, Client } from '../../harness/client.js';
import { isObject } from '../../../src/kit/index.js';
import { sendCall, type ModuleContext, type Subject } from './module-context.js';
import { collected, comparable, firstDifference } from './module-errors.js';
import { foreignRows, type ForeignRows } from './module-foreign.js';
import { itemPathOf, type DescribedModule } from './module-routes.js';
import { UnchangedRows } from './module-unchanged.js';
import { UnusedCalls } from './module-unused-calls.js';
import { ELSEWHERE, UNIQUE, UUID, UUIDS, type Elsewhere } from './module-rows.js';
import { hiddenPlaces, placesIn, type Place } from './module-value-places.js';
import { ownValues, type OwnValues } from './module-variants.js';

/**
 * Checks that a value of a row in another organization, mode or, for a pinned key, project has the same effect as a value that nobody has:
 * an id, a natural key or a search text in a query, a body at any depth, or an uploaded file. Otherwise an answer would show what exists
 * elsewhere. Checks also that no row keeps the id of such a row.
 */
export function checkForeignValues(module: DescribedModule, world: () => ModuleContext): void {
  test('a value of a row elsewhere, in a query, a body or a file, is as good as one that nobody has', async () => {
    expect(await foreignValueFaults(module, world())).toEqual([]);
  });
}

export async function foreignValueFaults({ routes, tables }: DescribedModule, world: ModuleContext): Promise<string[]> {
  const faults: string[] = [];
  const makesRows = routes.some(({ method, endpoint }) => method === 'POST' && endpoint.status === 201);
  const ours = { own: await ownValues(world, routes), makesRows };
  for (const location of ELSEWHERE) {
    const rows = await foreignRows(world, routes, location);
    faults.push(...rows.faults);
    const client = await world.viewerClient(location);
    const sent = new Set<string>(rows.ids);
    const taken = new Map<string, string[]>();
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const { operation, list } = route.endpoint;
      if (!world.hiddenFrom(operation, list ? itemPathOf(route, routes) : route.path).includes(location)) continue;
      await collected(faults, async () => void faults.push(...(await queryFaults(world.subject(route), client, rows, ours))));
    }
    const writes: { it: Subject; places: Place[] }[] = [];
    for (const route of routes.filter(({ hasBody, endpoint }) => hasBody || endpoint.upload)) {
      await collected(faults, async () => {
        const it = world.subject(route);
        const theirs = rows.calls.get(route) ?? (await world.call(route, location));
        if (!rows.calls.has(route)) await sendCall(world.location(location).client, route, theirs);
        writes.push({ it, places: await placesIn(it, theirs, rows) });
      });
    }
    const values = writes.flatMap(({ places }) => places.map(({ value }) => value));
    const hidden = await world.places.hidden(values, world.viewer(location));
    const unchanged = await UnchangedRows.of(world, location);
    for (const { it, places } of writes) {
      await collected(faults, async () => {
        const calls = new UnusedCalls(it);
        try {
          for (const place of hiddenPlaces(it, places, rows, itemPathOf(it.route, routes), hidden)) {
            const { answer, difference } = await writeFault(it, client, place, location, calls);
            if (difference) faults.push(difference);
            if (!UUID.test(place.value)) continue;
            sent.add(place.value);
            const what = `${place.name} of ${it.operation.id}`;
            if (answer.status < 400) taken.set(place.value, [...(taken.get(place.value) ?? []), what]);
          }
          calls.end();
        } finally {
          // also of a route that failed, or the next one would be blamed
          faults.push(...(await unchanged.after(it.operation.id)));
        }
      });
    }
    const kept = [...tables, 'outbox_events'].filter((table) => !world.requestLogs.includes(table));
    for (const { table, text } of await world.places.containing(sent, kept, world.viewer(location)))
      faults.push(keptFault(table, text, taken.get(text) ?? [], location));
  }
  return faults;
}

async function queryFaults(
  it: Subject,
  client: Client,
  { location, values }: ForeignRows,
  { own, makesRows }: { own: OwnValues; makesRows: boolean },
): Promise<string[]> {
  const faults: string[] = [];
  // a row of each POST
  const ids = new Set([...values].filter(([name]) => name.startsWith('/')).map(([, id]) => id));
  const call = await it.context.sameCall(it.route);
  const unknowns = new Map<string, ApiResponse>();
  const texts = new Set([...values.values()].filter((value) => UNIQUE.test(value) && !UUID.test(value)));
  for (const { name, in: where, schema } of it.operation.parameters) {
    const shape = it.context.api.resolve(schema);
    if (where !== 'query' || !isText(shape)) continue;
    const reference = name.replace(/_ids$/, '_id');
    const named = values.get(reference);
    const isList = shape.type === 'array';
    const { format } = isList ? it.context.api.resolve(shape.items as Schema) : shape;
    // a reference may have any name, such as parent_id
    const isUnnamed = format === 'uuid' && named === undefined && !own.has(reference);
    // rows of another organization are hidden whatever their scoping, so a POST has made some
    if (isUnnamed && ids.size === 0 && makesRows && location === 'another organization')
      faults.push(`${it.operation.id}: no POST made a row of ${location} whose id could be tried as ${name}`);
    const unnamed = isUnnamed ? (isList ? joined(ids, shape) : [...ids]) : [];
    const tried = name === 'q' ? [...texts] : named === undefined ? unnamed : [named];
    // an unchecked value may follow a checked one
    const { maxItems = Infinity } = shape as { maxItems?: number };
    const ours = isList && named !== undefined && maxItems > 1 && own.has(reference) ? `${own.get(reference)},` : '';
    for (const value of tried) {
      const send = (text: string) => it.send(client, it.with(call, { query: `${name}=${encodeURIComponent(ours + text)}` }));
      const kind = `${name} ${UUID.test(value.slice(0, 36)) ? 'id' : value.replace(UNIQUE, '')}`;
      const unknown = unknowns.get(kind) ?? (await send(unknownLike(value)));
      unknowns.set(kind, unknown);
      const differs = async (from: ApiResponse) => differenceOf(await send(value), from, value, it);
      let difference = await differs(unknown);
      // jobs of the module may have changed the rows since the other answer
      for (let again = 0; difference && again < 10; again++) difference = await differs(await send(unknownLike(value)));
      if (difference) faults.push(`${it.operation.id} treats ${name} of ${location} unlike an unknown one: ${difference}`);
    }
  }
  return faults;
}

/** What a row keeps of another place; `takenAs` are the fields of the calls that were not refused. */
export function keptFault(table: string, id: string, takenAs: readonly string[], location: Elsewhere): string {
  const how = takenAs.length === 0 ? '' : `, sent as ${[...new Set(takenAs)].join(' or ')}`;
  return `${table} keeps the id of a row of ${location}: ${id}${how}; look each reference up with tx.reference, which names the field`;
}

/** The answer to a foreign value, and how it differs from that to an unknown one. */
async function writeFault(
  it: Subject,
  client: Client,
  place: Place,
  location: Elsewhere,
  calls: UnusedCalls,
): Promise<{ answer: ApiResponse; difference: string | null }> {
  const send = (value: string) => calls.send(client, (call) => place.put(call, value));
  const unknown = await it.context.once(`${it.operation.id} ${place.name} of ${location === 'another project'}`, () =>
    send(unknownLike(place.value)),
  );
  // last, or the unknown one overwrites it where each call changes the same row
  const answer = await send(place.value);
  const difference = differenceOf(answer, unknown, place.value, it);
  return {
    answer,
    difference: difference && `${it.operation.id} treats ${place.name} of ${location} unlike an unknown one: ${difference}`,
  };
}

function unknownLike(value: string): string {
  const ids = value.match(UUIDS);
  return ids ? ids.map(() => randomUUID()).join(',') : value.replace(UNIQUE, randomBytes(5).toString('hex'));
}

/** How the answer to a foreign value differs from that to a value that nobody has; null if it does not. */
function differenceOf(answer: ApiResponse, unknown: ApiResponse, value: string, it: Subject): string | null {
  const [ofForeign, ofUnknown] = [answer, unknown].map((one) => comparableAnswer(one, value, it));
  if (answer.status >= 500) return ofForeign.slice(0, 300);
  return firstDifference(ofForeign, ofUnknown)?.join(' instead of ') ?? null;
}

function comparableAnswer({ status, text, body }: ApiResponse, value: string, { context, route }: Subject): string {
  const { error } = (isObject(body) ? body : {}) as { error?: Json };
  if (error) return `${status} ${masked(JSON.stringify(comparable(error)))}`;
  const { method, endpoint } = route;
  // a cursor is bound to the filter of its page
  const settled = () => context.settled(endpoint.operation, text).replace(/"next_cursor":"[^"]+"/, '"next_cursor":"CURSOR"');
  if (method === 'GET') return `${status} ${settled().replaceAll(value, 'VALUE')}`;
  // what a write makes has ids, times and numbers of its own; an import tells how many rows it took
  return endpoint.upload ? `${status} ${masked(text)}` : `${status} ${JSON.stringify(shapeOf(body))}`;
}

/** A text without ids, times and unique texts. */
export function masked(text: string): string {
  return text
    .replace(/req_[0-9a-f]+/g, 'REQUEST')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/[0-9a-f]{10}/g, 'TEXT');
}

/** JSON without its texts, numbers and lists, but with the items of a batch that were refused. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => isObject(item) && isObject(item.error)).map(shapeOf);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
  return typeof value === 'boolean' || value === null ? value : typeof value;
}

/** The ids as lists of a query, as few as the schema allows. */
function joined(ids: ReadonlySet<string>, { maxItems = Infinity }: Schema): string[] {
  const left = [...ids];
  const lists: string[] = [];
  while (left.length > 0) lists.push(left.splice(0, maxItems as number).join(','));
  return lists;
}

function isText(schema: Schema): boolean {
  if (schema.type === 'array') return true;
  return schema.type === 'string' && schema.enum === undefined && schema.format !== 'date-time' && schema.format !== 'date';
}
