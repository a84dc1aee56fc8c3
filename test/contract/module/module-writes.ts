import { expect, test } from '@jest/globals';
import { sendCall, type Call, type ModuleContext } from './module-context.js';
import { collected, firstDifference } from './module-errors.js';
import { foreignRows } from './module-foreign.js';
import type { DescribedModule, KeyedRoute } from './module-routes.js';
import { ELSEWHERE, UNIQUE, UUID, UUIDS } from './module-rows.js';
import { callInOtherState } from './module-states.js';
import { UnchangedRows } from './module-unchanged.js';
import { UnusedCalls } from './module-unused-calls.js';
import { masked } from './module-values.js';
import { bodyVariants, ownValues, queryVariants, type Variant } from './module-variants.js';

/** A write, as its sample says or with one optional field. */
type Write = Variant;

/**
 * Checks that no answer to a write has an id or a text of a row elsewhere, whatever optional field or parameter it is sent with, and that
 * the answer to a POST that makes nothing, such as a search, does not depend on rows elsewhere.
 */
export function checkWrites(module: DescribedModule, world: () => ModuleContext): void {
  test('no answer to a write shows rows of another project, organization or mode', async () => {
    expect(await writeFaults(module, world())).toEqual([]);
  });
}

export async function writeFaults({ routes }: DescribedModule, world: ModuleContext): Promise<string[]> {
  const faults: string[] = [];
  const foreign: string[] = [];
  for (const location of ELSEWHERE) {
    const rows = await foreignRows(world, routes, location);
    foreign.push(...rows.texts);
    faults.push(...rows.faults);
  }
  const answers: [what: string, text: string][] = [];
  const actions: Repeated[] = [];
  let unchanged = await UnchangedRows.of(world, 'another project');
  for (const route of routes.filter(({ method }) => method !== 'GET')) {
    await collected(faults, async () => {
      const { operation } = route.endpoint;
      const writes = await writesOf(route, routes, world);
      const calls = new UnusedCalls(world.subject(route));
      const client = await world.keys.pinned();
      try {
        for (const { what, change } of writes) {
          const { status, text } = await calls.send(client, change);
          if (status >= 500) throw new Error(`${what} failed: ${status} ${text}`);
          answers.push([what, text]);
        }
        calls.end();
        // an error may quote another row
        const locked = await callInOtherState(world, route);
        if (locked) answers.push([`${operation} of a row in another state`, await answerTo(operation, locked, route, world)]);
      } finally {
        // also of a route that failed, or the next one would be blamed
        faults.push(...(await unchanged.after(operation)));
      }
      if (route.method !== 'POST' || route.endpoint.status !== 200) return;
      const repeated = { route, writes };
      // an action answers with its row, which others leave as it is, so that rows are made elsewhere once for all of them
      if (route.path.includes('{')) return void actions.push(repeated);
      try {
        faults.push(...(await countFaults([repeated], routes, world)));
      } finally {
        // what was made elsewhere may have changed other rows there
        unchanged = await UnchangedRows.of(world, 'another project');
      }
    });
  }
  await collected(faults, async () => void faults.push(...(await countFaults(actions, routes, world))));
  const hidden = await world.places.hidden(idsIn(answers.map(([, text]) => text).join()), world.viewer('another project'));
  for (const [what, text] of answers) {
    const ofOthers = () => ELSEWHERE.map((location) => world.issuedIn(location, text)).find((value) => value !== undefined);
    const shown = idsIn(text).find((id) => hidden.has(id)) ?? foreign.find((value) => text.includes(value)) ?? ofOthers();
    if (shown !== undefined) faults.push(`${what} shows a row elsewhere: ${shown}`);
  }
  for (const route of routes.filter(({ method, endpoint }) => method === 'POST' && endpoint.status === 201))
    await collected(faults, async () => void faults.push(...(await keptFaults(route, world))));
  return [...new Set(faults)];
}

/** What another organization that sends the same natural keys is shown of what was made, because a handler may keep answers by them. */
async function keptFaults(route: KeyedRoute, world: ModuleContext): Promise<string[]> {
  const { operation } = route.endpoint;
  const [own, theirs] = [await world.call(route), await world.call(route, 'another organization')];
  const made = await sendCall(world.location('own').client, route, own);
  if (made.status !== 201 || !theirs.body) return [];
  const isKey = ([, value]: [string, unknown]) => typeof value === 'string' && UNIQUE.test(value) && !UUID.test(value);
  const keys = Object.fromEntries(Object.entries(own.body ?? {}).filter(isKey));
  if (Object.keys(keys).length === 0) return [];
  const answer = await sendCall(world.location('another organization').client, route, { ...theirs, body: { ...theirs.body, ...keys } });
  // the newest row there has a text of its own again, by which the checks that follow know it
  await sendCall(world.location('another organization').client, route, await world.call(route, 'another organization'));
  const shown = idsIn(answer.text).filter((id) => made.text.includes(id));
  return shown.length > 0
    ? [`${operation} shows another organization with the same ${Object.keys(keys).join(', ')} a row of this one: ${shown[0]}`]
    : [];
}

async function writesOf(route: KeyedRoute, routes: readonly KeyedRoute[], world: ModuleContext): Promise<Write[]> {
  const it = world.subject(route);
  const own = await ownValues(world, routes);
  const { operation } = route.endpoint;
  const variants = [...queryVariants(it, own), ...bodyVariants(it, own)];
  return [
    { what: operation, change: (call) => call },
    ...variants.map(({ what, change }) => ({ what: `${operation} with ${what}`, change })),
  ];
}

/** A route whose writes are sent several times. */
interface Repeated {
  route: KeyedRoute;
  writes: readonly Write[];
}

/** The writes whose answer, which is the same to equal calls, changes when rows are made elsewhere. */
async function countFaults(repeated: readonly Repeated[], routes: readonly KeyedRoute[], world: ModuleContext): Promise<string[]> {
  const prepared: { what: string; route: KeyedRoute; calls: Call[] }[] = [];
  for (const { route, writes } of repeated) {
    const call = () => world.call(route);
    for (const { what, change } of writes) prepared.push({ what, route, calls: [await call(), await call(), await call()].map(change) });
  }
  const send = async (round: number, some = prepared) => {
    const answers = new Map<object, string>();
    for (const one of some) answers.set(one, masked(await answerTo(one.what, one.calls[round], one.route, world)));
    return answers;
  };
  const [first, second] = [await send(0), await send(1)];
  const same = prepared.filter((one) => first.get(one) === second.get(one));
  if (same.length === 0) return [];
  for (const location of ELSEWHERE) {
    for (const made of routes.filter(({ method, endpoint }) => method === 'POST' && endpoint.status === 201))
      await sendCall(world.location(location).client, made, await world.call(made, location));
  }
  const last = await send(2, same);
  return same.flatMap((one) => {
    const difference = firstDifference(first.get(one)!, last.get(one)!);
    return difference ? [`${one.what} depends on rows elsewhere: ${difference.join(' became ')}`] : [];
  });
}

async function answerTo(what: string, call: Call, route: KeyedRoute, world: ModuleContext): Promise<string> {
  const { status, text } = await sendCall(await world.keys.pinned(), route, call);
  if (status >= 500) throw new Error(`${what} failed: ${status} ${text}`);
  return text;
}

function idsIn(text: string): string[] {
  return [...new Set(text.match(UUIDS))];
}
