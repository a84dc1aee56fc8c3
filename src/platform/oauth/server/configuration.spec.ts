import { expect, test } from '@jest/globals';
import * as library from 'oidc-provider';
import { configuration } from './configuration.js';

const { features } = configuration(library, {
  resource: 'https://suite.example/api/v1/ext/mcp',
  scopes: ['tasks:task:read'],
  adapter: () => ({}) as never,
  fetch: () => Promise.reject(new Error('not expected')),
  mayFetch: async (address) => address === '203.0.113.7',
  consentPage: (id) => `https://suite.example/console/authorize/${id}`,
});

test('reads of metadata documents are limited by address, but not for a member who takes long to answer', async () => {
  const mayFetch = (ctx: unknown) => features!.clientIdMetadataDocument!.allowFetch!(ctx as never, 'https://app.example/client.json');
  expect(await mayFetch({ ip: '203.0.113.7' })).toBe(true);
  expect(await mayFetch({ ip: '198.51.100.1' })).toBe(false);
  expect(await mayFetch(undefined)).toBe(true);
});

test('the only resource is the MCP endpoint', async () => {
  const info = (asked: string) => features!.resourceIndicators!.getResourceServerInfo!({} as never, asked, {} as never);
  expect(() => info('https://other.example')).toThrow(library.errors.InvalidTarget);
  expect(await info('https://suite.example/api/v1/ext/mcp')).toMatchObject({ accessTokenFormat: 'opaque', accessTokenTTL: 3600 });
});
