import type { ApiResponse } from '../../harness/client.js';
import { isObject } from '../../../src/kit/index.js';
import type { KeyedRoute } from './module-routes.js';

/** What the accepted calls of a route had. */
export interface Reached {
  /** Fields of bodies, as `lines.item_id`. */
  sent: Set<string>;
  /** Parameters of queries whose answer had a row. */
  asked: Set<string>;
  hadRows: boolean;
  /** The states of the rows in answers, as `order.status open`. */
  states: Set<string>;
}

/** The names of fields that tell in which state a row is. */
export const STATE = /(?:^|_)(?:status|state|stage)$/;

const reached = new WeakMap<object, Reached>();

/** Notes an answer to a call of a route for keys. */
export function noteAnswer(route: KeyedRoute, { path, body: sent }: { path: string; body?: unknown }, { status, body }: ApiResponse): void {
  if (status >= 400) return;
  const found = reached.get(route) ?? { sent: new Set(), asked: new Set(), hadRows: false, states: new Set() };
  reached.set(route, found);
  noteFields(sent, '', found.sent);
  noteStates(body, found.states);
  if (isObject(body) && Array.isArray(body.data) && body.data.length === 0) return;
  found.hadRows = true;
  for (const name of new URLSearchParams(path.split('?')[1]).keys()) found.asked.add(name);
}

/** What accepted calls of a route had; undefined if there were none. */
export function reachedBy(route: KeyedRoute): Reached | undefined {
  return reached.get(route);
}

function noteFields(value: unknown, at: string, found: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) noteFields(item, at, found);
  else if (isObject(value)) for (const [name, member] of Object.entries(value)) noteFields(member, at ? `${at}.${name}` : name, found);
  else if (typeof value === 'string') found.add(at);
}

function noteStates(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) noteStates(item, found);
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value))
    if (typeof member === 'object') noteStates(member, found);
    else if (STATE.test(name)) found.add(`${value.object as string}.${name} ${member as string}`);
}
