import { expect, test } from '@jest/globals';
import type { Json } from '../../harness/api-document.js';
import type { ApiResponse } from '../../harness/client.js';
import { isObject } from '../../../src/kit/index.js';
import { sendCall, type ModuleContext } from './module-context.js';
import { collected } from './module-errors.js';
import { memberChanges, type Changes } from './module-member-calls.js';
import type { DescribedModule } from './module-routes.js';
import { bodyVariants, ownValues } from './module-variants.js';

/** Checks that a PATCH raises the version of its row by one, whatever it writes, and not at all if it changes nothing. */
export function checkVersions(module: DescribedModule, world: () => ModuleContext): void {
  if (![...module.routes, ...module.memberRoutes].some(({ method }) => method === 'PATCH')) return;
  test('a change raises the version by one', async () => {
    expect(await versionFaults(module, world())).toEqual([]);
  });
}

async function versionFaults(module: DescribedModule, world: ModuleContext): Promise<string[]> {
  const faults: string[] = [];
  const all: Changes[] = [];
  await collected(faults, async () => void all.push(...(await keyedChanges(module, world))));
  await collected(faults, async () => void all.push(...(await memberChanges(module, world))));
  for (const changes of all) await collected(faults, async () => void faults.push(...(await faultsOf(changes))));
  return faults;
}

async function faultsOf({ operation, change, isOther, repeat, others }: Changes): Promise<string[]> {
  let last = versionOf(await change());
  if (last === undefined) return [];
  const faults: string[] = [];
  const compare = async (what: string, send: () => Promise<ApiResponse>, allowed: readonly number[]) => {
    // an action may not be possible twice, and a value may be refused
    const version = versionOf(await send());
    if (version === undefined) return;
    if (!allowed.includes(version - last!)) faults.push(`${operation} ${what} raises the version by ${version - last!}`);
    last = version;
  };
  await compare('with a change', change, isOther ? [1] : [0, 1]);
  await compare('without a change', repeat, [0]);
  for (const other of others) await compare('with another field', other, [0, 1]);
  return faults;
}

async function keyedChanges({ routes }: DescribedModule, world: ModuleContext): Promise<Changes[]> {
  const client = await world.keys.good();
  const own = await ownValues(world, routes);
  const found: Changes[] = [];
  for (const route of routes.filter(({ method }) => method === 'PATCH')) {
    const it = world.subject(route);
    let call = await world.call(route);
    const change = async () => {
      call = await world.callWith(route, call.ids);
      return sendCall(client, route, call);
    };
    const others = bodyVariants(it, own).map((variant) => () => sendCall(client, route, variant.change(call)));
    found.push({ operation: route.endpoint.operation, change, isOther: true, repeat: () => sendCall(client, route, call), others });
  }
  return found;
}

function versionOf({ status, body }: ApiResponse): number | undefined {
  const { version } = (status === 200 && isObject(body) ? body : {}) as Json;
  return typeof version === 'number' ? version : undefined;
}
