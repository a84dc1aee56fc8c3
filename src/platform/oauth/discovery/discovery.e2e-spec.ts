import { describe, expect, test } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';

const app = await sharedApp();
const MCP = '/api/v1/ext/mcp';
const get = (path: string, headers: Record<string, string> = {}) => fetch(app.url + path, { headers });
const listTools = (headers: Record<string, string> = {}) =>
  fetch(app.url + MCP, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

const parameter = (challenge: string | null, name: string) => new RegExp(`[ ,]${name}="([^"]*)"`).exec(challenge ?? '')?.[1];

describe('a client that knows only the MCP address', () => {
  test('is led from the challenge to the resource, and from there to the authorization server', async () => {
    const rejected = await listTools();
    expect(rejected.status).toBe(401);
    const challenge = rejected.headers.get('www-authenticate');
    expect(challenge).toMatch(/^Bearer /);
    expect(challenge).not.toContain('error=');
    const address = parameter(challenge, 'resource_metadata') as string;
    expect(new URL(address).pathname).toBe(`/.well-known/oauth-protected-resource${MCP}`);

    const resource = (await (await get(new URL(address).pathname)).json()) as Record<string, string[] & string>;
    const base = address.replace(/\/\.well-known\/.*/, '');
    expect(resource).toMatchObject({ resource: base + MCP, authorization_servers: [base], bearer_methods_supported: ['header'] });
    expect(parameter(challenge, 'scope')).toBe(resource.scopes_supported.join(' '));
    expect(resource.scopes_supported).toEqual(expect.arrayContaining(['tasks:task:write', 'crm:lead:read', 'papers:workflow:act']));
    expect(resource.scopes_supported.join()).not.toMatch(/lead_webhook|offline_access|openid/);

    const server = (await (await get('/.well-known/oauth-authorization-server')).json()) as Record<string, unknown>;
    expect(server).toMatchObject({
      issuer: base,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
    });
    expect(server.token_endpoint_auth_methods_supported).toContain('none');
  });

  test('gets the challenge with a reason for a bad token, also for GET', async () => {
    for (const response of [await listTools({ authorization: 'Bearer x' }), await get(MCP, { authorization: 'Bearer x' })]) {
      expect(response.status).toBe(401);
      const challenge = response.headers.get('www-authenticate');
      expect(challenge).toContain('error="invalid_token"');
      expect(parameter(challenge, 'resource_metadata')).toContain(MCP);
    }
  });

  test('the challenge of other routes names no authorization server', async () => {
    const response = await get('/api/v1/ext/tasks/tasks');
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).not.toContain('resource_metadata');
  });
});

describe('well-known paths', () => {
  test.each([
    '/.well-known/oauth-protected-resource',
    `/.well-known/oauth-protected-resource${MCP}`,
    `/.well-known/oauth-protected-resource${MCP}/`,
    '/.well-known/oauth-authorization-server',
  ])('%s is readable by a page of any origin', async (path) => {
    const response = await get(path, { origin: 'https://inspector.example' });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('content-type')).toContain('application/json');
    const preflight = await fetch(app.url + path, { method: 'OPTIONS', headers: { origin: 'https://inspector.example' } });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      expect.stringContaining('mcp-protocol-version'),
    ]);
  });

  test.each([
    `/.well-known/oauth-authorization-server${MCP}`,
    '/.well-known/oauth-protected-resource/api/v1/ext/other',
    '/.well-known/openid-configuration',
    `/.well-known/openid-configuration${MCP}`,
    `${MCP}/.well-known/openid-configuration`,
    `${MCP}/.well-known/oauth-authorization-server`,
  ])('%s is not found rather than unauthorized', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('www-authenticate')).toBeNull();
  });
});
