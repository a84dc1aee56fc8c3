import { expect, test } from '@jest/globals';
import type { Client } from '../../harness/client.js';
import { sendCall, type Location, type ModuleContext } from './module-context.js';
import { expectAnswer, firstDifference } from './module-errors.js';
import { itemPathOf, parametersOf, type DescribedModule, type KeyedRoute } from './module-routes.js';

interface Reader {
  /** Who reads, for the faults. */
  who: string;
  client: Client;
  /** Where the rows are that it must not see. */
  hidden: readonly Location[];
}

/** A GET with the arguments of a valid call. */
interface Read extends Reader {
  operation: string;
  path: string;
  /** Whether the member may have nothing to read there. */
  isOptional?: boolean;
}

/** Headers of the request and the connection. */
const OF_REQUEST = /^(date|request-id|ratelimit.*|content-length|connection|keep-alive|set-cookie)$/;
const ELSEWHERE = ['another organization', 'the other mode'] as const;

/**
 * Checks that no GET, reports and member routes included, answers anything else after rows were made in another project, organization
 * or mode.
 */
export function checkVisibility(module: DescribedModule, world: () => ModuleContext): void {
  test('no GET shows, counts or sums rows of another project, organization or mode', async () => {
    expect(await visibilityFaults(module, world())).toEqual([]);
  });
}

/** The GETs whose answer depends on rows that their caller must not see. */
export async function visibilityFaults({ routes, memberRoutes }: DescribedModule, world: ModuleContext): Promise<string[]> {
  const readers: Reader[] = [
    { who: 'a pinned key', client: await world.keys.pinned(), hidden: ['another project', ...ELSEWHERE] },
    { who: 'an organization-wide key', client: await world.keys.good(), hidden: ELSEWHERE },
  ];
  const member = { who: 'a member', client: await world.workspace.signIn(), hidden: ELSEWHERE };
  const reads: Read[] = [];
  const faults: string[] = [];
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const { operation, list } = route.endpoint;
    const { path } = await world.sameCall(route);
    const hidden = world.hiddenFrom(operation, list ? itemPathOf(route, routes) : route.path);
    const readsOf = (reader: Reader) => ({ ...reader, operation, path, hidden: reader.hidden.filter((one) => hidden.includes(one)) });
    const twin = memberRoutes.find(({ twinOf }) => twinOf === operation);
    reads.push(...readers.map(readsOf));
    if (twin) reads.push({ ...readsOf(member), operation: twin.operation, path: await world.twinPath(twin, route) });
  }
  for (const { method, operation, path, twinOf } of memberRoutes) {
    if (method !== 'GET' || twinOf !== null || parametersOf(path).length > 0) continue;
    const hidden = world.hiddenFrom(operation, undefined);
    reads.push({
      ...member,
      operation,
      path: path + (await world.queryOf(operation)),
      hidden: ELSEWHERE.filter((one) => hidden.includes(one)),
      isOptional: true,
    });
  }
  // rows that the readers see, or nothing could be kept of them
  for (const route of routes.filter(({ method }) => method === 'POST'))
    await sendCall(await world.keys.good(), route, await world.call(route));
  for (const location of ['another project', ...ELSEWHERE] as const) {
    const concerned = reads.filter(({ hidden }) => hidden.includes(location));
    const before = new Map<Read, string>();
    for (const read of concerned) before.set(read, await answerTo(read, world));
    for (const route of routes.filter(({ method }) => method === 'POST')) await makeIn(world, route, location);
    for (const read of concerned) {
      const difference = firstDifference(before.get(read)!, await answerTo(read, world));
      if (difference) faults.push(`${read.operation} shows ${read.who} something of ${location}: ${difference.join(' became ')}`);
    }
    if (location === 'another organization') faults.push(...(await keptFaults(concerned, before, world)));
  }
  return faults;
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** What a key of another organization is shown of the answers that keys of this one got before: a handler may keep rows in memory. */
async function keptFaults(reads: readonly Read[], before: ReadonlyMap<Read, string>, world: ModuleContext): Promise<string[]> {
  const { client } = world.location('another organization');
  const faults: string[] = [];
  for (const read of reads.filter(({ client: own }) => own !== client)) {
    const { status, text } = await client.get(read.path);
    const [kept] = status === 200 ? (before.get(read)!.match(UUID) ?? []).filter((id) => text.includes(id)) : [];
    if (kept !== undefined) faults.push(`${read.operation} keeps what it showed ${read.who} for another organization: ${kept}`);
  }
  return faults;
}

/** The answer without what differs between equal calls. */
async function answerTo({ client, operation, path, isOptional }: Read, world: ModuleContext): Promise<string> {
  const { status, text, headers } = await client.get(path);
  if (status === 404 && isOptional) return 'not found';
  if (status >= 500) throw new Error(`${operation} failed: ${status} ${text}`);
  if (status !== 200) throw new Error(`describeModule needs samples.${operation} for a valid call of it: ${status} ${text}`);
  const own = Object.entries(headers as Record<string, string>).filter(([name]) => !OF_REQUEST.test(name));
  return `${world.settled(operation, text)} ${JSON.stringify(Object.fromEntries(own))}`;
}

async function makeIn(world: ModuleContext, route: KeyedRoute, location: Location): Promise<void> {
  const call = await world.call(route, location);
  const response = await sendCall(world.location(location).client, route, call);
  expectAnswer(response, route.endpoint.status, `${route.endpoint.operation} in ${location}`);
}
