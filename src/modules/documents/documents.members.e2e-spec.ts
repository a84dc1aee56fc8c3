import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import type { Client } from '../../../test/harness/client.js';
import type { Workspace } from '../../../test/harness/workspace.js';
import { makeType } from './testing/document-types.js';

const PAPERS = '/api/v1/org/papers';

const app = await sharedApp();
let space: Workspace;
let member: Client;

beforeEach(async () => {
  space = await app.workspace();
  member = await space.signIn((await space.member('member')).email);
});

describe('documents', () => {
  const summarize = { raw_text: 'The Customer shall indemnify the Supplier against all claims.' };

  it('are analyzed at the expense of the organization, once for members and keys', async () => {
    const owner = await space.signIn();
    const balance = async () => (await owner.get(`${PAPERS}/ai/credits`)).body.balance as number;
    const before = await balance();
    const first = await member.post(`${PAPERS}/ai/summarize`, summarize, { 'idempotency-key': 'summary' });
    expect([first.status, before - (await balance())]).toEqual([200, 1]);
    const { client: key } = await space.key({ module: 'documents' });
    expect((await key.post('/api/v1/ext/papers/ai/summarize', summarize)).status).toBe(200);
    expect((await member.post(`${PAPERS}/ai/summarize`, summarize, { 'idempotency-key': 'summary' })).body).toEqual(first.body);
    expect(before - (await balance())).toBe(1);
    expect((await member.post(`${PAPERS}/ai/risks`, summarize)).status).toBe(200);
    expect(before - (await balance())).toBe(3);
    const developer = await space.signIn((await space.member('developer')).email);
    expect((await developer.post(`${PAPERS}/ai/risks`, summarize)).body.error.required_permission).toBe('papers.ai.run');
  });

  it('are generated from events of the sender; their obligations are listed', async () => {
    const { code } = await makeType(app, space.ctx());
    const { id } = (await member.post(`${PAPERS}/documents`, { type_code: code, title: 'Agreement', project_id: space.eng.id })).body;
    expect((await member.get(`${PAPERS}/documents/${id}/obligations`)).body.data).toEqual([]);
    expect((await member.post(`${PAPERS}/generate`, { event_type: 'acme.signed', payload: {} })).body).toMatchObject({ matched: 0 });
    expect((await member.post(`${PAPERS}/generate`, { event_type: 'form.submitted', payload: {} })).body).toMatchObject({ matched: 0 });
    expect((await member.post(`${PAPERS}/generate`, { event_type: 'deal.won', payload: {} })).body.error).toMatchObject({
      code: 'permission_denied',
      param: 'event_type',
    });
  });
});
