import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { TestApp } from '../../../../test/kit/app.js';
import { createNotesApp } from '../../../../test/kit/notes-app.js';
import type { IssuedKey } from '../../../../test/kit/workspace.js';

const MCP_PATH = '/api/v1/ext/mcp';
/** On which Fastify reports each handler that it runs. */
const HANDLERS = 'tracing:fastify.request.handler:start';

let app: TestApp;
let key: IssuedKey;
let handled: (string | undefined)[];

const note = (message: unknown) => handled.push((message as { route: { url?: string } }).route.url);
const send = async (method: string, params: object) =>
  (await key.client.post(MCP_PATH, { jsonrpc: '2.0', id: 1, method, params })).body.result as { isError?: boolean } | undefined;
const listNotes = () => send('tools/call', { name: 'list_notes', arguments: {} });

beforeAll(async () => {
  app = await createNotesApp();
  key = await (await app.workspace()).key({ module: 'notes' });
  // from now on the key is known
  await key.client.get('/api/v1/ext/notes/notes');
}, 60_000);
afterAll(() => app.close());
beforeEach(() => {
  handled = [];
  subscribe(HANDLERS, note);
});
afterEach(() => void unsubscribe(HANDLERS, note));

test('a tool call of a known key runs through Fastify once, as the call of its route', async () => {
  expect((await listNotes())?.isError).not.toBe(true);
  expect(handled).toEqual(['/api/v1/ext/notes/notes']);
});

test('other messages run through the route of the endpoint', async () => {
  expect(await send('tools/list', {})).toBeDefined();
  expect(handled).toEqual([MCP_PATH]);
});
