import { describe, expect, test } from '@jest/globals';
import { TargetNames } from '../../net/target-names.js';
import { TargetRules } from '../../net/target-rules.js';
import { acceptableDocument, acceptableMetadata, returnsTo } from './client-metadata.js';
import { MetadataFetch } from './metadata-fetch.js';

const rules = new TargetRules({ allowHttp: false, allowLoopback: false, allowedRanges: [] });

describe('metadata documents', () => {
  test.each([
    ['http://app.example/client.json'],
    ['https://127.0.0.1/client.json'],
    ['https://[::1]/client.json'],
    ['https://[::ffff:10.0.0.1]/client.json'],
    ['https://169.254.169.254/latest/meta-data'],
    ['https://10.0.0.1/client.json'],
    ['https://0x7f.1/client.json'],
    ['https://localhost/client.json'],
    ['https://user:secret@app.example/client.json'],
  ])('%s is not read', async (address) => {
    await expect(new MetadataFetch(rules).fetch(address, {})).rejects.toThrow(/public|https|user name/);
  });

  test('a name that resolves to a private address is not connected to', async () => {
    const names = new TargetNames(rules, async () => ['192.0.2.1', '10.0.0.1']);
    await expect(new MetadataFetch(rules, names).fetch('https://rebinding.example/client.json', {})).rejects.toThrow(
      /not a public address/,
    );
  });

  test("Claude Code's document, with a loopback address without port, becomes a native client", () => {
    const document = {
      client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
      client_name: 'Claude Code',
      client_uri: 'https://claude.ai',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
    expect(acceptableDocument(document)).toEqual({
      client_id: document.client_id,
      client_name: 'Claude Code',
      redirect_uris: document.redirect_uris,
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });

  test('keys are kept for a client that signs its requests; a secret is refused', () => {
    const document = { client_id: 'https://a.example/c', redirect_uris: ['https://a.example/cb'] };
    expect(
      acceptableDocument({ ...document, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://a.example/k' }),
    ).toMatchObject({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: 'https://a.example/k',
    });
    expect(() => acceptableDocument({ ...document, token_endpoint_auth_method: 'client_secret_post' })).toThrow(/none or private_key_jwt/);
  });
});

describe('redirect URIs', () => {
  test.each([
    ['https://claude.ai/api/mcp/auth_callback', 'host', 'claude.ai'],
    ['https://app.example:8443/cb', 'host', 'app.example:8443'],
    ['https://xn--80ak6aa92e.com/', 'host', 'xn--80ak6aa92e.com'],
    ['https://аррӏе.com/', 'host', 'xn--80ak6aa92e.com'],
    ['http://127.0.0.1:3334/cb', 'loopback', '127.0.0.1'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'app', 'cursor:'],
  ])('%s is shown as %s %s', (uri, kind, text) => {
    expect(returnsTo(uri)).toEqual({ kind, text });
    expect(acceptableMetadata({ redirect_uris: [uri] })).toMatchObject({ redirect_uris: [uri] });
  });
});
