import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NOTES, startNotesApp } from '../../../test/kit/fixture-apps.js';
import { startOwnRedis } from '../../../test/kit/redis.js';
import type { TestApp } from '../../../test/kit/test-app.js';
import type { Workspace } from '../../../test/kit/workspace.js';
import type { ApiKeysService } from '../keys/api-keys.service.js';

const KEYS = '/api/v1/org/developer/api-keys';
// says why when there is none
let redis = await startOwnRedis();

(redis ? describe : describe.skip)('two processes with one Redis', () => {
  let one: TestApp;
  let two: TestApp;
  let workspace: Workspace;

  beforeAll(async () => {
    const env = { REDIS_URL: redis?.url as string };
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

  test('obey a revocation by the other at the very next call', async () => {
    for (let round = 0; round < 20; round++) {
      const { id, first, second } = await onBoth();
      expect([(await first.get(NOTES)).status, (await second.get(NOTES)).status]).toEqual([200, 200]);
      await one.service<ApiKeysService>('ApiKeysService').revoke(workspace.ctx(), id);
      expect([(await second.get(NOTES)).status, (await first.get(NOTES)).status]).toEqual([401, 401]);
    }
  });

  test('continue locally without Redis; a revocation fails until Redis is back, and can be repeated', async () => {
    const { id, first, second } = await onBoth(4);
    const owner = await workspace.signIn();
    expect((await second.get(NOTES)).status).toBe(200);
    await redis?.stop();
    expect([(await first.get(NOTES)).status, (await second.get(NOTES)).status]).toEqual([200, 200]);
    const revoke = () => owner.post(`${KEYS}/${id}/revoke`, undefined, { 'idempotency-key': 'revoke-once' });
    expect([(await revoke()).status, (await owner.delete(`${KEYS}/${id}`)).status]).toEqual([503, 503]);
    expect((await owner.get(`${KEYS}/${id}`)).body).toMatchObject({ status: 'active', version: 1 });
    expect([(await first.get(NOTES)).status, (await second.get(NOTES)).status]).toEqual([200, 200]);
    redis = await startOwnRedis(redis?.port);
    const revoked = await revoke();
    expect([revoked.status, revoked.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect([(await first.get(NOTES)).status, (await second.get(NOTES)).status]).toEqual([401, 401]);
  });
});
