import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../test/kit/client.js';
import { createTestApp, type TestApp } from '../../../test/kit/app.js';
import type { Workspace } from '../../../test/kit/workspace.js';
import { LeadsService, type LeadInput } from './crm.public.js';

const AT = '/api/v1/ext/crm';
const NOBODY = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60';

let app: TestApp;
let space: Workspace;
let api: Client;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  space = await app.workspace();
  api = (await space.key({ module: 'crm', project_id: space.eng.id })).client;
});

function lead(input: LeadInput = {}) {
  return app.app.get(LeadsService).create(space.ctx(), { project_id: space.eng.id, full_name: 'Ada Lovelace', email: 'Ada@Example.com', ...input });
}

async function events(): Promise<{ type: string; data: { object: Record<string, unknown>; previous_attributes: object; context: object } }[]> {
  const { rows } = await app.sql.query<{ body: string }>('SELECT body FROM outbox_events WHERE organization_id = $1 ORDER BY sequence', [space.organizationId]);
  return rows.map(({ body }) => JSON.parse(body));
}

describe('look-ups', () => {
  it('a new project has a pipeline of each kind, statuses and sources', async () => {
    const pipelines = (await api.get(`${AT}/pipelines`)).body.data;
    expect(pipelines.map(({ kind, name, is_default }: Record<string, unknown>) => [kind, name, is_default])).toEqual([['lead', 'Leads', true], ['deal', 'Sales', true]]);
    const names = async (path: string) => (await api.get(`${AT}/${path}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await names(`pipelines/${pipelines[1].id}/stages`)).toEqual(['Qualification', 'Proposal', 'Negotiation', 'Won', 'Lost']);
    expect(await names('lead-statuses')).toEqual(['New', 'Contacted', 'Qualified', 'Unqualified']);
    expect(await names(`lead-statuses?pipeline_id=${pipelines[0].id}`)).toEqual(['New', 'Contacted', 'Qualified', 'Unqualified']);
    expect(await names('lead-sources')).toEqual(['Website', 'Referral', 'Event', 'Advertisement']);
    expect((await api.get(`${AT}/custom-fields?resource=lead`)).body.data).toEqual([]);
    expect((await api.get(`${AT}/members`)).body.data.map(({ id }: { id: string }) => id)).toEqual([space.owner.id]);
    expect((await api.get(`${AT}/lead-statuses?pipeline_id=${pipelines[1].id}`)).body.error).toMatchObject({ code: 'validation_failed', param: 'pipeline_id' });
    expect((await api.get(`${AT}/pipelines/${NOBODY}/stages`)).status).toBe(404);
  });
});
