import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Poster } from './post.js';
import { TargetNames } from '../../net/target-names.js';
import { TargetRules } from '../../net/target-rules.js';

/** Stands for a public address on which a server can listen. Its neighbors stay forbidden. */
const PUBLIC = '127.0.0.1';
const PRIVATE = '127.0.0.2';
/** Longer than a DNS result is used. */
const LATER_MS = 6_000;

let server: Server;
let url: URL;
let hosts: (string | undefined)[];
let connections: number;
let resolved: string[][];
let lookups: string[];
let poster: Poster;

beforeEach(async () => {
  hosts = [];
  connections = 0;
  server = createServer((request, response) => {
    hosts.push(request.headers.host);
    request.resume().on('end', () => response.end('ok'));
  }).on('connection', () => connections++);
  // on every address, also on those that must not be called
  server.listen(0);
  await once(server, 'listening');
  // a name that no name server knows: only the checked address leads to the receiver
  url = new URL(`http://hooks.invalid:${(server.address() as AddressInfo).port}/`);
  lookups = [];
  const rules = new TargetRules({ allowHttp: true, allowLoopback: false, allowedRanges: [PUBLIC] });
  const resolve = (name: string) => {
    lookups.push(name);
    return Promise.resolve(resolved.length > 1 ? (resolved.shift() as string[]) : resolved[0]);
  };
  poster = new Poster(new TargetNames(rules, resolve), 5_000);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await poster.close();
  server.closeAllConnections();
  server.close();
});

const attempt = async () => {
  const { status, error } = await poster.post(url, {}, '{}');
  // the connection is reusable only after that
  await sleep(20);
  return status ?? error;
};
const FORBIDDEN = expect.stringMatching(/^forbidden target: /);

function atTime(laterMs: number): void {
  const now = Date.now();
  jest.restoreAllMocks();
  jest.spyOn(Date, 'now').mockReturnValue(now + laterMs);
}

test('a name that changes to a private address is checked at each attempt, also on open connections', async () => {
  resolved = [[PUBLIC], [PRIVATE], [PUBLIC, PRIVATE], ['::ffff:127.0.0.2'], [PUBLIC]];
  expect(await attempt()).toBe(200);
  for (const attempts of [1, 2, 3]) {
    atTime(attempts * LATER_MS);
    expect(await attempt()).toEqual(FORBIDDEN);
  }
  expect([hosts.length, connections]).toEqual([1, 1]);
  atTime(4 * LATER_MS);
  expect(await attempt()).toBe(200);
  expect([hosts, lookups]).toEqual([[url.host, url.host], Array(5).fill('hooks.invalid')]);
  // the connection was open all the time
  expect(connections).toBe(1);
});

test('the connection goes to the checked address: a later DNS result has no effect', async () => {
  resolved = [[PUBLIC], [PRIVATE]];
  expect(await attempt()).toBe(200);
  expect([lookups.length, connections]).toEqual([1, 1]);
});

test('a DNS result that expires between check and connection is resolved and checked again', async () => {
  resolved = [[PUBLIC], [PRIVATE]];
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => (now += LATER_MS));
  expect(await attempt()).toEqual(FORBIDDEN);
  expect([lookups.length, connections]).toEqual([2, 0]);
});
