import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { TestApp } from '../../../../test/harness/app.js';
import { createNotesApp } from '../../../../test/harness/fixtures/notes-app.js';
import type { IssuedKey, Workspace } from '../../../../test/harness/workspace.js';

const MCP_PATH = '/api/v1/ext/mcp';
/** On which Fastify reports each handler that it runs. */
const HANDLERS = 'tracing:fastify.request.handler:start';

let app: TestApp;
let workspace: Workspace;
let key: IssuedKey;
let handled: (string | undefined)[];

const note = (message: unknown) => handled.push((message as { route: { url?: string } }).route.url);
const send = async (method: string, params: object) =>
  (await key.client.post(MCP_PATH, { jsonrpc: '2.0', id: 1, method, params })).body.result as { isError?: boolean } | undefined;
const listNotes = () => send('tools/call', { name: 'list_notes', arguments: {} });

beforeAll(async () => {
  app = await createNotesApp();
  workspace = await app.workspace();
  key = await workspace.key({ module: 'notes' });
  // from now on the key is known
  await key.client.get('/api/v1/ext/notes/notes');
});
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

test.each(['/', '/?modules=notes', '?modules=notes'])('the address followed by %j is the same endpoint', async (end) => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_notes', arguments: {} } };
  expect((await key.client.post(`${MCP_PATH}${end}`, call)).body.result.isError).not.toBe(true);
  expect((await key.client.post(`${MCP_PATH}/other${end}`, call)).status).toBe(404);
});

test('a large answer is compressed for those who accept it, by REST and MCP alike', async () => {
  for (let n = 0; n < 8; n++)
    await key.client.post('/api/v1/ext/notes/notes', {
      project_id: workspace.eng.id,
      title: `Compressed ${n} ${'of many words '.repeat(9)}`,
    });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_notes', arguments: {} } });
  const requests = {
    REST: () => ['/api/v1/ext/notes/notes', {}] as const,
    'direct calls': () => [MCP_PATH, { method: 'POST', body }] as const,
    'calls through the route': () => [`${MCP_PATH}?modules=notes`, { method: 'POST', body }] as const,
  };
  for (const [name, request] of Object.entries(requests)) {
    const [path, init] = request();
    const answers = await Promise.all(
      ['identity', 'br', 'gzip'].map(async (encoding) => {
        const headers = { ...key.client.headers, 'accept-encoding': encoding, 'content-type': 'application/json', accept: '*/*' };
        const response = await fetch(app.url + path, { ...init, headers });
        const sent = Number(response.headers.get('content-length'));
        return {
          encoding: response.headers.get('content-encoding'),
          vary: response.headers.get('vary'),
          sent,
          text: await response.text(),
        };
      }),
    );
    const [{ text, sent }] = answers;
    expect([name, answers.map(({ encoding, vary }) => [encoding, vary?.split(', ').at(-1)])]).toEqual([
      name,
      [null, 'br', 'gzip'].map((encoding) => [encoding, 'Accept-Encoding']),
    ]);
    expect(text).toContain('Compressed 7');
    for (const answer of answers.slice(1)) expect([name, answer.text, answer.sent < sent / 2]).toEqual([name, text, true]);
  }
});
