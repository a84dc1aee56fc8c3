import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../test/harness/eventually.js';
import { NOTES, startNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';
import { Browser, OAuthClient, rpc } from '../../../test/harness/oauth.js';
import { hasRedis, startOwnRedis, type OwnRedis } from '../../../test/harness/redis.js';
import type { TestApp } from '../../../test/harness/test-app.js';
import type { Workspace } from '../../../test/harness/workspace.js';
import type { ApiKeysService } from '../keys/api-keys.service.js';
import type { FailFastRedis } from './redis.js';

const KEYS = '/api/v1/org/developer/api-keys';

(hasRedis() ? describe : describe.skip)('two processes with one Redis', () => {
  let redis: OwnRedis | null;
  let one: TestApp;
  let two: TestApp;
  let workspace: Workspace;

  beforeAll(async () => {
    redis = await startOwnRedis();
    // tokens are bound to the address, which is that of all processes
    const env = { REDIS_URL: redis?.url as string, BASE_URL: 'http://suite.example' };
    one = await startNotesApp({ env });
    two = await startNotesApp({ env, databaseUrl: one.databaseUrl });
    workspace = await one.workspace();
  });
  afterAll(async () => {
    await two?.close();
    await one?.close();
    await redis?.stop();
  });

  const onBoth = async (limit?: number) => {
    const { id, client } = await workspace.key({ rate_limit_per_minute: limit });
    return { id, first: client, second: client.at(two.url) };
  };

  test('share the limits', async () => {
    const { first, second } = await onBoth(4);
    const statuses = [];
    for (const client of [first, second, first, second, first, second]) statuses.push((await client.get(NOTES)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  });

  test('apply a revocation by the other process to the next request', async () => {
    for (let round = 0; round < 20; round++) {
      const { id, first, second } = await onBoth();
      expect([(await first.get(NOTES)).status, (await second.get(NOTES)).status]).toEqual([200, 200]);
      await one.service<ApiKeysService>('ApiKeysService').revoke(workspace.ctx(), id);
      expect([(await second.get(NOTES)).status, (await first.get(NOTES)).status]).toEqual([401, 401]);
    }
  });

  test('end the connection of an MCP client at the next call, whichever process revokes it or notices a theft', async () => {
    const browser = new Browser(one.url);
    await browser.signIn(workspace.owner.email);
    const client = await OAuthClient.register(one.url);
    const status = async (app: TestApp, token: string) => (await rpc(app.url, token, 'tools/list')).status;
    for (const end of ['revocation', 'replay'] as const) {
      const code = (await client.consent(browser, {}, { scope: null })).searchParams.get('code') as string;
      const { access_token } = (await (await client.exchange(code)).json()) as { access_token: string };
      expect([await status(one, access_token), await status(two, access_token)]).toEqual([200, 200]);
      if (end === 'replay') await client.exchange(code);
      else await client.revoke(access_token);
      expect([await status(two, access_token), await status(one, access_token)]).toEqual([401, 401]);
    }
  });

  test('continue locally without Redis, and obey a revocation within a second', async () => {
    const { id, first, second } = await onBoth(4);
    const owner = await workspace.signIn();
    expect((await second.get(NOTES)).status).toBe(200);
    await redis?.stop();
    expect([(await first.get(NOTES)).status, (await second.get(NOTES)).status]).toEqual([200, 200]);
    const revoked = await owner.post(`${KEYS}/${id}/revoke`);
    expect([revoked.status, revoked.body.status]).toEqual([200, 'revoked']);
    expect([(await first.get(NOTES)).status, (await second.get(NOTES)).status]).toEqual([401, 401]);
    redis = await startOwnRedis(redis?.port);
  });

  test('obey a revocation within a second if only the revoking process cannot reach Redis', async () => {
    const { id, second } = await onBoth();
    await eventually(
      () => second.get(NOTES),
      ({ status }) => status === 200,
    );
    // the process that revokes has no Redis; the other one keeps serving from its cache
    const third = await startNotesApp({ env: { REDIS_URL: redis?.url as string }, databaseUrl: one.databaseUrl });
    third.service<FailFastRedis>('FailFastRedis').disconnect();
    await third.service<ApiKeysService>('ApiKeysService').revoke(workspace.ctx(), id);
    await sleep(1_000);
    expect((await second.get(NOTES)).status).toBe(401);
    await third.close();
  });
});
