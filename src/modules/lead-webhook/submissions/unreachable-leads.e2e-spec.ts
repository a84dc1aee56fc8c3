import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { eventually } from '../../../../test/harness/eventually.js';
import type { Client } from '../../../../test/harness/client.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

const WEBHOOK = '/api/v1/webhooks/leads';
const LEADS = '/api/v1/org/marketing/leads';
const UNREACHABLE = { code: 'missing_fields', param: 'email', message: 'email or phone is required, and a phone number needs a digit' };

const app = await sharedApp();
let space: Workspace;
let api: Client;
let owner: Client;

beforeAll(async () => {
  space = await app.workspace();
  api = (await space.key({ module: 'lead_webhook', project_id: space.eng.id })).client;
  owner = await space.signIn();
});

async function leadCount(): Promise<number> {
  return (await app.sql.query<{ n: number }>('SELECT count(*)::int AS n FROM leads WHERE organization_id = $1', [space.organizationId]))
    .rows[0].n;
}

describe('a phone number without a digit', () => {
  test.each(['abc', '---', 'n/a', '+', '٫'])('%j alone creates no lead, by the lead webhook or the organization API', async (phone) => {
    const before = await leadCount();
    for (const response of [
      await api.post(WEBHOOK, { full_name: 'No Reach', phone }),
      await owner.post(LEADS, { project_id: space.eng.id, full_name: 'No Reach', phone }),
    ]) {
      expect([response.status, response.body.error]).toEqual([400, expect.objectContaining(UNREACHABLE)]);
    }
    expect(await leadCount()).toBe(before);
  });

  test('creates no lead by an import', async () => {
    const before = await leadCount();
    const started = await owner.post(`${LEADS}/import?project_id=${space.eng.id}`, 'Full Name,Phone\nNo Reach,n/a\n', {
      'content-type': 'text/csv',
    });
    const { body } = await eventually(
      () => owner.get(`/api/v1/org/marketing/lead-imports/${started.body.id}`),
      (response) => response.body.finished_at !== null,
    );
    expect(body).toMatchObject({ created_count: 0, error_count: 1 });
    const issues = await owner.get(`/api/v1/org/marketing/lead-imports/${started.body.id}/issues`);
    expect(issues.body.data).toEqual([expect.objectContaining({ row_number: 1, severity: 'error', ...UNREACHABLE })]);
    expect(await leadCount()).toBe(before);
  });

  test('is kept with an e-mail address, and matches no lead', async () => {
    const first = await api.post(WEBHOOK, { full_name: 'Ada', email: 'ada@example.com', phone: 'n/a' });
    const other = await api.post(WEBHOOK, { full_name: 'Grace', email: 'grace@example.com', phone: 'n/a' });
    expect([first.status, other.status]).toEqual([201, 201]);
    const { rows } = await app.sql.query('SELECT phone, phone_normalized FROM leads WHERE id = $1', [first.body.lead.id]);
    expect(rows[0]).toEqual({ phone: 'n/a', phone_normalized: null });
  });

  test('cannot replace the last address of a lead', async () => {
    const { body } = await owner.post(LEADS, { project_id: space.eng.id, full_name: 'Phone Only', phone: '+49 30 901820' });
    expect((await owner.patch(`${LEADS}/${body.id}`, { phone: 'none' })).body.error).toMatchObject({
      code: 'validation_failed',
      message: 'email and phone cannot both be cleared',
    });
  });
});

test('digits of any script are accepted in a phone number', async () => {
  const phone = '٠١٢٣٤٥٦٧٨٩';
  const [first, again] = [
    await api.post(WEBHOOK, { full_name: 'Ibn Sina', phone }),
    await api.post(WEBHOOK, { full_name: 'Ibn Sina', phone }),
  ];
  expect([first.status, again.status, again.body.matched_by]).toEqual([201, 200, 'phone']);
});
