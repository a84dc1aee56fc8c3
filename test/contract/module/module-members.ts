import { expect, test } from '@jest/globals';
import type { Client } from '../../harness/client.js';
import { MemberCalls } from './member-calls.js';
import { pathOfTwin, sendCall, type ModuleContext } from './module-context.js';
import { expectAnswer } from './module-errors.js';
import { fillPath, parametersOf, type DescribedModule, type MemberRoute } from './module-routes.js';

const ROLE = 'tested';

/** Checks that each route for signed-in members requires its permission, and that a route for keys needs no other at its member route. */
export function checkMembers(module: DescribedModule, world: () => ModuleContext): void {
  test('routes that write require more than to read, or the description says why', () => {
    expect(readerWrites(module, world().readersMay)).toEqual([]);
  });

  if (module.memberRoutes.length === 0) return;

  test('routes for members require their permission, and no other', async () => {
    expect(await memberFaults(module, world())).toEqual([]);
  });

  test('routes for any member are look-ups, or the description says why', () => {
    expect(openRoutes(module, world().anyMember)).toEqual([]);
  });
}

/** The member routes that do not check what they declare, or answer a valid call with what is not documented. */
export async function memberFaults(module: DescribedModule, world: ModuleContext): Promise<string[]> {
  const { routes, memberRoutes } = module;
  const { api } = await MemberCalls.of(module, world);
  const owner = await world.workspace.signIn();
  const listed = await owner.get('/api/v1/org/permissions');
  expectAnswer(listed, 200, 'the list of permissions');
  const all = (listed.body.data as { name: string }[]).map(({ name }) => name);
  expectAnswer(await owner.post('/api/v1/org/roles', { name: ROLE, permissions: [] }), 201, 'the role of the tested member');
  const member = await world.workspace.signIn((await world.workspace.member(ROLE)).email);
  const grant = (permissions: readonly string[]) =>
    world.app.sql.query('UPDATE roles SET permissions = $3 WHERE organization_id = $1 AND name = $2', [
      world.workspace.organizationId,
      ROLE,
      permissions,
    ]);
  const faults: string[] = [];
  for (const route of memberRoutes.filter(({ permissions }) => permissions.length > 0)) {
    const { permissions, operation } = route;
    await grant(all.filter((name) => !permissions.includes(name)));
    const refused = await sendWithoutValues(member, route);
    if (refused.status !== 403 || refused.body?.error?.code !== 'permission_denied') {
      const missing = permissions.join(' and ');
      faults.push(`${operation}: ${refused.status} for a member who has every permission but ${missing}: ${refused.text.slice(0, 300)}`);
    }
  }
  for (const route of memberRoutes) {
    const keyed = routes.find(({ endpoint }) => endpoint.operation === route.twinOf);
    if (!keyed) continue;
    await grant(world.permissionsOf(route));
    const call = await world.call(keyed);
    const response = await sendCall(member, route, { ...call, path: pathOfTwin(route, keyed, call) });
    if (response.status !== route.status)
      faults.push(`${route.operation}: ${response.status} with ${world.permissionsOf(route).join(', ')}: ${response.text}`);
    const body = response.text === '' ? undefined : (response.body as unknown);
    const undocumented = api.responseFaults(api.operation(route.operation), response.status, body, response.headers['content-type']);
    faults.push(...undocumented.map((fault) => `${route.operation}: ${fault}`));
  }
  return faults;
}

/** Permissions are checked before anything that the request contains. */
function sendWithoutValues(member: Client, { method, path }: MemberRoute) {
  const ids = Object.fromEntries(parametersOf(path).map((name) => [name, 'none']));
  return member.send(method.toLowerCase(), fillPath(path, ids), method === 'GET' ? undefined : {});
}

/** The writes that a scope or a permission to read allows, except those with a reason. */
export function readerWrites({ routes, memberRoutes }: DescribedModule, readersMay: Readonly<Record<string, string>>): string[] {
  const required = [
    ...routes.map(({ method, endpoint: { operation, scope } }) => ({ method, operation, names: [scope] })),
    ...memberRoutes.map(({ method, operation, permissions }) => ({ method, operation, names: permissions })),
  ];
  const writes = required.flatMap(({ method, operation, names }) => {
    const toRead = method === 'GET' ? undefined : names.find((name) => /:read$|[.:]view$/.test(name));
    return toRead === undefined ? [] : { method, operation, toRead };
  });
  return [
    ...writes
      .filter(({ operation }) => !(operation in readersMay))
      .map(
        ({ method, operation, toRead }) =>
          `${operation}: ${toRead} allows a ${method}; require one to write, or give the reason in readersMay of describeModule`,
      ),
    ...Object.keys(readersMay)
      .filter((operation) => !writes.some((write) => write.operation === operation))
      .map((operation) => `${operation} is in readersMay, but no scope or permission to read allows it, it is a GET, or does not exist`),
  ];
}

/** What is wrong with the list of the routes that any member may call. */
export function openRoutes({ routes, memberRoutes }: DescribedModule, anyMember: Readonly<Record<string, string>>): string[] {
  const isLookup = ({ twinOf }: MemberRoute) => routes.some(({ endpoint }) => endpoint.lookup && endpoint.operation === twinOf);
  const open = memberRoutes.filter((route) => route.permissions.length === 0 && !isLookup(route)).map(({ operation }) => operation);
  return [
    ...open
      .filter((operation) => !(operation in anyMember))
      .map((operation) => `${operation}: declare a permission, or give the reason in anyMember of describeModule`),
    ...Object.keys(anyMember)
      .filter((operation) => !open.includes(operation))
      .map((operation) => `${operation} is in anyMember, but it requires a permission, is a look-up, or does not exist`),
  ];
}
