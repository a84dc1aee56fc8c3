import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RequestLog } from '../../src/platform/request-log/request-log.js';
import { createTestApp, type TestApp } from '../kit/app.js';
import type { Client } from '../kit/client.js';

const MCP = '/api/v1/ext/mcp';

let app: TestApp;
let client: Client;

beforeAll(async () => {
  app = await createTestApp();
  ({ client } = await (await app.workspace()).key());
});
afterAll(() => app.close());

const rpc = (method: string, params?: object) => client.post(MCP, { jsonrpc: '2.0', id: 1, method, params });

describe('the request log', () => {
  test.each([
    ['tools/list', undefined, { tool: null, status: 200, code: null }],
    ['no/such_method', undefined, { tool: null, status: 404, code: 'not_found' }],
    ['tools/call', { name: 'creat_task', arguments: {} }, { tool: 'creat_task', status: 404, code: 'not_found' }],
    ['tools/call', { name: 'create_task', arguments: { titel: 'x' } }, { tool: 'create_task', status: 400, code: 'validation_failed' }],
    ['tools/call', { name: 'get_task', arguments: {} }, { tool: 'get_task', status: 400, code: 'missing_fields' }],
    ['tools/call', { name: 'get_guide', arguments: { module: 'x' } }, { tool: 'get_guide', status: 400, code: 'validation_failed' }],
    ['tools/call', { name: 'create_task', arguments: { title: '' } }, { tool: 'create_task', status: 400 }],
  ])('says of %s %j what became of it', async (method, params, expected) => {
    const answer = await rpc(method, params);
    await app.app.get(RequestLog).flush();
    const { rows } = await app.sql.query('SELECT via, tool, status, code FROM request_logs WHERE request_id = $1', [answer.headers['request-id']]);
    expect(answer.status).toBe(200);
    expect(rows).toEqual([expect.objectContaining({ via: 'mcp', ...expected })]);
  });
});

test('pages of allowed origins may call', async () => {
  const page = 'https://agent.example';
  const other = await createTestApp({ env: { MCP_ALLOWED_ORIGINS: page } });
  const preflight = await fetch(other.url + MCP, { method: 'OPTIONS', headers: { origin: page, 'access-control-request-method': 'POST' } });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, page]);
  const refused = await fetch(other.url + MCP, { method: 'POST', headers: { origin: page, 'content-type': 'application/json' }, body: '{}' });
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, page]);
  expect((await fetch(other.url + MCP, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } })).status).toBe(403);
  await other.close();
});
