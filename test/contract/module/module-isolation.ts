import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Json } from '../../harness/api-document.js';
import type { Client } from '../../harness/client.js';
import { comparable, errorFaults, expectAnswer } from './module-errors.js';
import { fillPath, itemPathOf, parametersOf, pathUpTo, type KeyedRoute } from './module-routes.js';
import type { Call, Location, Subject } from './module-context.js';

const NOT_FOUND = { status: 404, code: 'not_found' };

/** Checks that records of another project, organization or mode are invisible, by id and in lists. */
export function checkIsolation(route: KeyedRoute, subject: () => Subject, routes: readonly KeyedRoute[]): void {
  for (const parameter of parametersOf(route.path)) checkParameter(route, parameter, subject);
  const item = route.method === 'GET' && route.endpoint.list ? itemPathOf(route, routes) : undefined;
  if (item) checkList(route, item, subject);
  checkPin(route, subject);
}

function checkParameter(route: KeyedRoute, parameter: string, subject: () => Subject): void {
  const path = pathUpTo(route.path, parameter);

  test(`responds alike to a foreign, missing or malformed {${parameter}}: not found`, async () => {
    const it = subject();
    const { context } = it;
    if (context.putCreates(path)) return;
    const pinned = await context.keys.pinned();
    const call = await context.sameCall(route);
    const outer = parametersOf(path).slice(0, -1);
    const faults: string[] = [];
    const errors = new Map<string, unknown>();
    const attempt = async (what: string, id: string, client = pinned) => {
      const response = await it.send(client, it.with(call, { ids: { ...call.ids, [parameter]: id } }));
      faults.push(...errorFaults(it, what, response, NOT_FOUND));
      errors.set(what, comparable((response.body?.error ?? {}) as Json));
    };
    const isGet = route.method === 'GET';
    const ownKey = isGet ? await keyOf(it, parameter, path, call.ids, 'own') : undefined;
    if (ownKey !== undefined) {
      // another project may have the same one
      const [found, wanted] = await Promise.all(
        [ownKey, call.ids[parameter]].map((id) => it.send(pinned, it.with(call, { ids: { ...call.ids, [parameter]: id } }))),
      );
      expect([ownKey, found.status, found.text]).toEqual([ownKey, 200, wanted.text]);
    }
    await attempt('an absent id', randomUUID());
    for (const malformed of ['not-an-id', '0', `${call.ids[parameter]}0`]) await attempt(`the malformed id ${malformed}`, malformed);
    for (const location of context.hiddenLocations(path)) {
      const ids: Record<string, string> = {};
      for (const name of outer) ids[name] = await context.existing(pathUpTo(path, name), location, ids);
      const id = await context.existing(path, location, ids);
      const read = () => (isGet ? undefined : readIn(it, path, { ...ids, [parameter]: id }, location));
      const before = await read();
      await attempt(`an id of ${location}`, id);
      // without a project pin, which would hide the other organization's project as well
      if (location !== 'another project')
        await attempt(`an id of ${location}, for an organization-wide key`, id, await context.keys.good());
      const key = isGet ? await keyOf(it, parameter, path, { ...ids, [parameter]: id }, location) : undefined;
      if (key !== undefined) {
        // a row of the caller may have the same one
        const response = await it.send(pinned, it.with(call, { ids: { ...call.ids, [parameter]: key } }));
        if (response.text.includes(id)) faults.push(`the key ${key} shows a row of ${location}`);
      }
      expect({ location, resource: await read() }).toEqual({ location, resource: before });
    }
    if (context.hiddenLocations(path).includes('the other mode')) {
      const { client } = context.location('the other mode');
      const inTestMode = await context.sameCall(route, 'the other mode');
      const response = await it.send(client, it.with(inTestMode, { ids: { ...inTestMode.ids, [parameter]: call.ids[parameter] } }));
      faults.push(...errorFaults(it, 'a live id, for a key of test mode', response, NOT_FOUND));
    }
    expect(faults).toEqual([]);
    expect(Object.fromEntries(errors)).toEqual(Object.fromEntries([...errors.keys()].map((what) => [what, errors.get('an absent id')])));
  });
}

/** A resource as its owner reads it; undefined if the module has no such route. */
async function readIn({ context }: Subject, path: string, ids: Record<string, string>, location: Location): Promise<unknown> {
  const route = context.routeAt('GET', path);
  if (!route) return undefined;
  const response = await context.location(location).client.get(fillPath(path, ids));
  if (response.status !== 200)
    throw new Error(`${route.endpoint.operation} does not find a resource in ${location}, where it was created: ${response.text}`);
  return response.body as unknown;
}

/** The key that the path takes in place of the resource's id; undefined if it takes none, or the resource has none. */
async function keyOf(it: Subject, parameter: string, path: string, ids: Record<string, string>, location: Location) {
  const column = it.operation.parameters.find(({ name }) => name === parameter)?.['x-key'];
  const resource = column === undefined ? undefined : ((await readIn(it, path, ids, location)) as Json | undefined);
  return (resource?.[column as string] ?? undefined) as string | undefined;
}

function checkList(route: KeyedRoute, item: string, subject: () => Subject): void {
  test('neither lists nor counts records of another project, organization or mode', async () => {
    const it = subject();
    const { context } = it;
    const call = await context.sameCall(route);
    const paged = it.operation.parameters.some(({ name }) => name === 'include_total');
    const list = async (client: Client) => listed(it, client, paged ? it.with(call, { query: 'include_total=true&limit=100' }) : call);
    const [pinned, good] = [await context.keys.pinned(), await context.keys.good()];
    const before = { pinned: await list(pinned), good: await list(good) };
    const hidden = context.hiddenLocations(item);
    const foreign: string[] = [];
    const makeIn = async (location: Location) => {
      const ids: Record<string, string> = {};
      for (const name of parametersOf(route.path)) ids[name] = await context.existing(pathUpTo(route.path, name), location, ids);
      foreign.push(await context.make(item, location, ids));
    };
    const compare = async (key: 'pinned' | 'good', client: Client) => {
      const after = await list(client);
      expect([key, after.data.map(({ id }) => id).filter((id) => foreign.includes(id))]).toEqual([key, []]);
      expect([key, after.total_count]).toEqual([key, before[key].total_count]);
    };
    for (const location of hidden) if (location !== 'another project') await makeIn(location);
    await compare('good', good);
    // an organization-wide key sees that of another project
    if (hidden.includes('another project')) await makeIn('another project');
    await compare('pinned', pinned);
    // an own record is listed, which proves that the lists above are empty because of the filter
    if (!context.routeAt('POST', route.path)) return;
    const seen = await list(good);
    await context.make(item, 'own', call.ids);
    if (!paged) return;
    const counts = [(await list(pinned)).total_count, (await list(good)).total_count];
    expect(counts).toEqual([(before.pinned.total_count as number) + 1, (seen.total_count as number) + 1]);
  });
}

export async function listed(it: Subject, client: Client, call: Call): Promise<{ data: { id: string }[]; total_count?: number }> {
  const response = await it.send(client, call);
  expectAnswer(response, 200, it.operation.id);
  return response.body as Awaited<ReturnType<typeof listed>>;
}

function checkPin(route: KeyedRoute, subject: () => Subject): void {
  if (!route.takesProject) return;
  test('rejects another project for a pinned key: 403 project_scope_mismatch', async () => {
    const it = subject();
    const { context } = it;
    const call = await context.sameCall(route);
    const other = context.workspace.ops.id;
    const inBody = it.operation.body && 'project_id' in ((context.api.resolve(it.operation.body).properties ?? {}) as Json);
    const { project_id: _, ...args } = call.args;
    const invalid = inBody
      ? it.with(call, { body: { ...call.body, project_id: other } })
      : it.with({ ...call, args }, { query: `project_id=${other}` });
    expect(
      errorFaults(it, 'another project', await it.send(await context.keys.pinned(), invalid), {
        status: 403,
        code: 'project_scope_mismatch',
        param: 'project_id',
      }),
    ).toEqual([]);
  });
}
