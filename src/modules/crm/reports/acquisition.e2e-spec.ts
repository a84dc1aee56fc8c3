import { expect, it } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import type { LeadInput, LeadsService } from '../crm.public.js';

const EXT = '/api/v1/ext/crm/reports/acquisition';
const ORG = '/api/v1/org/marketing/reports/acquisition';

const app = await sharedApp();

it('leads are counted by project, source, campaign and period, within the key’s project and mode', async () => {
  const space = await app.workspace();
  const [wide, pinned, test] = await Promise.all(
    [{}, { project_id: space.eng.id }, { mode: 'test' as const }].map(async (over) => (await space.key({ module: 'crm', ...over })).client),
  );
  const [source] = (await pinned.get('/api/v1/ext/crm/lead-sources?limit=1')).body.data;
  let created = 0;
  const lead = async (day: string, input: LeadInput, project_id = space.eng.id) => {
    const { id } = await app
      .service<LeadsService>('LeadsService')
      .create(space.ctx(), { project_id, full_name: 'Ada', email: `a${++created}@example.com`, ...input });
    await app.sql.query('UPDATE leads SET created_at = $2 WHERE id = $1', [id, `${day}T12:00:00Z`]);
  };
  const autumn = { source_id: source.id, utm_source: 'newsletter', utm_campaign: 'autumn' };
  await lead('2026-09-01', autumn);
  await lead('2026-09-30', autumn);
  await lead('2026-10-01', autumn);
  await lead('2026-10-02', {});
  await lead('2026-10-03', {}, space.ops.id);

  const range = 'from=2026-09-01&to=2026-11-01';
  const row = (period_start_on: string, leads: number, over: object) => ({
    project_id: space.eng.id,
    period_start_on,
    source_id: null,
    source_name: null,
    utm_source: null,
    utm_campaign: null,
    leads,
    submissions: leads,
    converted: 0,
    ...over,
  });
  const named = { ...autumn, source_name: source.name };
  const { status, body } = await pinned.get(`${EXT}?${range}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ object: 'acquisition_report', from: '2026-09-01', to: '2026-11-01', interval: 'month' });
  expect(body.rows).toHaveLength(3);
  expect(body.rows).toEqual(expect.arrayContaining([row('2026-10-01', 1, named), row('2026-10-01', 1, {}), row('2026-09-01', 2, named)]));
  expect((await wide.get(`${EXT}?${range}`)).body.rows).toHaveLength(4);
  expect((await wide.get(`${EXT}?${range}&project_id=${space.ops.id}`)).body.rows).toEqual([
    row('2026-10-01', 1, { project_id: space.ops.id }),
  ]);
  expect((await test.get(`${EXT}?${range}`)).body.rows).toEqual([]);
  expect((await wide.get(`${EXT}?from=2026-10-02&to=2026-10-02&interval=day`)).body.rows).toEqual([row('2026-10-02', 1, {})]);
  expect((await wide.get(`${EXT}?from=2026-10-02&to=2026-10-01`)).body.error).toMatchObject({ code: 'validation_failed', param: 'from' });

  const owner = await space.signIn();
  expect((await owner.get(`${ORG}?${range}`)).body.rows).toHaveLength(4);
});
