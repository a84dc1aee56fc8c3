import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Json } from './api-document.js';
import { comparable, refusalFaults } from './module-refusals.js';
import { fillPath, parametersOf, pathUpTo, type KeyedRoute } from './module-routes.js';
import type { PlaceName, Subject } from './module-world.js';

const NOT_FOUND = { status: 404, code: 'not_found' };

/** What lies in another project, organization or mode does not exist: neither by id nor in a list. */
export function checkIsolation(route: KeyedRoute, subject: () => Subject, routes: readonly KeyedRoute[]): void {
  for (const parameter of parametersOf(route.path)) checkParameter(route, parameter, subject);
  const item = route.method === 'GET' && route.endpoint.list ? itemPathOf(route, routes) : undefined;
  if (item) checkList(route, item, subject);
  checkPin(route, subject);
}

function checkParameter(route: KeyedRoute, parameter: string, subject: () => Subject): void {
  const path = pathUpTo(route.path, parameter);

  test(`does not find a foreign, absent or malformed {${parameter}}, and tells none of them from another`, async () => {
    const it = subject();
    const { world } = it;
    const pinned = await world.keys.pinned();
    const call = await world.sameCall(route);
    const outer = parametersOf(path).slice(0, -1);
    const faults: string[] = [];
    const errors = new Map<string, unknown>();
    const attempt = async (what: string, id: string, client = pinned) => {
      const answer = await it.send(client, it.with(call, { ids: { ...call.ids, [parameter]: id } }));
      faults.push(...refusalFaults(it, what, answer, NOT_FOUND));
      errors.set(what, comparable((answer.body?.error ?? {}) as Json));
    };
    await attempt('an absent id', randomUUID());
    for (const malformed of ['not-an-id', '0', call.ids[parameter].toUpperCase(), `${call.ids[parameter]}0`])
      await attempt(`the malformed id ${malformed}`, malformed);
    for (const place of world.hiddenPlaces(path)) {
      const ids: Record<string, string> = {};
      for (const name of outer) ids[name] = await world.existing(pathUpTo(path, name), place, ids);
      const id = await world.existing(path, place, ids);
      const before = await readIn(it, path, { ...ids, [parameter]: id }, place);
      await attempt(`an id of ${place}`, id);
      // without a pin, which would hide the other organization's project as well
      if (place !== 'another project') await attempt(`an id of ${place}, for an organization-wide key`, id, await world.keys.good());
      expect({ place, resource: await readIn(it, path, { ...ids, [parameter]: id }, place) }).toEqual({ place, resource: before });
    }
    expect(faults).toEqual([]);
    expect(Object.fromEntries(errors)).toEqual(Object.fromEntries([...errors.keys()].map((what) => [what, errors.get('an absent id')])));
  });
}

/** A resource as its owner reads it; undefined where the module has no such route. */
async function readIn({ world }: Subject, path: string, ids: Record<string, string>, place: PlaceName): Promise<unknown> {
  const route = world.routeAt('GET', path);
  if (!route) return undefined;
  const answer = await world.place(place).client.get(fillPath(path, ids));
  if (answer.status !== 200)
    throw new Error(`${route.endpoint.operation} does not find a resource in ${place}, where it was made: ${answer.text}`);
  return answer.body as unknown;
}

/** The path of one of a list's items: what the module can read singly or make. */
function itemPathOf({ path }: KeyedRoute, routes: readonly KeyedRoute[]): string | undefined {
  const single = routes.find(
    (other) =>
      other.path.startsWith(`${path}/{`) && other.path.endsWith('}') && other.path.split('/').length === path.split('/').length + 1,
  );
  return single?.path ?? (routes.some((other) => other.method === 'POST' && other.path === path) ? `${path}/{id}` : undefined);
}

function checkList(route: KeyedRoute, item: string, subject: () => Subject): void {
  test.each(['pinned', 'good'] as const)('lists and counts nothing of another project, organization or mode (%s key)', async (key) => {
    const it = subject();
    const { world } = it;
    const client = await world.keys[key]();
    const call = await world.sameCall(route);
    const paged = it.operation.parameters.some(({ name }) => name === 'include_total');
    const list = async () =>
      (await it.send(client, paged ? it.with(call, { query: 'include_total=true&limit=100' }) : call)).body as {
        data: { id: string }[];
        total_count?: number;
      };
    const before = await list();
    const foreign: string[] = [];
    for (const place of world.hiddenPlaces(item).filter((name) => key === 'pinned' || name !== 'another project')) {
      const ids: Record<string, string> = {};
      for (const name of parametersOf(route.path)) ids[name] = await world.existing(pathUpTo(route.path, name), place, ids);
      foreign.push(await world.make(item, place, ids));
    }
    const after = await list();
    expect(after.data.map(({ id }) => id).filter((id) => foreign.includes(id))).toEqual([]);
    expect(after.total_count).toBe(before.total_count);
    // one that is the key's own does show, so the emptiness above is no accident
    if (world.routeAt('POST', route.path)) {
      await world.make(item, 'own', call.ids);
      if (paged) expect((await list()).total_count).toBe((before.total_count as number) + 1);
    }
  });
}

function checkPin(route: KeyedRoute, subject: () => Subject): void {
  if (!route.takesProject) return;
  test('refuses that a pinned key names another project: 403 project_scope_mismatch', async () => {
    const it = subject();
    const { world } = it;
    const call = await world.sameCall(route);
    const other = world.workspace.ops.id;
    const inBody = it.operation.body && 'project_id' in ((world.api.resolve(it.operation.body).properties ?? {}) as Json);
    const { project_id: _, ...args } = call.args;
    const spoilt = inBody
      ? it.with(call, { body: { ...call.body, project_id: other } })
      : it.with({ ...call, args }, { query: `project_id=${other}` });
    expect(
      refusalFaults(it, 'another project', await it.send(await world.keys.pinned(), spoilt), {
        status: 403,
        code: 'project_scope_mismatch',
        param: 'project_id',
      }),
    ).toEqual([]);
  });
}
