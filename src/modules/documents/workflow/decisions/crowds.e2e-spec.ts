import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { DOCUMENTS, ORG_DOCUMENTS, PENDING, WorkflowFixture } from '../../testing/workflow-fixture.js';
import type { ApprovalStepDto } from '../../model/types/approval-route.dto.js';

const app = await sharedApp();
let workflow: WorkflowFixture;

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
});

const pending = async () => (await workflow.api.get(`${PENDING}?limit=100`)).body.data;
const leave = (...people: { id: string }[]) =>
  app.sql.query(`UPDATE members SET status = 'inactive' WHERE id = ANY($1)`, [people.map(({ id }) => id)]);

describe('a step with more approvers than individual requests allow', () => {
  const developers: ApprovalStepDto = { name: 'Developers', mode: 'any', approvers: [{ kind: 'role', ref: 'developer' }] };
  let dora: { id: string; email: string };

  /** One developer who is a person, and 59 who are rows; here developers may approve. */
  beforeEach(async () => {
    await app.sql.query(
      `UPDATE roles SET permissions = array_append(permissions, 'papers.document.approve')
       WHERE organization_id = $1 AND name = 'developer'`,
      [workflow.space.organizationId],
    );
    dora = await workflow.space.member('developer');
    await app.sql.query(
      `INSERT INTO members
       SELECT (jsonb_populate_record(m, jsonb_build_object(
         'id', gen_random_uuid(), 'email', 'dev-' || n || '-' || m.id || '@example.com'
       ))).*
       FROM members m, generate_series(1, 59) n WHERE m.id = $1`,
      [dora.id],
    );
  });

  it('has a single request, which only its approvers can decide', async () => {
    const other = await workflow.space.member('member');
    const { code } = await workflow.approvedBy([developers]);
    const id = await workflow.submitted(code);
    const list = await pending();
    expect(list).toMatchObject([{ routing: 'routed', approver: null }]);
    expect(list[0].eligible_approvers).toHaveLength(20);
    expect((await workflow.mails(id)).length).toBe(20);
    expect((await workflow.decide(id, 'APPROVE', other)).body.error.code).toBe('not_an_approver');
    expect((await workflow.decide(id, 'APPROVE', workflow.space.owner)).body.error.code).toBe('not_an_approver');
    expect((await workflow.decide(id, 'APPROVE', dora)).body.state).toBe('approved');
  });

  it('requires as many different approvers as its quorum', async () => {
    const { code } = await workflow.approvedBy([{ ...developers, mode: 'quorum', quorum: 2 }]);
    const id = await workflow.submitted(code);
    expect(await pending()).toHaveLength(2);
    expect((await workflow.decide(id, 'APPROVE', dora)).body.state).toBe('in_approval');
    expect((await workflow.decide(id, 'APPROVE', dora)).body.error.code).toBe('invalid_action');
    const { rows } = await app.sql.query<{ id: string; email: string }>(
      `SELECT id, email FROM members WHERE organization_id = $1 AND email LIKE 'dev-7-%'`,
      [workflow.space.organizationId],
    );
    expect((await workflow.decide(id, 'APPROVE', rows[0])).body.state).toBe('approved');
  });

  it.each<[string, () => Promise<ApprovalStepDto>]>([
    ['a member', async () => ({ ...developers, approvers: [{ kind: 'user', ref: (await workflow.space.member('member')).email }] })],
    ['an empty role', async () => ({ ...developers, mode: 'all', approvers: [{ kind: 'role', ref: 'admin' }] })],
  ])('leaves nobody out when it takes over from %s', async (_from, make) => {
    const late: Partial<ApprovalStepDto> = { escalate_to: { kind: 'role', ref: 'developer' }, due_in_hours: 2 };
    const id = await workflow.submitted((await workflow.approvedBy([{ ...(await make()), ...late }])).code);
    await app.runScheduledJob('documents.escalate', new Date(Date.now() + 3 * 3_600_000));
    const list = await pending();
    expect(list).toMatchObject([{ routing: 'routed', approver: null }]);
    expect(list[0].eligible_approvers).toHaveLength(20);
    const told = await workflow.mails(id);
    const { rows } = await app.sql.query<{ id: string; email: string }>(
      `SELECT id, email FROM members WHERE organization_id = $1 AND email LIKE 'dev-%'`,
      [workflow.space.organizationId],
    );
    const untold = rows.filter(({ email }) => !told.some((mail) => mail.startsWith(email)));
    expect(untold.length).toBeGreaterThanOrEqual(39);
    const audit = (await workflow.screen.get(`${ORG_DOCUMENTS}/${id}/audit-entries`)).body.data;
    expect(audit.at(-1)).toMatchObject({ action: 'papers.escalate', detail: { to: expect.any(Array), others: 40 } });
    const outsider = await workflow.space.member('member');
    expect((await workflow.decide(id, 'APPROVE', outsider)).body.error.code).toBe('not_an_approver');
    // once more overdue, it stays with them
    await app.runScheduledJob('documents.escalate', new Date(Date.now() + 6 * 3_600_000));
    expect((await workflow.decide(id, 'APPROVE', untold[0])).body.state).toBe('approved');
  });

  it('does not make a list of documents too large to read', async () => {
    const { code } = await workflow.approvedBy([
      { ...developers, mode: 'all' },
      { ...developers, name: 'Again', mode: 'all' },
    ]);
    const first = await workflow.submitted(code);
    expect(await pending()).toHaveLength(60);
    // Simulates a hundred requested approvals on each step of fifty-one documents.
    await app.sql.query(
      `INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'number', null))).*
       FROM documents d, generate_series(1, 51) WHERE d.id = $1`,
      [first],
    );
    await app.sql.query(
      `INSERT INTO approval_requests
       SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'document_id', d.id, 'step_index', step))).*
       FROM approval_requests r, documents d, generate_series(1, 2) step, generate_series(1, 100)
       WHERE r.id = (SELECT id FROM approval_requests WHERE document_id = $1 LIMIT 1)
         AND d.type_code = $2 AND d.organization_id = r.organization_id AND d.id <> $1`,
      [first, code],
    );
    const { status, body } = await workflow.api.get(`${DOCUMENTS}?limit=100`);
    expect([
      status,
      body.data.length,
      body.data[0].approval.steps.map(({ decisions }: { decisions: unknown[] }) => decisions.length),
    ]).toEqual([200, 52, [100, 100]]);
  });
});

describe('approvers who left the organization', () => {
  let ada: { id: string; email: string };
  let bob: { id: string; email: string };
  beforeEach(async () => {
    [ada, bob] = [await workflow.space.member('member'), await workflow.space.member('member')];
  });
  const both = (mode: ApprovalStepDto['mode']): ApprovalStepDto => ({
    name: 'Legal',
    mode,
    approvers: [ada, bob].map(({ email }) => ({ kind: 'user', ref: email })),
  });

  it('are replaced by everyone with the permission to approve if no other approver remains', async () => {
    const { code } = await workflow.approvedBy([both('any')]);
    const id = await workflow.submitted(code);
    const { version } = await workflow.read(id);
    await leave(ada);
    await app.runScheduledJob('documents.release_approvers');
    expect(await pending()).toMatchObject([{ routing: 'routed', approver: { email: bob.email } }]);
    expect((await workflow.decide(id, 'APPROVE', workflow.space.owner)).body.error.code).toBe('not_an_approver');
    await leave(bob);
    await app.runScheduledJob('documents.release_approvers');
    await app.runScheduledJob('documents.release_approvers');
    expect(await pending()).toMatchObject([{ routing: 'unrouted', approver: null }]);
    expect((await workflow.read(id)).version).toBe(version + 2);
    const eve = await workflow.space.member('member');
    expect((await workflow.decide(id, 'APPROVE', eve)).body.state).toBe('approved');
  });

  it('do not block the step once the others have approved', async () => {
    const { code } = await workflow.approvedBy([both('all')], { finalize_on_approval: true });
    const id = await workflow.submitted(code);
    await workflow.decide(id, 'APPROVE', ada);
    await leave(bob);
    await app.runScheduledJob('documents.release_approvers');
    expect(await workflow.read(id)).toMatchObject({ state: 'finalized', approval: { outcome: 'approved', current_step: null } });
    expect(await pending()).toEqual([]);
  });

  it('do not block the next step either', async () => {
    const eve = await workflow.space.member('member');
    const { code } = await workflow.approvedBy([both('all'), eve]);
    const id = await workflow.submitted(code);
    await workflow.decide(id, 'APPROVE', ada);
    await leave(bob);
    await app.runScheduledJob('documents.release_approvers');
    expect(await pending()).toMatchObject([{ step: { index: 2 }, approver: { email: eve.email } }]);
    expect((await workflow.decide(id, 'APPROVE', eve)).body.state).toBe('approved');
  });
});
