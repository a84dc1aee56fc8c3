import { expect, test } from '@jest/globals';
import type { Json } from '../../harness/api-document.js';
import type { ApiResponse } from '../../harness/client.js';
import { MemberCalls } from './member-calls.js';
import type { Read } from './module-answers.js';
import { callOf, sendCall, type Call, type Location, type ModuleContext } from './module-context.js';
import { collected } from './module-errors.js';
import { parametersOf, type DescribedModule, type MemberRoute } from './module-routes.js';
import { OF_OTHERS, UUIDS } from './module-rows.js';
import { keptFault } from './module-values.js';
import { queriesOf } from './module-variants.js';

/**
 * Checks the routes for members that have no twin for keys: an id of another organization is as good as an absent one, and no answer to
 * a POST has the id of a row elsewhere. Their bodies are derived from the OpenAPI document where `samples` has none.
 */
export function checkMemberCalls(module: DescribedModule, world: () => ModuleContext): void {
  if (!module.memberRoutes.some(({ twinOf }) => twinOf === null)) return;
  test('routes for members only reach nothing of another organization', async () => {
    expect(await memberCallFaults(module, world())).toEqual([]);
  });
}

export async function memberCallFaults(module: DescribedModule, world: ModuleContext): Promise<string[]> {
  const calls = await MemberCalls.of(module, world);
  const faults: string[] = [];
  await makeAsMember(module, world, 'another organization', faults);
  const answers: [operation: string, text: string][] = [];
  for (const route of calls.routes.filter(({ method }) => method === 'POST')) {
    await collected(faults, async () => {
      const response = await calls.send(route, 'own');
      if (response.status >= 500) throw new Error(`${route.operation} failed: ${response.status} ${response.text}`);
      answers.push([route.operation, response.text]);
    });
  }
  const texts = answers.flatMap(([, text]) => text.match(UUIDS) ?? []);
  const hidden = await world.places.hidden(texts, { ...world.viewer('another organization'), mode: null });
  for (const [operation, text] of answers) {
    const found = text.match(UUIDS)?.find((id) => hidden.has(id));
    if (found !== undefined) faults.push(`${operation} shows a row of another organization: ${found} in ${text.slice(0, 300)}`);
  }
  for (const route of calls.routes.filter(({ path }) => parametersOf(path).length > 0))
    await collected(faults, async () => void faults.push(...(await calls.foreignIdFaults(route))));
  const sent = new Map<string, string[]>();
  for (const route of calls.routes.filter(({ method }) => method !== 'GET'))
    await collected(faults, async () => void faults.push(...(await calls.foreignReferenceFaults(route, sent))));
  const kept = [...module.tables, 'outbox_events'].filter((table) => !world.requestLogs.includes(table));
  for (const { table, text } of await world.places.containing(new Set(sent.keys()), kept, {
    ...world.viewer('another organization'),
    mode: null,
  }))
    faults.push(keptFault(table, text, sent.get(text)!, 'another organization'));
  return faults;
}

/** Makes a row with each POST for members only. Those of which a sample is needed are faults. */
export async function makeAsMember(module: DescribedModule, world: ModuleContext, location: Location, faults: string[]): Promise<void> {
  const calls = await MemberCalls.of(module, world);
  let rest = calls.routes.filter((route) => isCreation(route) && !calls.hasMade(route, location) && calls.reaches(route, location));
  // what a row refers to may be made by a later route
  for (let failed = new Map<MemberRoute, string>(); rest.length > 0; failed = new Map()) {
    for (const route of rest) {
      await collected(faults, async () => {
        const { status, text } = await calls.send(route, location);
        if (status !== route.status) failed.set(route, `${status} ${text}`);
      });
    }
    if (failed.size === rest.length) {
      for (const [{ operation }, answer] of failed) {
        const fault = `describeModule needs samples.${operation} for a valid call of it: `;
        if (!faults.some((told) => told.startsWith(fault))) faults.push(fault + answer);
      }
      return;
    }
    rest = [...failed.keys()];
  }
}

/** The GETs for members only, those of one row with the id of an own one. */
export async function memberReads(module: DescribedModule, world: ModuleContext, faults: string[]): Promise<Read[]> {
  const calls = await MemberCalls.of(module, world);
  await makeAsMember(module, world, 'own', faults);
  const client = await calls.client('own');
  const reads: Read[] = [];
  for (const route of calls.routes.filter(({ method }) => method === 'GET')) {
    const { operation } = route;
    const ids = await calls.idsOf(route, 'own');
    if (ids === null) continue;
    const hidden = world.hiddenFrom(operation, undefined);
    const sample = (await world.sampleOf(operation, 'own')) ?? {};
    const declared = calls.api.operation(operation);
    const pathWith = (args: Json) => callOf(route, declared, ids, { ...sample, ...args }).path;
    reads.push({
      what: operation,
      operation,
      path: pathWith({}),
      variants: (own) => queriesOf(calls.api, declared, own, 'those of no list').map(({ what, args }) => ({ what, path: pathWith(args) })),
      who: 'a member',
      client,
      hidden: OF_OTHERS.filter((one) => hidden.includes(one)),
      mayAnswer: 'not found',
    });
  }
  return reads;
}

/** A PATCH of one row: calls that change it, and some that may be refused. */
export interface Changes {
  operation: string;
  /** With another value at each call; that of a route for members may be the same. */
  change(): Promise<ApiResponse>;
  isOther: boolean;
  /** The last change, which changes nothing again. */
  repeat(): Promise<ApiResponse>;
  others: (() => Promise<ApiResponse>)[];
}

/** The PATCHes for members only, each of an own row. */
export async function memberChanges(module: DescribedModule, world: ModuleContext): Promise<Changes[]> {
  const calls = await MemberCalls.of(module, world);
  const client = await calls.client('own');
  const found: Changes[] = [];
  for (const route of calls.routes.filter(({ method }) => method === 'PATCH')) {
    const ids = await calls.idsOf(route, 'own');
    if (ids === null) continue;
    let call: Call | undefined;
    const change = async () => {
      call = await calls.call(route, 'own', ids);
      return sendCall(client, route, call);
    };
    found.push({ operation: route.operation, change, isOther: false, repeat: () => sendCall(client, route, call!), others: [] });
  }
  return found;
}

/** A POST that makes a row, or one that concerns no single row. An action on a row may need a state that no schema tells. */
function isCreation({ method, status, path }: MemberRoute): boolean {
  return method === 'POST' && (status === 201 || parametersOf(path).length === 0);
}
