import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Json } from '../../harness/api-document.js';
import type { Client } from '../../harness/client.js';
import { deletionFaults } from './module-deletions.js';
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

  const removes = route.method === 'DELETE' && path === route.path;
  test(`accepts {${parameter}} in upper case${removes ? ', and no read shows the row then' : ''}`, async () => {
    const it = subject();
    const call = await it.context.call(route);
    const ids = { ...call.ids, [parameter]: call.ids[parameter].toUpperCase() };
    const send = async () => {
      const response = await it.send(await it.context.keys.good(), it.with(call, { ids }));
      expect([response.status, response.text]).toEqual([route.endpoint.status, response.text]);
    };
    if (removes) expect(await deletionFaults(it, call, send)).toEqual([]);
    else await send();
  });

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
    await attempt('an absent id', randomUUID());
    for (const malformed of ['not-an-id', '0', `${call.ids[parameter]}0`]) await attempt(`the malformed id ${malformed}`, malformed);
    for (const location of context.hiddenLocations(path)) {
      const ids: Record<string, string> = {};
      for (const name of outer) ids[name] = await context.existing(pathUpTo(path, name), location, ids);
      const id = await context.existing(path, location, ids);
      const before = await readIn(it, path, { ...ids, [parameter]: id }, location);
      await attempt(`an id of ${location}`, id);
      // without a project pin, which would hide the other organization's project as well
      if (location !== 'another project')
        await attempt(`an id of ${location}, for an organization-wide key`, id, await context.keys.good());
      expect({ location, resource: await readIn(it, path, { ...ids, [parameter]: id }, location) }).toEqual({ location, resource: before });
    }
    if (context.hiddenLocations(path).includes('the other mode')) {
      const { client } = context.location('the other mode');
      const inTestMode = await context.call(route, 'the other mode');
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

function checkList(route: KeyedRoute, item: string, subject: () => Subject): void {
  test.each(['pinned', 'good'] as const)(
    'neither lists nor counts records of another project, organization or mode (%s key)',
    async (key) => {
      const it = subject();
      const { context } = it;
      const client = await context.keys[key]();
      const call = await context.sameCall(route);
      const paged = it.operation.parameters.some(({ name }) => name === 'include_total');
      const list = () => listed(it, client, paged ? it.with(call, { query: 'include_total=true&limit=100' }) : call);
      const before = await list();
      const foreign: string[] = [];
      for (const location of context.hiddenLocations(item).filter((name) => key === 'pinned' || name !== 'another project')) {
        const ids: Record<string, string> = {};
        for (const name of parametersOf(route.path)) ids[name] = await context.existing(pathUpTo(route.path, name), location, ids);
        foreign.push(await context.make(item, location, ids));
      }
      const after = await list();
      expect(after.data.map(({ id }) => id).filter((id) => foreign.includes(id))).toEqual([]);
      expect(after.total_count).toBe(before.total_count);
      // an own record is listed, which proves that the lists above are empty because of the filter
      if (context.routeAt('POST', route.path)) {
        await context.make(item, 'own', call.ids);
        if (paged) expect((await list()).total_count).toBe((before.total_count as number) + 1);
      }
    },
  );
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
