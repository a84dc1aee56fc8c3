import { expect, test } from '@jest/globals';
import { configuredClients } from './configured-clients.js';

const CLIENT = { client_id: 'agent', redirect_uris: ['https://agent.example/cb'] };
const client_secret = 'x'.repeat(32);

test('clients of the configuration are public without a secret, and are corrected like those that register', () => {
  const [known] = configuredClients([{ ...CLIENT, grant_types: ['device_code'] }]).values();
  expect(known).toMatchObject({
    client_id: 'agent',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  });
});

test.each([
  [[{ ...CLIENT, client_id: 'https://agent.example' }], /OAUTH_CLIENTS\[0\]\.client_id/],
  [[CLIENT, CLIENT], /OAUTH_CLIENTS\[1\]\.client_id/],
  [[{ ...CLIENT, client_secret: 'short' }], /client_secret/],
  [[{ ...CLIENT, client_secret, token_endpoint_auth_method: 'none' }], /token_endpoint_auth_method/],
  [[{ ...CLIENT, redirect_uris: ['http://agent.example/cb'] }], /OAUTH_CLIENTS\[0\]: redirect_uris\[0\] must use https/],
])('%j is refused', (clients, reason) => {
  expect(() => configuredClients(clients)).toThrow(reason);
});
