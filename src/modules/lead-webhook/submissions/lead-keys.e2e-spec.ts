import { describe, expect, test } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import type { Client } from '../../../../test/harness/client.js';

const KEYS = '/api/v1/org/developer/api-keys';
const BODY = { name: 'Form', module: 'lead_webhook', mode: 'live', scopes: ['lead_webhook:lead:write'] };

const app = await sharedApp();

describe('each permission for lead-webhook keys works on its own', () => {
  let client: Client;
  let plain: string;
  let lead: string;

  /** Signs in a member whose role has only this permission. */
  async function only(permission: string): Promise<void> {
    const fresh = await app.workspace();
    [{ id: plain }, { id: lead }] = [await fresh.key({ module: 'tasks' }), await fresh.key({ module: 'lead_webhook' })];
    client = await fresh.signIn((await fresh.member('developer')).email);
    await app.sql.query(`UPDATE roles SET permissions = $2 WHERE organization_id = $1 AND name = 'developer'`, [
      fresh.organizationId,
      [permission],
    ]);
  }

  test('view: lists only lead-webhook keys, and changes nothing', async () => {
    await only('org.developer.leadkeys.view');
    expect((await client.get(`${KEYS}?include_total=true`)).body).toMatchObject({ data: [{ id: lead }], total_count: 1 });
    expect([(await client.get(`${KEYS}/${lead}`)).status, (await client.get(`${KEYS}/${plain}`)).status]).toEqual([200, 404]);
    for (const id of [lead, plain]) {
      expect([
        (await client.patch(`${KEYS}/${id}`, { name: 'X' })).status,
        (await client.post(`${KEYS}/${id}/roll`, {})).status,
        (await client.delete(`${KEYS}/${id}`)).status,
      ]).toEqual([403, 403, 403]);
    }
  });

  test('create: creates, changes and rolls lead-webhook keys, but neither lists nor revokes them', async () => {
    await only('org.developer.leadkeys.create');
    expect(await client.post(KEYS, BODY)).toMatchObject({ status: 201, body: { module: 'lead_webhook', secret: expect.any(String) } });
    expect((await client.post(KEYS, { ...BODY, module: 'tasks', scopes: ['tasks:task:read'] })).body.error).toMatchObject({
      code: 'permission_denied',
      required_permission: 'org.developer.apikeys.manage',
    });
    expect([
      (await client.patch(`${KEYS}/${lead}`, { name: 'Form' })).body.name,
      (await client.post(`${KEYS}/${lead}/roll`, {})).body.secret,
    ]).toEqual(['Form', expect.any(String)]);
    expect([
      (await client.patch(`${KEYS}/${plain}`, { name: 'X' })).status,
      (await client.post(`${KEYS}/${plain}/roll`, {})).status,
    ]).toEqual([404, 404]);
    expect([
      (await client.get(KEYS)).status,
      (await client.get(`${KEYS}/${lead}`)).status,
      (await client.delete(`${KEYS}/${lead}`)).status,
    ]).toEqual([403, 403, 403]);
  });

  test('delete: revokes lead-webhook keys', async () => {
    await only('org.developer.leadkeys.delete');
    expect([(await client.delete(`${KEYS}/${plain}`)).status, (await client.post(`${KEYS}/${plain}/revoke`)).status]).toEqual([404, 404]);
    expect((await client.post(`${KEYS}/${lead}/revoke`)).body.status).toBe('revoked');
    expect([(await client.get(KEYS)).status, (await client.post(KEYS, BODY)).status]).toEqual([403, 403]);
  });

  test('the permission for other keys does not include them', async () => {
    await only('org.developer.apikeys.manage');
    expect((await client.get(KEYS)).body.data).toMatchObject([{ id: plain }]);
    expect([(await client.delete(`${KEYS}/${lead}`)).status, (await client.delete(`${KEYS}/${plain}`)).status]).toEqual([404, 204]);
  });

  test('view logs: lists the requests of these keys, but no keys', async () => {
    await only('org.developer.leadkeys.logs.view');
    expect([
      (await client.get('/api/v1/org/developer/lead-webhook-logs')).status,
      (await client.get(KEYS)).status,
      (await client.post(KEYS, BODY)).status,
    ]).toEqual([200, 403, 403]);
  });
});
