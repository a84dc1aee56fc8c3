import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { ORG_DOCUMENTS, WorkflowFixture, PENDING } from '../../testing/workflow-fixture.js';
import type { ApprovalStepDto } from '../../model/types/approval-route.dto.js';

const app = await sharedApp();
let workflow: WorkflowFixture;
let ada: { id: string; email: string };
let bob: { id: string; email: string };

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
  [ada, bob] = [await workflow.space.member('member'), await workflow.space.member('member')];
});

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const contextsOf = async (type: string) =>
  (
    await app.sql.query(
      `SELECT body::jsonb #> '{data,context}' AS context FROM outbox_events WHERE type = $1 AND organization_id = $2 ORDER BY sequence`,
      [type, workflow.space.organizationId],
    )
  ).rows.map(({ context }) => context);

describe('documents.expire', () => {
  const draft = async () => (await workflow.draft((await workflow.type()).code)).id;

  it('expires documents that were not signed in time, once', async () => {
    const [late, partly, early] = [await draft(), await draft(), await draft()];
    await workflow.put(late, 'sent', { signing_deadline_at: inHours(-1) });
    await workflow.put(partly, 'partially_signed', { signing_deadline_at: inHours(-1) });
    await workflow.put(early, 'sent', { signing_deadline_at: inHours(1) });
    await app.runScheduledJob('documents.expire');
    await app.runScheduledJob('documents.expire');
    expect(await Promise.all([late, partly, early].map(async (id) => (await workflow.read(id)).state))).toEqual([
      'expired',
      'expired',
      'sent',
    ]);
    expect(await workflow.events(late)).toEqual(['paper.created', 'paper.state_changed expired', 'paper.expired']);
    expect(await contextsOf('paper.expired')).toEqual([{ reason: 'signing_deadline' }, { reason: 'signing_deadline' }]);
    expect((await workflow.screen.get(`${ORG_DOCUMENTS}/${late}/audit-entries`)).body.data.at(-1)).toMatchObject({
      action: 'papers.expire',
      actor: { type: 'system' },
      from_state: 'sent',
      to_state: 'expired',
      detail: { reason: 'signing_deadline' },
    });
  });

  it('ends a validity after its last day, by the clocks of the project', async () => {
    await app.sql.query(`UPDATE projects SET timezone = 'Pacific/Auckland' WHERE id = $1`, [workflow.space.eng.id]);
    const id = await draft();
    await workflow.put(id, 'executed', { valid_until_on: '2030-06-15' });
    // in Auckland the 15th ends twelve hours before it does in Greenwich
    await app.runScheduledJob('documents.expire', new Date('2030-06-15T11:59:00Z'));
    expect((await workflow.read(id)).state).toBe('executed');
    await app.runScheduledJob('documents.expire', new Date('2030-06-15T12:01:00Z'));
    expect((await workflow.read(id)).state).toBe('expired');
    expect(await contextsOf('paper.expired')).toEqual([{ reason: 'validity_end' }]);
  });

  it('works through more than one batch', async () => {
    const { code } = await workflow.type();
    const ids = await Promise.all(Array.from({ length: 105 }, async () => (await workflow.draft(code)).id));
    await app.sql.query(
      `UPDATE documents SET state = 'sent', lifecycle_stage = 'sent', signing_deadline_at = now() - interval '1 minute' WHERE id = ANY($1)`,
      [ids],
    );
    await app.runScheduledJob('documents.expire');
    expect((await app.sql.query(`SELECT state, count(*)::int AS n FROM documents WHERE id = ANY($1) GROUP BY state`, [ids])).rows).toEqual([
      { state: 'expired', n: 105 },
    ]);
  });
});

describe('documents.escalate', () => {
  const step = (over: Partial<ApprovalStepDto> = {}): ApprovalStepDto => ({
    name: 'Legal',
    mode: 'any',
    approvers: [{ kind: 'user', ref: ada.email }],
    due_in_hours: 2,
    ...over,
  });
  const pendingApprovers = async () =>
    (await workflow.api.get(PENDING)).body.data.map(({ approver }: { approver: { email: string } | null }) => approver?.email ?? null);

  it('escalates an overdue decision to the members in escalate_to', async () => {
    const { code } = await workflow.approvedBy([step({ escalate_to: { kind: 'user', ref: bob.email } })]);
    const id = await workflow.submitted(code);
    await app.runScheduledJob('documents.escalate', inHours(1));
    expect(await pendingApprovers()).toEqual([ada.email]);
    await app.runScheduledJob('documents.escalate', inHours(3));
    expect(await pendingApprovers()).toEqual([bob.email]);
    expect((await workflow.mails(id)).at(-1)).toBe(`${bob.email}: Please decide: Agreement`);
    expect((await workflow.decide(id, 'APPROVE', ada)).body.error.code).toBe('not_an_approver');
    expect((await workflow.decide(id, 'APPROVE', bob)).body.state).toBe('approved');
  });

  it('sends one reminder if the step has no escalate_to', async () => {
    const { code } = await workflow.approvedBy([step()]);
    const id = await workflow.submitted(code);
    for (let round = 0; round < 2; round++) await app.runScheduledJob('documents.escalate', inHours(3));
    expect(await workflow.mails(id)).toEqual([`${ada.email}: Please decide: Agreement`, `${ada.email}: Overdue: Agreement`]);
    expect(await pendingApprovers()).toEqual([ada.email]);
  });

  it('does not escalate to a member who already has a request of the step', async () => {
    const { code } = await workflow.approvedBy([
      step({
        mode: 'all',
        approvers: [
          { kind: 'user', ref: ada.email },
          { kind: 'user', ref: bob.email },
        ],
        escalate_to: { kind: 'user', ref: ada.email },
      }),
    ]);
    const id = await workflow.submitted(code);
    await workflow.decide(id, 'APPROVE', ada);
    await app.runScheduledJob('documents.escalate', inHours(3));
    expect(await pendingApprovers()).toEqual([bob.email]);
    expect((await workflow.read(id)).state).toBe('in_approval');
  });

  it.each(['all', 'quorum'] as const)('hands one approval of a step with the mode %s to any one member of a group', async (mode) => {
    const admins = [await workflow.space.member('admin'), await workflow.space.member('admin')];
    const approvers = [ada, bob].map(({ email }) => ({ kind: 'user' as const, ref: email }));
    const { code } = await workflow.approvedBy([
      step({ mode, approvers, escalate_to: { kind: 'role', ref: 'admin' }, ...(mode === 'quorum' ? { quorum: 2 } : {}) }),
    ]);
    const id = await workflow.submitted(code);
    await workflow.decide(id, 'APPROVE', ada);
    await app.runScheduledJob('documents.escalate', inHours(3));
    const { data } = (await workflow.api.get(PENDING)).body;
    expect(data).toMatchObject([{ approver: null, eligible_approvers: expect.any(Array) }]);
    expect(data[0].eligible_approvers.map(({ email }: { email: string }) => email)).toEqual(
      expect.arrayContaining(admins.map(({ email }) => email)),
    );
    expect((await workflow.mails(id)).filter((mail) => admins.some(({ email }) => mail.startsWith(email)))).toHaveLength(2);
    expect((await workflow.decide(id, 'APPROVE', bob)).body.error.code).toBe('not_an_approver');
    // once more overdue, it stays with the group
    await app.runScheduledJob('documents.escalate', inHours(6));
    expect((await workflow.decide(id, 'APPROVE', admins[1])).body.state).toBe('approved');
  });

  it('hands an unrouted decision on as well', async () => {
    const { code } = await workflow.approvedBy([
      step({ approvers: [{ kind: 'role', ref: 'developer' }], escalate_to: { kind: 'user', ref: bob.email } }),
    ]);
    await workflow.submitted(code);
    expect(await pendingApprovers()).toEqual([null]);
    await app.runScheduledJob('documents.escalate', inHours(3));
    expect(await pendingApprovers()).toEqual([bob.email]);
  });

  it('ignores decided and recalled requests', async () => {
    const { code } = await workflow.approvedBy([step({ escalate_to: { kind: 'user', ref: bob.email } })]);
    const id = await workflow.submitted(code);
    await workflow.move(id, 'recall');
    await app.runScheduledJob('documents.escalate', inHours(3));
    expect(await workflow.mails(id)).toEqual([`${ada.email}: Please decide: Agreement`]);
    expect((await workflow.read(id)).state).toBe('draft');
  });
});
