import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { ORG_DOCUMENTS, WorkflowFixture } from '../../testing/workflow-fixture.js';
import type { ApprovalStepDto } from '../../model/types/approval-route.dto.js';

const app = await sharedApp();
let workflow: WorkflowFixture;
let ada: { id: string; email: string };
let bob: { id: string; email: string };
let eve: { id: string; email: string };

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
  [ada, bob, eve] = [await workflow.space.member('member'), await workflow.space.member('member'), await workflow.space.member('member')];
});

const askAll = (mode: ApprovalStepDto['mode'], quorum: number | null = null): ApprovalStepDto => ({
  name: 'Legal',
  mode,
  quorum,
  approvers: [ada, bob, eve].map(({ email }) => ({ kind: 'user', ref: email })),
});
const stateOf = ({ status, body }: { status: number; body: { state?: string; error?: { code: string } } }) => [
  status,
  body.state ?? body.error?.code,
];
const nothingChanged = async (id: string, change: () => Promise<unknown>) => {
  const facts = async () => [
    await workflow.read(id),
    await workflow.events(id),
    await workflow.mails(id),
    (await workflow.screen.get(`${ORG_DOCUMENTS}/${id}/audit-entries`)).body.data,
  ];
  const before = await facts();
  await change();
  expect(await facts()).toEqual(before);
};

describe('errors of an action (contract 2.4)', () => {
  it('403 key_missing_actor for a key without a member, before any other check', async () => {
    const { code } = await workflow.approvedBy([ada]);
    const id = await workflow.submitted(code);
    const unbound = (await workflow.space.key({ module: 'documents' })).client;
    expect(stateOf(await workflow.act(id, { action: 'DANCE' }, {}, unbound))).toEqual([403, 'key_missing_actor']);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { tools } = (await unbound.post('/api/v1/ext/mcp', list)).body.result as { tools: { name: string; description: string }[] };
    expect(tools.find(({ name }) => name === 'act_on_document')?.description).toMatch(/This key has no member, so the call fails\.$/);
  });

  it('400 invalid_action for an unknown action, before the state is checked', async () => {
    const { code } = await workflow.approvedBy([ada]);
    const { id } = await workflow.draft(code);
    const { status, body } = await workflow.act(id, { action: 'DANCE' });
    expect([status, body.error]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_action', param: 'action', allowed: ['APPROVE', 'REJECT', 'RETURN', 'TRANSITION'] }),
    ]);
  });

  it('400 invalid_action for any text that is not an action, and an error for any value that is not an address', async () => {
    const { code } = await workflow.approvedBy([ada]);
    const id = await workflow.submitted(code);
    await nothingChanged(id, async () => {
      for (const action of ['', ' ', 'APPROVED_WITH_RESERVATIONS', 'A'.repeat(5_000)])
        expect(stateOf(await workflow.act(id, { action, approver_email: ada.email }))).toEqual([400, 'invalid_action']);
      for (const approver_email of ['', '  ']) {
        expect(stateOf(await workflow.act(id, { action: 'APPROVE', approver_email }))).toEqual([400, 'missing_approver_email']);
        expect(stateOf(await workflow.act(id, { action: 'TRANSITION', lifecycle_action: 'recall', approver_email }))).toEqual([
          400,
          'missing_approver_email',
        ]);
      }
      for (const approver_email of ['no address', `${'a'.repeat(500)}@example.com`])
        expect(stateOf(await workflow.act(id, { action: 'APPROVE', approver_email }))).toEqual([403, 'approver_not_found']);
    });
  });

  it.each(['APPROVE', 'REJECT', 'RETURN'])(
    '400 invalid_transition for %s when it is not in approval, before the approver is looked at',
    async (action) => {
      const { code } = await workflow.approvedBy([ada]);
      const { id } = await workflow.draft(code);
      const { status, body } = await workflow.act(id, { action });
      expect([status, body.error]).toEqual([400, expect.objectContaining({ code: 'invalid_transition', allowed: ['in_approval'] })]);
    },
  );

  it('interface rule 4: the approver must be given, exist and be asked on the current step', async () => {
    const { code } = await workflow.approvedBy([ada, bob]);
    const id = await workflow.submitted(code);
    await app.sql.query(`UPDATE members SET status = 'inactive' WHERE id = $1`, [eve.id]);
    await nothingChanged(id, async () => {
      expect(stateOf(await workflow.act(id, { action: 'APPROVE' }))).toEqual([400, 'missing_approver_email']);
      expect(stateOf(await workflow.act(id, { action: 'APPROVE', approver_email: null }))).toEqual([400, 'missing_approver_email']);
      expect(stateOf(await workflow.decide(id, 'APPROVE', { id: '', email: 'nobody@example.com' }))).toEqual([403, 'approver_not_found']);
      expect(stateOf(await workflow.decide(id, 'APPROVE', eve))).toEqual([403, 'approver_not_found']);
      // a member of another organization: same error as for an unknown one
      expect(stateOf(await workflow.decide(id, 'APPROVE', (await app.workspace()).owner))).toEqual([403, 'approver_not_found']);
      // asked on the second step only
      expect(stateOf(await workflow.decide(id, 'APPROVE', bob))).toEqual([403, 'not_an_approver']);
      expect(stateOf(await workflow.decide(id, 'APPROVE', workflow.space.owner))).toEqual([403, 'not_an_approver']);
    });
    expect(stateOf(await workflow.decide(id, 'approve', { ...ada, email: ada.email.toUpperCase() }))).toEqual([200, 'in_approval']);
    expect(stateOf(await workflow.decide(id, 'Approve', ada))).toEqual([403, 'not_an_approver']);
    expect(stateOf(await workflow.decide(id, 'APPROVE', bob))).toEqual([200, 'approved']);
  });

  it('400 invalid_action for an approver who has already decided, and invalid_transition once the approval has ended', async () => {
    const { code } = await workflow.approvedBy([askAll('all')]);
    const id = await workflow.submitted(code);
    await workflow.decide(id, 'APPROVE', ada);
    await nothingChanged(id, async () => {
      for (const action of ['APPROVE', 'REJECT', 'RETURN'])
        expect(stateOf(await workflow.decide(id, action, ada))).toEqual([400, 'invalid_action']);
    });
    await workflow.decide(id, 'REJECT', bob);
    expect(stateOf(await workflow.decide(id, 'APPROVE', eve))).toEqual([400, 'invalid_transition']);
  });

  it('400 missing_fields if the type requires a reason', async () => {
    const { code } = await workflow.approvedBy([ada], { require_decision_comment: true });
    const id = await workflow.submitted(code);
    const { status, body } = await workflow.decide(id, 'APPROVE', ada);
    expect([status, body.error]).toEqual([400, expect.objectContaining({ code: 'missing_fields', param: 'comments' })]);
    expect(stateOf(await workflow.decide(id, 'APPROVE', ada, { comments: 'Fine' }))).toEqual([200, 'approved']);
  });

  it('409 invalid_lifecycle if the lifecycle has no matching transition, lacks the named one, or has several', async () => {
    const stage = (code: string, state: string) => ({ code, label: code, state }) as never;
    const transition = (code: string, from: string, to: string, trigger: string) =>
      ({ code, label: code, from: [from], to, trigger, roles: [] }) as never;
    const lifecycle = {
      stages: [
        stage('draft', 'draft'),
        stage('review', 'in_approval'),
        stage('fine', 'approved'),
        stage('fine_with_notes', 'approved'),
        stage('returned', 'returned'),
        stage('rejected', 'rejected'),
      ],
      transitions: [
        transition('hand_in', 'draft', 'review', 'submit'),
        transition('ok', 'review', 'fine', 'approve'),
        transition('ok_but', 'review', 'fine_with_notes', 'approve'),
        transition('back', 'review', 'returned', 'return'),
      ],
    };
    const { code } = await workflow.approvedBy([ada], { lifecycle });
    const id = await workflow.submitted(code);
    await nothingChanged(id, async () => {
      expect((await workflow.decide(id, 'APPROVE', ada)).body.error).toMatchObject({
        code: 'invalid_lifecycle',
        type: 'conflict_error',
        param: 'lifecycle_action',
        allowed: ['ok', 'ok_but'],
      });
      expect(stateOf(await workflow.decide(id, 'APPROVE', ada, { lifecycle_action: 'nope' }))).toEqual([409, 'invalid_lifecycle']);
      expect(stateOf(await workflow.decide(id, 'APPROVE', ada, { lifecycle_action: 'back' }))).toEqual([409, 'invalid_lifecycle']);
      expect(stateOf(await workflow.decide(id, 'REJECT', ada))).toEqual([409, 'invalid_lifecycle']);
    });
    const { body } = await workflow.decide(id, 'APPROVE', ada, { lifecycle_action: 'ok_but' });
    expect([body.state, body.lifecycle_stage]).toEqual(['approved', 'fine_with_notes']);
  });

  it("403 permission_denied if the approver's role (not the key's) lacks the transition", async () => {
    const standard = (await import('../../model/core/lifecycle.js')).STANDARD_LIFECYCLE;
    const lifecycle = {
      stages: standard.stages,
      transitions: standard.transitions.map((one) => (one.code === 'approve' ? { ...one, roles: ['admin'] } : one)),
    };
    const admin = await workflow.space.member('admin');
    const { code } = await workflow.approvedBy(
      [
        {
          name: 'Two',
          mode: 'any',
          approvers: [
            { kind: 'user', ref: ada.email },
            { kind: 'user', ref: admin.email },
          ],
        },
      ],
      { lifecycle },
    );
    const id = await workflow.submitted(code);
    expect(stateOf(await workflow.decide(id, 'APPROVE', ada))).toEqual([403, 'permission_denied']);
    expect(stateOf(await workflow.decide(id, 'APPROVE', admin))).toEqual([200, 'approved']);
  });

  it('412 version_conflict if If-Match names another version', async () => {
    const { code } = await workflow.approvedBy([askAll('all')]);
    const id = await workflow.submitted(code);
    const { version } = await workflow.read(id);
    const first = await workflow.act(id, { action: 'APPROVE', approver_email: ada.email }, { 'if-match': `"${version}"` });
    expect([first.status, first.body.version]).toEqual([200, version + 1]);
    expect((await workflow.act(id, { action: 'APPROVE', approver_email: bob.email }, { 'if-match': `"${version}"` })).status).toBe(412);
  });

  it('502 approval_action_failed rolls everything back, and the same request can be repeated', async () => {
    const { code } = await workflow.approvedBy([ada], { finalize_on_approval: true });
    const [key, author] = [await workflow.key({ mode: 'test', actor_user_id: bob.id }), await workflow.key({ mode: 'test' })];
    const { id } = await workflow.draft(code, {}, author);
    await workflow.submit(id, {}, author);
    const body = { action: 'APPROVE', approver_email: ada.email, comments: 'Fine' };
    const failed = await workflow.act(id, body, { 'svc-test-scenario': 'approval_action_failed', 'idempotency-key': 'decide-1' }, key);
    expect([failed.status, failed.body.error]).toEqual([
      502,
      expect.objectContaining({ code: 'approval_action_failed', type: 'upstream_error' }),
    ]);
    expect((await key.get(`/api/v1/ext/papers/documents/${id}`)).body).toMatchObject({
      state: 'in_approval',
      approval: { steps: [{ decisions: [{ decision: 'pending' }] }] },
    });
    expect(await workflow.events(id)).toEqual(['paper.created', 'paper.state_changed in_approval']);
    const again = await workflow.act(id, body, { 'idempotency-key': 'decide-1' }, key);
    expect([again.status, again.body.state, again.headers['idempotent-replayed']]).toEqual([200, 'finalized', undefined]);
  });

  it('502 also if a later step of the same transaction fails', async () => {
    const { code } = await workflow.approvedBy([ada], { finalize_on_approval: true });
    const id = await workflow.submitted(code);
    // The rendition of this document already exists, so storing it again fails.
    await app.sql.query(
      `INSERT INTO document_renditions (id, organization_id, project_id, mode, document_id, revision, kind, pdf, html, sha256)
       SELECT gen_random_uuid(), organization_id, project_id, mode, id, 1, 'final', '', '', '' FROM documents WHERE id = $1`,
      [id],
    );
    await nothingChanged(id, async () => {
      const { status, body } = await workflow.decide(id, 'APPROVE', ada);
      expect([status, body.error.code]).toEqual([502, 'approval_action_failed']);
    });
  });
});

describe('a decision', () => {
  it('any: the first approval completes the step and withdraws the other requests', async () => {
    const { code } = await workflow.approvedBy([askAll('any')]);
    const id = await workflow.submitted(code);
    const { body } = await workflow.decide(id, 'APPROVE', bob, { comments: 'Fine' });
    expect(body.approval).toMatchObject({ outcome: 'approved', current_step: null });
    const decisions = Object.fromEntries(
      body.approval.steps[0].decisions.map(
        ({ approver_email, decision, comment }: { approver_email: string; decision: string; comment: string | null }) => [
          approver_email,
          [decision, comment],
        ],
      ),
    );
    expect(decisions).toEqual({ [ada.email]: ['withdrawn', null], [bob.email]: ['approved', 'Fine'], [eve.email]: ['withdrawn', null] });
    expect(await workflow.events(id)).toEqual([
      'paper.created',
      'paper.state_changed in_approval',
      'paper.state_changed approved',
      'paper.comment_added',
    ]);
  });

  it('all: everyone must approve, and only the last approval emits an event', async () => {
    const { code } = await workflow.approvedBy([askAll('all')]);
    const id = await workflow.submitted(code);
    const states = [];
    for (const approver of [ada, bob, eve]) states.push((await workflow.decide(id, 'APPROVE', approver)).body.state);
    expect(states).toEqual(['in_approval', 'in_approval', 'approved']);
    expect(await workflow.events(id)).toEqual(['paper.created', 'paper.state_changed in_approval', 'paper.state_changed approved']);
  });

  it('quorum: the step requires that number of approvals', async () => {
    const { code } = await workflow.approvedBy([askAll('quorum', 2)]);
    const id = await workflow.submitted(code);
    expect(stateOf(await workflow.decide(id, 'APPROVE', eve))).toEqual([200, 'in_approval']);
    expect(stateOf(await workflow.decide(id, 'APPROVE', ada))).toEqual([200, 'approved']);
  });

  it('all: a member who left does not block the step', async () => {
    const { code } = await workflow.approvedBy([askAll('all')]);
    const id = await workflow.submitted(code);
    await workflow.decide(id, 'APPROVE', ada);
    await app.sql.query(`UPDATE members SET status = 'inactive' WHERE id = $1`, [eve.id]);
    expect(stateOf(await workflow.decide(id, 'APPROVE', bob))).toEqual([200, 'approved']);
  });

  it('a single rejection or return ends the approval in every mode', async () => {
    const { code } = await workflow.approvedBy([askAll('all')]);
    for (const [action, state] of [
      ['REJECT', 'rejected'],
      ['return', 'returned'],
    ]) {
      const id = await workflow.submitted(code);
      await workflow.decide(id, 'APPROVE', ada);
      const comments = 'Section 6 is missing.';
      expect((await workflow.decide(id, action, bob, { comments })).body).toMatchObject({
        state,
        approval: { outcome: state, current_step: null },
      });
      const { rows } = await app.sql.query<{ subject: string; text: string }>(
        `SELECT subject, text FROM mails WHERE recipient = $1 AND text LIKE '%' || $2 || '%'`,
        [workflow.space.owner.email, id],
      );
      expect(rows).toEqual([
        { subject: expect.stringMatching(/^(Rejected|Returned for changes): /), text: expect.stringContaining(comments) },
      ]);
    }
  });

  it('starts the next step and asks its approvers', async () => {
    const { code } = await workflow.approvedBy([
      ada,
      {
        name: 'Board',
        mode: 'any',
        approvers: [{ kind: 'user', ref: bob.email }],
        condition: { field: 'amount', op: 'gte', operand: { value: 10 } },
      },
      eve,
    ]);
    const small = await workflow.submitted(code, { data_values: { customer: 'Acme', amount: 1 } });
    expect((await workflow.decide(small, 'APPROVE', ada)).body.approval).toMatchObject({ current_step: 3 });
    const large = await workflow.submitted(code, { data_values: { customer: 'Acme', amount: 10 } });
    expect((await workflow.decide(large, 'APPROVE', ada)).body.approval).toMatchObject({
      current_step: 2,
      steps: [{ index: 1 }, { index: 2, name: 'Board', decisions: [{ approver_email: bob.email, decision: 'pending' }] }],
    });
    const requestMails = (await workflow.mails(large)).filter((line) => line.includes('Please decide'));
    expect(requestMails.map((line) => line.split(':')[0])).toEqual([ada.email, bob.email]);
  });

  it('the last approval finalizes the document if the type is set to do so', async () => {
    const { code } = await workflow.approvedBy([ada], { finalize_on_approval: true });
    const id = await workflow.submitted(code);
    const { body } = await workflow.decide(id, 'APPROVE', ada);
    expect(body).toMatchObject({
      state: 'finalized',
      content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      finalized_at: expect.any(String),
    });
    expect(await workflow.events(id)).toEqual([
      'paper.created',
      'paper.state_changed in_approval',
      'paper.state_changed approved',
      'paper.state_changed finalized',
      'paper.finalized',
    ]);
  });

  it('is recorded in the audit trail with the caller, the member bound to the key and the approver', async () => {
    const { code } = await workflow.approvedBy([ada]);
    const id = await workflow.submitted(code);
    await workflow.act(id, { action: 'APPROVE', approver_email: ada.email }, {}, await workflow.key({ actor_user_id: bob.id }));
    const trail = (await workflow.screen.get(`${ORG_DOCUMENTS}/${id}/audit-entries`)).body.data;
    expect(trail.at(-1)).toMatchObject({
      action: 'papers.approve',
      actor: { type: 'api_key' },
      acted_for: ada.email,
      from_state: 'in_approval',
      to_state: 'approved',
      detail: { member_id: bob.id },
    });
  });

  it('in the organization API is made by the signed-in member', async () => {
    const { code } = await workflow.approvedBy([ada]);
    const id = await workflow.submitted(code);
    expect((await workflow.org(id, 'decide', { decision: 'approve' })).body.error.code).toBe('not_an_approver');
    const { status, body } = await workflow.org(
      id,
      'decide',
      { decision: 'approve', comments: 'Fine' },
      await workflow.space.signIn(ada.email),
    );
    expect([status, body.state, body.approval.steps[0].decisions[0].comment]).toEqual([200, 'approved', 'Fine']);
  });
});

describe('the comment of a decision', () => {
  it('names the member who decided, and the key that made the request', async () => {
    const { code } = await workflow.approvedBy([ada]);
    const id = await workflow.submitted(code);
    await workflow.decide(id, 'APPROVE', ada, { comments: 'Fine' });
    await workflow.move(id, 'finalize', { comments: 'ignored' });
    const { body } = await workflow.api.get(`/api/v1/ext/papers/documents/${id}/comments`);
    expect(body.data).toMatchObject([
      { kind: 'decision', body: 'Fine', author: { type: 'user', id: ada.id, email: ada.email }, actor: { type: 'api_key' } },
    ]);
    const screen = await workflow.space.signIn(ada.email);
    const other = await workflow.submitted(code);
    await workflow.org(other, 'decide', { decision: 'approve', comments: 'By hand' }, screen);
    const own = (await workflow.api.get(`/api/v1/ext/papers/documents/${other}/comments`)).body.data[0];
    expect([own.author.id, own.actor]).toEqual([ada.id, own.author]);
  });
});
