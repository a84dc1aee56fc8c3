import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../../test/harness/client.js';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { DOCUMENTS, ORG_DOCUMENTS, WorkflowFixture } from '../../testing/workflow-fixture.js';

const KEYS = '/api/v1/org/developer/api-keys';
const ACT = ['papers:document:read', 'papers:workflow:act'];
const SUBMIT = ['papers:document:read', 'papers:document:write'];
const DOCUMENTS_KEY = { name: 'Agent', module: 'documents', mode: 'live' };

const app = await sharedApp();
let workflow: WorkflowFixture;
let ada: { id: string; email: string };
let bob: { id: string; email: string };

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
  [ada, bob] = [await workflow.space.member('member'), await workflow.space.member('member')];
});

const submitted = async () => workflow.submitted((await workflow.approvedBy([ada])).code);
const approveAs = (id: string, approver: { email: string }, client: Client, over: object = {}) =>
  workflow.act(id, { action: 'APPROVE', approver_email: approver.email, ...over }, {}, client);
const userOf = ({ email }: { email: string }) => ({ kind: 'user' as const, ref: email });
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => body.error?.code ?? status;

describe('deciding in the name of an approver', () => {
  it('is not for the member who submitted the document, neither by REST nor by MCP', async () => {
    const id = await submitted();
    const rejected = await approveAs(id, ada, workflow.api);
    expect([rejected.status, rejected.body.error]).toEqual([
      403,
      expect.objectContaining({ code: 'permission_denied', param: 'approver_email' }),
    ]);
    for (const action of ['REJECT', 'RETURN'])
      expect((await approveAs(id, ada, workflow.api, { action })).body.error.code).toBe('permission_denied');
    const params = { name: 'act_on_document', arguments: { id, action: 'APPROVE', approver_email: ada.email } };
    const tool = await workflow.api.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(tool.text).toContain('permission_denied');
    // another key of the same member is no way around it
    expect(codeOf(await approveAs(id, ada, await workflow.key()))).toBe('permission_denied');
    expect((await workflow.read(id)).allowed_actions).toEqual(['recall']);
    expect((await workflow.read(id)).state).toBe('in_approval');
    const bobs = await workflow.key({ actor_user_id: bob.id });
    expect((await bobs.get(`${DOCUMENTS}/${id}`)).body.allowed_actions).toEqual(['approve', 'reject', 'return']);
    expect((await approveAs(id, ada, bobs)).body.state).toBe('approved');
  });

  it('is not for the author of a document that a key without a member submitted', async () => {
    const grace = await workflow.space.member('member');
    const graces = await workflow.key({ actor_user_id: grace.id });
    const unbound = (await workflow.space.key({ module: 'documents', actor_user_id: undefined, scopes: SUBMIT })).client;
    const { code } = await workflow.approvedBy([{ name: 'Legal', mode: 'any', approvers: [ada, grace].map(userOf) }]);
    const { id } = await workflow.draft(code, {}, graces);
    const submission = await workflow.submit(id, {}, unbound);
    expect(submission.body.approval.pending.map(({ approver }: { approver: { email: string } }) => approver.email)).toEqual([ada.email]);
    expect(codeOf(await approveAs(id, grace, graces))).toBe('not_an_approver');
    expect(codeOf(await approveAs(id, ada, graces))).toBe('permission_denied');
    expect(codeOf(await approveAs(id, grace, await workflow.acting()))).toBe('not_an_approver');
    expect((await approveAs(id, ada, await workflow.acting())).body.state).toBe('approved');
    // alone on a step, the author makes the submission fail, as a submitter does
    const alone = await workflow.draft((await workflow.approvedBy([grace])).code, {}, graces);
    expect(codeOf(await workflow.submit(alone.id, {}, unbound))).toBe('not_enough_approvers');
  });

  it('is for everyone else if neither the author nor the submitter is known', async () => {
    const unbound = (await workflow.space.key({ module: 'documents', actor_user_id: undefined, scopes: SUBMIT })).client;
    const { id } = await workflow.draft((await workflow.approvedBy([ada])).code, {}, unbound);
    expect((await workflow.submit(id, {}, unbound)).status).toBe(200);
    expect((await approveAs(id, ada, workflow.api)).body.state).toBe('approved');
  });

  it('shows who acted and who approved, and tells the approver', async () => {
    const { code } = await workflow.approvedBy([{ name: 'Legal', mode: 'any', approvers: [{ kind: 'user', ref: ada.email }] }]);
    const id = await workflow.submitted(code);
    const key = await workflow.space.key({ module: 'documents', actor_user_id: bob.id });
    const { body } = await approveAs(id, ada, key.client, { comments: 'Agreed by phone' });
    expect(body.approval.steps[0].decisions).toEqual([
      expect.objectContaining({
        approver_email: ada.email,
        decision: 'approved',
        decided_by: { type: 'api_key', id: key.id, email: bob.email },
      }),
    ]);
    const trail = (await workflow.screen.get(`${ORG_DOCUMENTS}/${id}/audit-entries`)).body.data;
    expect(trail.at(-1)).toMatchObject({
      action: 'papers.approve',
      actor: { type: 'api_key', id: key.id },
      acted_for: ada.email,
      detail: { member_id: bob.id },
    });
    const { rows } = await app.sql.query<{ text: string; subject: string }>(
      `SELECT subject, text FROM mails WHERE recipient = $1 AND subject LIKE 'Decided%' AND text LIKE '%' || $2 || '%'`,
      [ada.email, id],
    );
    expect(rows).toEqual([{ subject: 'Decided in your name: Agreement', text: expect.stringContaining(`member member (${bob.email})`) }]);
    expect(rows[0].text).toContain('Step: Legal\nDecision: approved\nComment: Agreed by phone');
  });

  it('sends no mail about a decision that was rolled back, or that approvers made themselves', async () => {
    const mailCount = async () =>
      (await app.sql.query(`SELECT 1 FROM mails WHERE recipient = $1 AND subject LIKE 'Decided%'`, [ada.email])).rows.length;
    const author = await workflow.key({ mode: 'test' });
    const { id } = await workflow.draft((await workflow.approvedBy([ada])).code, {}, author);
    await workflow.submit(id, {}, author);
    const bobs = await workflow.key({ mode: 'test', actor_user_id: bob.id });
    const body = { action: 'APPROVE', approver_email: ada.email };
    expect(codeOf(await workflow.act(id, body, { 'svc-test-scenario': 'approval_action_failed' }, bobs))).toBe('approval_action_failed');
    expect(await mailCount()).toBe(0);
    expect(codeOf(await approveAs(await submitted(), ada, await workflow.key({ actor_user_id: ada.id })))).toBe(200);
    expect(codeOf(await workflow.org(await submitted(), 'decide', { decision: 'approve' }, await workflow.space.signIn(ada.email)))).toBe(
      200,
    );
    expect(await mailCount()).toBe(0);
  });
});

describe('the scope papers:workflow:act', () => {
  it('is given only by roles that may approve, and only to keys of members who may', async () => {
    const developer = await workflow.space.signIn((await workflow.space.member('developer')).email);
    const { status, body } = await developer.post(KEYS, { ...DOCUMENTS_KEY, scopes: ACT });
    expect([status, body.error]).toEqual([
      403,
      expect.objectContaining({ code: 'permission_denied', param: 'scopes', required_permission: 'papers.document.approve' }),
    ]);
    const plain = await developer.post(KEYS, { ...DOCUMENTS_KEY, scopes: ['papers:document:read'] });
    expect(plain.status).toBe(201);
    expect(codeOf(await developer.patch(`${KEYS}/${plain.body.id}`, { scopes: ACT }))).toBe('permission_denied');
    const bound = { ...DOCUMENTS_KEY, scopes: ACT, actor_user_id: (await workflow.space.member('developer')).id };
    expect((await workflow.screen.post(KEYS, bound)).body.error).toMatchObject({ code: 'validation_failed', param: 'actor_user_id' });
    const made = await workflow.screen.post(KEYS, { ...DOCUMENTS_KEY, scopes: ACT });
    expect(made.status).toBe(201);
    const change = (change: object) => developer.patch(`${KEYS}/${made.body.id}`, change);
    expect([
      codeOf(await developer.post(`${KEYS}/${made.body.id}/roll`)),
      codeOf(await change({ rate_limit_per_minute: 500 })),
      codeOf(await change({ status: 'inactive' })),
      codeOf(await change({ status: 'active' })),
      codeOf(await change({ scopes: ['papers:document:read'] })),
    ]).toEqual(['permission_denied', 'permission_denied', 200, 'permission_denied', 200]);
  });

  it('needs the permission of the bound member at each call', async () => {
    const id = await submitted();
    const bobs = await workflow.key({ actor_user_id: bob.id });
    const actions = async () => (await bobs.get(`${DOCUMENTS}/${id}`)).body.allowed_actions;
    expect(await actions()).toEqual(['approve', 'reject', 'return']);
    const setRole = (role: string) => workflow.screen.patch(`/api/v1/org/members/${bob.id}`, { role });
    expect((await setRole('developer')).status).toBe(200);
    const rejected = await approveAs(id, ada, bobs);
    expect([rejected.status, rejected.body.error]).toEqual([
      403,
      expect.objectContaining({ code: 'permission_denied', required_permission: 'papers.document.approve' }),
    ]);
    expect(codeOf(await workflow.move(id, 'recall', {}, bobs))).toBe('permission_denied');
    const params = { name: 'act_on_document', arguments: { id, action: 'APPROVE', approver_email: ada.email } };
    const tool = await bobs.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect([tool.body.result.isError, tool.text.includes('permission_denied')]).toEqual([true, true]);
    expect(await actions()).toEqual([]);
    await setRole('member');
    expect((await approveAs(id, ada, bobs)).body.state).toBe('approved');
  });

  it('is of no use while the bound member is not active; the other scopes stay', async () => {
    const id = await submitted();
    const bobs = await workflow.key({ actor_user_id: bob.id });
    const setStatus = (status: string) => workflow.screen.patch(`/api/v1/org/members/${bob.id}`, { status });
    const tools = async () => {
      const { body } = await bobs.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
      return body.result.tools.map(({ name }: { name: string }) => name) as string[];
    };
    expect(await tools()).toContain('act_on_document');
    expect((await setStatus('inactive')).status).toBe(200);
    expect(await tools()).not.toContain('act_on_document');
    expect(await tools()).toContain('get_document');
    expect(codeOf(await approveAs(id, ada, bobs))).toBe('key_missing_actor');
    expect((await bobs.get(`${DOCUMENTS}/${id}`)).body).toMatchObject({ state: 'in_approval', allowed_actions: [] });
    await setStatus('active');
    expect((await approveAs(id, ada, bobs)).body.state).toBe('approved');
  });
});
