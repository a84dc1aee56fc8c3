import { beforeEach, describe, expect, it } from '@jest/globals';
import { hash } from 'node:crypto';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { DOCUMENTS, ORG_DOCUMENTS, WorkflowFixture } from '../../testing/workflow-fixture.js';

const app = await sharedApp();
let workflow: WorkflowFixture;
let ada: { id: string; email: string };

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
  ada = await workflow.space.member('member');
});

const outcome = ({ status, body }: { status: number; body: { state?: string; error?: { code: string } } }) => [
  status,
  body.state ?? body.error?.code,
];
const finalized = async (code: string, over: object = {}) => {
  const { id } = await workflow.draft(code, over);
  const response = await workflow.move(id, 'finalize');
  if (response.status !== 200) throw new Error(response.text);
  return id;
};

describe('finalizing', () => {
  it('freezes the file: its bytes do not change, and the document has their hash', async () => {
    const { code } = await workflow.type({ template: '# Agreement\n\nWith {{customer}}.' });
    const { id } = await workflow.draft(code);
    const draft = await workflow.api.get(`${DOCUMENTS}/${id}/content`);
    expect([draft.status, draft.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(draft.text).toContain('DRAFT');
    const { body } = await workflow.move(id, 'finalize');
    const pdf = await workflow.api.get(`${DOCUMENTS}/${id}/content?format=pdf`);
    expect([pdf.headers['content-type'], hash('sha256', pdf.body as Buffer)]).toEqual(['application/pdf', body.content_sha256]);
    // Later versions of the type do not change it.
    await app.sql.query(`UPDATE documents SET data_values = '{"customer":"Other"}' WHERE id = $1`, [id]);
    const html = await workflow.api.get(`${DOCUMENTS}/${id}/content`);
    expect(html.text).toContain('With Acme.');
    expect(html.text).not.toContain('DRAFT');
    expect(((await workflow.screen.get(`${ORG_DOCUMENTS}/${id}/content?format=pdf`)).body as Buffer).equals(pdf.body as Buffer)).toBe(true);
    expect(await workflow.events(id)).toEqual(['paper.created', 'paper.state_changed finalized', 'paper.finalized']);
  });

  it('marks documents of a test key as TEST and numbers them separately', async () => {
    const { code } = await workflow.type();
    const key = await workflow.key({ mode: 'test' });
    const { id } = await workflow.draft(code, {}, key);
    const marks = [];
    for (const step of [null, 'finalize']) {
      if (step) await workflow.move(id, step, {}, key);
      marks.push(/class="mark">([^<]+)</.exec((await key.get(`${DOCUMENTS}/${id}/content`)).text)?.[1]);
    }
    expect(marks).toEqual(['TEST DRAFT', 'TEST']);
    expect((await key.get(`${DOCUMENTS}/${id}`)).body.number).toMatch(/^TEST-/);
  });

  it('interface 3 rule 1: a key cannot finalize a document whose type requires approval, even once it is approved', async () => {
    const { code } = await workflow.approvedBy([ada]);
    const { id } = await workflow.draft(code);
    const expectRejection = async () => expect(outcome(await workflow.move(id, 'finalize'))).toEqual([400, 'invalid_transition']);
    await expectRejection();
    await workflow.submit(id);
    await expectRejection();
    expect((await workflow.decide(id, 'APPROVE', ada)).body.allowed_actions).toEqual(['revoke']);
    await expectRejection();
    expect(await workflow.events(id)).not.toContain('paper.finalized');
    // Members can finalize it once it is approved.
    expect(outcome(await workflow.org(id, 'finalize'))).toEqual([200, 'finalized']);
  });

  it('rejects incomplete data, and also rejects members before the approval', async () => {
    const [free, strict] = [await workflow.type(), await workflow.approvedBy([ada])];
    const { id } = await workflow.draft(free.code, { data_values: {} });
    expect((await workflow.move(id, 'finalize')).body.error).toMatchObject({ code: 'missing_fields', param: 'data_values.customer' });
    expect(outcome(await workflow.org((await workflow.draft(strict.code)).id, 'finalize'))).toEqual([400, 'invalid_transition']);
  });

  it('assigns gapless numbers, even if requests are concurrent and some fail', async () => {
    const { code } = await workflow.type({ numbering: { pattern: 'INV-{SEQ:3}', reset: 'never', assign_at: 'finalize', gapless: true } });
    const drafts = await Promise.all(Array.from({ length: 8 }, (_, n) => workflow.draft(code, n % 2 ? { data_values: {} } : {})));
    expect(drafts.map(({ id }) => id)).toHaveLength(8);
    const responses = await Promise.all(drafts.map(({ id }) => workflow.move(id, 'finalize')));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 400, 400, 400, 400]);
    const numbers = responses.flatMap(({ status, body }) => (status === 200 ? [body.number as string] : []));
    expect(numbers.sort()).toEqual(['INV-001', 'INV-002', 'INV-003', 'INV-004']);
  });
});

describe('TRANSITION', () => {
  it('requires the name of an existing transition, and cannot make decisions', async () => {
    const { code } = await workflow.approvedBy([ada]);
    const id = await workflow.submitted(code);
    expect((await workflow.act(id, { action: 'TRANSITION' }, {}, workflow.api)).body.error).toMatchObject({
      code: 'missing_fields',
      param: 'lifecycle_action',
      allowed: ['recall'],
    });
    expect((await workflow.move(id, 'no_such')).body.error).toMatchObject({
      code: 'invalid_lifecycle',
      param: 'lifecycle_action',
      allowed: ['recall'],
    });
    for (const decision of ['approve', 'sign', 'expire', 'reopen', 'submit'])
      expect(outcome(await workflow.move(id, decision))).toEqual([400, 'invalid_action']);
    expect((await workflow.read(id)).state).toBe('in_approval');
  });

  it('acts on behalf of the named member', async () => {
    const { code } = await workflow.type();
    const { id } = await workflow.draft(code);
    expect((await workflow.act(id, { action: 'TRANSITION', lifecycle_action: 'finalize' })).body.error).toMatchObject({
      code: 'missing_approver_email',
      param: 'approver_email',
    });
    expect(outcome(await workflow.move(id, 'finalize', { approver_email: 'nobody@example.com' }))).toEqual([403, 'approver_not_found']);
  });

  it('fails on behalf of a member who may not manage documents', async () => {
    const { code } = await workflow.type();
    const { id } = await workflow.draft(code);
    const developer = await workflow.space.member('developer');
    const { status, body } = await workflow.move(id, 'finalize', { approver_email: developer.email });
    expect([status, body.error]).toEqual([403, expect.objectContaining({ code: 'not_an_approver', param: 'approver_email' })]);
    expect((await workflow.read(id)).state).toBe('draft');
    expect(outcome(await workflow.move(id, 'finalize', { approver_email: ada.email }))).toEqual([200, 'finalized']);
  });

  it('lists as allowed only the actions that can succeed', async () => {
    const [free, strict] = [await workflow.type(), await workflow.approvedBy([ada])];
    const allowedAt = async (id: string) => (await workflow.move(id, 'no_such')).body.error.allowed;
    expect(await allowedAt((await workflow.draft(free.code)).id)).toEqual(['finalize']);
    const id = (await workflow.draft(strict.code)).id;
    expect(await allowedAt(id)).toEqual([]);
    await workflow.submit(id);
    await workflow.decide(id, 'APPROVE', ada);
    expect(await allowedAt(id)).toEqual(['revoke']);
    expect((await workflow.act(id, { action: 'TRANSITION' }, {}, workflow.api)).body.error.allowed).toEqual(['revoke']);
  });

  it('recall is reserved for the author and withdraws the pending decisions', async () => {
    const { code } = await workflow.approvedBy([ada]);
    const id = await workflow.submitted(code);
    const withoutPermission = await workflow.key({ actor_user_id: ada.id });
    expect(outcome(await workflow.move(id, 'recall', {}, withoutPermission))).toEqual([403, 'permission_denied']);
    expect((await withoutPermission.get(`${DOCUMENTS}/${id}`)).body.allowed_actions).not.toContain('recall');
    expect((await workflow.org(id, 'recall')).body).toMatchObject({
      state: 'draft',
      approval: { outcome: 'pending', current_step: null, steps: [{ decisions: [{ decision: 'withdrawn' }] }] },
    });
    expect((await workflow.api.get('/api/v1/ext/papers/approvals/pending')).body.data).toEqual([]);
  });

  it('revoke requires a reason, which the event and a comment contain', async () => {
    const { code } = await workflow.type();
    const id = await finalized(code);
    expect((await workflow.move(id, 'revoke')).body.error).toMatchObject({ code: 'missing_fields', param: 'comments' });
    expect((await workflow.move(id, 'revoke', { comments: 'Wrong customer' })).body).toMatchObject({
      state: 'revoked',
      allowed_actions: [],
    });
    expect((await workflow.events(id)).slice(-3)).toEqual(['paper.state_changed revoked', 'paper.revoked', 'paper.comment_added']);
    const { rows } = await app.sql.query(
      `SELECT body::jsonb #> '{data,context}' AS context FROM outbox_events WHERE type = 'paper.revoked' AND organization_id = $1`,
      [workflow.space.organizationId],
    );
    expect(rows).toEqual([{ context: { reason: 'Wrong customer' } }]);
    expect((await workflow.org(await finalized(code), 'revoke', {})).body.error).toMatchObject({ code: 'missing_fields', param: 'reason' });
  });

  it('supersede requires a finalized replacement', async () => {
    const { code } = await workflow.type();
    const id = await finalized(code);
    expect(outcome(await workflow.move(id, 'supersede'))).toEqual([400, 'invalid_transition']);
    const replacement = await workflow.screen.post(`${ORG_DOCUMENTS}/${id}/replacement`, { data_values: { amount: 7 } });
    expect([replacement.status, replacement.body]).toEqual([
      201,
      expect.objectContaining({ state: 'draft', supersedes_id: id, title: 'Agreement', data_values: { customer: 'Acme', amount: 7 } }),
    ]);
    expect(outcome(await workflow.move(id, 'supersede'))).toEqual([400, 'invalid_transition']);
    await workflow.move(replacement.body.id, 'finalize');
    expect((await workflow.move(id, 'supersede')).body).toMatchObject({ state: 'superseded', superseded_by_id: replacement.body.id });
    expect((await workflow.events(id)).slice(-2)).toEqual(['paper.state_changed superseded', 'paper.superseded']);
  });

  it('supersede accepts a replacement in the organization API: another finalized document of the same type and project', async () => {
    const { code } = await workflow.type();
    const [id, other, draft, foreign, unrelated] = [
      await finalized(code),
      await finalized(code),
      (await workflow.draft(code)).id,
      await finalized(code, { project_id: workflow.space.ops.id }),
      await finalized((await workflow.type()).code),
    ];
    for (const [superseded_by_id, code] of [
      [id, 'validation_failed'],
      [foreign, 'validation_failed'],
      [unrelated, 'validation_failed'],
      [workflow.space.eng.id, 'validation_failed'],
      [draft, 'invalid_transition'],
    ]) {
      expect((await workflow.org(id, 'supersede', { superseded_by_id })).body.error).toMatchObject({ code, param: 'superseded_by_id' });
    }
    expect((await workflow.org(id, 'supersede', { superseded_by_id: other })).body).toMatchObject({
      state: 'superseded',
      superseded_by_id: other,
    });
    // Both documents refer to each other.
    const replaced = await workflow.read(id);
    expect(await workflow.read(other)).toMatchObject({ supersedes_id: id, supersedes_number: replaced.number });
    expect(replaced).toMatchObject({ number: expect.any(String), superseded_by_number: expect.any(String) });
    expect((await workflow.screen.get(`${ORG_DOCUMENTS}/${other}/audit-entries`)).body.data.at(-1)).toMatchObject({
      action: 'papers.update',
      detail: { supersedes_id: id },
    });
    const [third, before] = [await finalized(code), await workflow.read(other)];
    expect((await workflow.org(third, 'supersede', { superseded_by_id: other })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'superseded_by_id',
    });
    expect([(await workflow.read(third)).state, await workflow.read(other)]).toEqual(['finalized', before]);
  });

  it('a key creates a replacement and names it when it supersedes a document', async () => {
    const { code } = await workflow.type();
    const { id } = await workflow.draft(code, { data_values: { customer: 'Acme', amount: 7 } });
    const replace = (key: string, version = '') =>
      workflow.api.post(
        `${DOCUMENTS}/${id}/replacement`,
        { data_values: { amount: 8 } },
        { 'idempotency-key': key, ...(version && { 'if-match': version }) },
      );
    expect(outcome(await replace('draft'))).toEqual([400, 'invalid_transition']);
    await workflow.org(id, 'finalize');
    expect(outcome(await replace('stale', '"1"'))).toEqual([412, 'version_conflict']);
    const [first, repeated, newest] = [await replace('one'), await replace('one'), await replace('two')];
    expect([first.status, repeated.body.id]).toEqual([201, first.body.id]);
    expect(first.body).toMatchObject({ state: 'draft', supersedes_id: id, data_values: { customer: 'Acme', amount: 8 } });
    for (const { body } of [first, newest]) await workflow.org(body.id, 'finalize');
    const chosen = { superseded_by_id: first.body.id };
    const approved = await workflow.act(id, { action: 'APPROVE', approver_email: workflow.space.owner.email, ...chosen });
    expect(approved.body.error).toMatchObject({ code: 'validation_failed', param: 'superseded_by_id' });
    expect((await workflow.move(id, 'revoke', chosen)).body.error).toMatchObject({ code: 'validation_failed', param: 'superseded_by_id' });
    expect((await workflow.move(id, 'supersede', chosen)).body).toMatchObject({ state: 'superseded', ...chosen });
    expect((await workflow.events(id)).slice(-2)).toEqual(['paper.state_changed superseded', 'paper.superseded']);
  });

  it('supersede fails for a draft', async () => {
    const { code } = await workflow.type();
    const { id } = await workflow.draft(code);
    expect((await workflow.screen.post(`${ORG_DOCUMENTS}/${id}/replacement`, {})).body.error).toMatchObject({
      code: 'invalid_transition',
      allowed: ['finalized', 'executed', 'expired'],
    });
  });
});

describe('transitions reserved for members', () => {
  it('reopen begins a new revision and keeps the old file', async () => {
    const { code } = await workflow.type();
    const id = await finalized(code);
    const first = await workflow.read(id);
    await workflow.put(id, 'declined');
    expect((await workflow.org(id, 'reopen', { reason: 'New terms' })).body).toMatchObject({
      state: 'draft',
      content_sha256: null,
      finalized_at: null,
      number: first.number,
    });
    await workflow.screen.patch(`${ORG_DOCUMENTS}/${id}`, { data_values: { customer: 'Beta' } });
    const { body } = await workflow.move(id, 'finalize');
    expect([body.number, body.content_sha256 === first.content_sha256]).toEqual([first.number, false]);
    expect((await workflow.api.get(`${DOCUMENTS}/${id}/content`)).text).toContain('Beta');
    expect(
      (await app.sql.query('SELECT revision, sha256 FROM document_renditions WHERE document_id = $1 ORDER BY revision', [id])).rows,
    ).toEqual([
      { revision: 1, sha256: first.content_sha256 },
      { revision: 2, sha256: body.content_sha256 },
    ]);
  });

  it('override cannot set states that would claim signatures the parties have not given', async () => {
    const { code } = await workflow.type();
    const { id } = await workflow.draft(code);
    for (const to of ['sent', 'partially_signed', 'executed']) {
      const { error } = (await workflow.org(id, 'override', { to, reason: 'x' })).body;
      expect(error).toMatchObject({ code: 'invalid_transition', param: 'to' });
      expect(error.allowed).not.toContain(to);
    }
    expect((await workflow.read(id)).state).toBe('draft');
  });

  it('override cannot finalize a document with missing data', async () => {
    const { code } = await workflow.type();
    const { id } = await workflow.draft(code, { data_values: {} });
    for (const to of ['finalized', 'declined', 'expired', 'superseded'])
      expect((await workflow.org(id, 'override', { to, reason: 'x' })).body.error).toMatchObject({
        code: 'missing_fields',
        param: 'data_values.customer',
      });
    expect(outcome(await workflow.org(id, 'override', { to: 'revoked', reason: 'Never needed' }))).toEqual([200, 'revoked']);
  });

  it('override can set any other state with a reason, and emits its event after that of the new state', async () => {
    const { code } = await workflow.approvedBy([ada]);
    const id = await workflow.submitted(code);
    expect((await workflow.org(id, 'override', { to: 'nowhere', reason: 'x' })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'to',
    });
    expect((await workflow.org(id, 'override', { to: 'approved' })).body.error).toMatchObject({ code: 'missing_fields', param: 'reason' });
    const { body } = await workflow.org(id, 'override', { to: 'finalized', reason: 'Approved on paper' });
    expect(body).toMatchObject({
      state: 'finalized',
      lifecycle_stage: 'finalized',
      content_sha256: expect.any(String),
      approval: { current_step: null, steps: [{ decisions: [{ decision: 'withdrawn' }] }] },
    });
    expect((await workflow.events(id)).slice(-3)).toEqual([
      'paper.state_changed finalized',
      'paper.lifecycle_override',
      'paper.comment_added',
    ]);
    const { rows } = await app.sql.query(
      `SELECT body::jsonb #> '{data,context}' AS context FROM outbox_events
       WHERE type = 'paper.lifecycle_override' AND organization_id = $1`,
      [workflow.space.organizationId],
    );
    expect(rows).toEqual([{ context: { from: 'in_approval', to: 'finalized', reason: 'Approved on paper' } }]);
    // The document is editable again, and the frozen file belongs to an earlier revision.
    expect((await workflow.org(id, 'override', { to: 'in_approval', reason: 'Mistake' })).body).toMatchObject({
      state: 'in_approval',
      content_sha256: null,
      approval: { outcome: 'pending', current_step: 1 },
    });
    expect(outcome(await workflow.decide(id, 'APPROVE', ada))).toEqual([200, 'approved']);
    expect(outcome(await workflow.org(id, 'finalize'))).toEqual([200, 'finalized']);
  });

  it('require the corresponding permission', async () => {
    const { code } = await workflow.type();
    const { id } = await workflow.draft(code);
    const member = await workflow.space.signIn(ada.email);
    expect((await workflow.org(id, 'override', { to: 'approved', reason: 'x' }, member)).body.error.code).toBe('permission_denied');
    expect((await workflow.org(id, 'reopen', {}, member)).body.error.code).toBe('permission_denied');
    const developer = await workflow.space.signIn((await workflow.space.member('developer')).email);
    for (const [action, body] of [
      ['submit', {}],
      ['finalize', {}],
      ['decide', { decision: 'approve' }],
    ] as const)
      expect((await workflow.org(id, action, body, developer)).body.error.code).toBe('permission_denied');
  });
});
