import type { ApiResponse } from '../../harness/client.js';
import type { ModuleContext, Subject } from './module-context.js';

/** The answers to a valid call, an invalid one and a third, with a key that may send two. */
export interface FirstCalls {
  accepted: ApiResponse;
  rejected: ApiResponse;
  limited: ApiResponse;
}

const known = new WeakMap<ModuleContext, Map<string, Promise<FirstCalls>>>();

/** Sends them once for each route. */
export function firstCalls(it: Subject): Promise<FirstCalls> {
  const ofModule = known.get(it.context) ?? new Map<string, Promise<FirstCalls>>();
  known.set(it.context, ofModule);
  const calls = ofModule.get(it.operation.id) ?? send(it);
  ofModule.set(it.operation.id, calls);
  return calls;
}

async function send(it: Subject): Promise<FirstCalls> {
  const client = await it.context.keys.limited(2);
  const accepted = await it.send(client, await it.context.call(it.route));
  const call = await it.context.sameCall(it.route);
  const rejected = await it.send(client, it.with(call, { query: 'no_such_parameter=1' }));
  return { accepted, rejected, limited: await it.send(client, call) };
}
