import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { isAbout, ORG_DOCUMENTS, PENDING, WorkflowFixture } from '../../testing/workflow-fixture.js';
import type { ApprovalStepDto, ApproverDto, StepMode } from '../../model/types/approval-route.dto.js';

const app = await sharedApp();
let workflow: WorkflowFixture;
let owner: { id: string; email: string };
let ada: { id: string; email: string };
let bob: { id: string; email: string };

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
  // the owner submits whatever these tests submit
  owner = workflow.space.owner;
  [ada, bob] = [await workflow.space.member('member'), await workflow.space.member('member')];
});

const user = ({ email }: { email: string }): ApproverDto => ({ kind: 'user', ref: email });
const role = (ref: string): ApproverDto => ({ kind: 'role', ref });
const step = (mode: StepMode, approvers: ApproverDto[], over: Partial<ApprovalStepDto> = {}): ApprovalStepDto => ({
  name: 'Board',
  mode,
  approvers,
  ...over,
});
const submit = async (steps: ApprovalStepDto[], input: object = {}) => {
  const { id } = await workflow.draft((await workflow.approvedBy(steps, input)).code);
  return { id, response: await workflow.submit(id) };
};
const requestsOf = async (id: string) =>
  (await workflow.read(id)).approval.steps.map(
    (one: { routing: string; decisions: { approver_email: string; decision: string; in_place_of: string | null }[] }) => [
      one.routing,
      ...one.decisions
        .map(({ approver_email, decision, in_place_of }) => [approver_email, decision, ...(in_place_of ? [in_place_of] : [])].join(' '))
        .sort(),
    ],
  );
const fallback = (approver: ApproverDto) => ({ escalate_to: approver, due_in_hours: 48 });

describe('a submitter who is an approver', () => {
  it.each<[string, () => ApprovalStepDto]>([
    ['all of two', () => step('all', [user(owner), user(ada)])],
    ['a quorum that needs them', () => step('quorum', [user(owner), user(ada)], { quorum: 2 })],
    ['the only one', () => step('any', [user(owner)])],
    ['the only one of a role', () => step('any', [role('owner')])],
    ['one of a role that must approve as a whole', () => step('all', [role('owner'), user(ada)])],
    ['one whose fallback is on the step already', () => step('all', [user(owner), user(ada)], fallback(user(ada)))],
    ['one whose fallback is the submitter, too', () => step('all', [user(owner), user(ada)], fallback(role('owner')))],
  ])('cannot submit where excluding them would lower what a step needs: %s', async (_what, make) => {
    const expected = { code: 'not_enough_approvers', type: 'invalid_request_error', param: 'approval_route.steps.1' };
    const { id, response } = await submit([step('any', [user(bob)], { name: 'Legal' }), make()]);
    expect([response.status, response.body.error]).toEqual([
      400,
      expect.objectContaining({ ...expected, step: { index: 2, name: 'Board' } }),
    ]);
    expect(response.body.error.message).toContain('Step 2 (Board, ');
    // the same on the organization API, and for an override
    expect((await workflow.org(id, 'submit')).body.error).toMatchObject(expected);
    expect((await workflow.org(id, 'override', { to: 'in_approval', reason: 'x' })).body.error).toMatchObject(expected);
    expect([(await workflow.read(id)).state, await workflow.mails(id), (await workflow.api.get(PENDING)).body.data]).toEqual([
      'draft',
      [],
      [],
    ]);
    // another member can
    const other = await workflow.space.signIn((await workflow.space.member('admin')).email);
    expect((await workflow.org(id, 'submit', {}, other)).body.state).toBe('in_approval');
  });

  it('is left out where enough others remain', async () => {
    const any = await submit([step('any', [user(owner), user(ada)])]);
    const quorum = await submit([step('quorum', [user(owner), user(ada), user(bob)], { quorum: 2 })]);
    expect([await requestsOf(any.id), await requestsOf(quorum.id)]).toEqual([
      [['routed', `${ada.email} pending`]],
      [['routed', ...[`${ada.email} pending`, `${bob.email} pending`].sort()]],
    ]);
    await workflow.decide(quorum.id, 'APPROVE', ada);
    expect((await workflow.read(quorum.id)).state).toBe('in_approval');
  });

  it('is asked if the type allows self-approval, and then decides in their own name only', async () => {
    const { id } = await submit([step('all', [user(owner), user(ada)])], { allow_self_approval: true });
    expect(await requestsOf(id)).toEqual([['routed', ...[`${ada.email} pending`, `${owner.email} pending`].sort()]]);
    const act = (approver: { email: string }) => workflow.act(id, { action: 'APPROVE', approver_email: approver.email }, {}, workflow.api);
    expect((await act(ada)).body.error.code).toBe('permission_denied');
    expect((await act(owner)).status).toBe(200);
  });

  it("is replaced by the step's fallback, which the response and a mail show", async () => {
    const { id, response } = await submit([step('all', [user(owner), user(ada)], fallback(user(bob)))]);
    expect(response.status).toBe(200);
    expect(response.body.approval.steps[0].decisions).toContainEqual(
      expect.objectContaining({ approver_email: bob.email, in_place_of: owner.email, decision: 'pending' }),
    );
    expect(await requestsOf(id)).toEqual([['routed', ...[`${ada.email} pending`, `${bob.email} pending ${owner.email}`].sort()]]);
    const { rows } = await app.sql.query(`SELECT text FROM mails WHERE recipient = $1 AND ${isAbout('$2')}`, [bob.email, id]);
    expect(rows).toEqual([{ text: expect.stringContaining('its submitter is an approver of this step') }]);
    await workflow.decide(id, 'APPROVE', ada);
    expect((await workflow.read(id)).state).toBe('in_approval');
    expect((await workflow.decide(id, 'APPROVE', bob)).body.state).toBe('approved');
  });

  it('is replaced by any one member of a fallback that is a group', async () => {
    const approvers = [user(owner), user(ada)];
    const third = await workflow.space.member('member');
    for (const [mode, over] of [
      ['all', {}],
      ['quorum', { quorum: 2 }],
    ] as const) {
      const { id } = await submit([step(mode, approvers, { ...fallback(role('member')), ...over })]);
      expect(await requestsOf(id)).toEqual([['routed', ...[`${ada.email} pending`, ` pending ${owner.email}`].sort()]]);
      const pending = (await workflow.api.get(PENDING)).body.data.filter((one: { document: { id: string } }) => one.document.id === id);
      expect(pending.map((one: { eligible_approvers: object[] }) => one.eligible_approvers)).toContainEqual(
        expect.arrayContaining([expect.objectContaining({ email: bob.email })]),
      );
      expect(await workflow.mails(id)).toEqual(expect.arrayContaining([expect.stringContaining(bob.email)]));
      expect((await workflow.decide(id, 'APPROVE', bob)).body.state).toBe('in_approval');
      expect((await workflow.decide(id, 'APPROVE', bob)).status).not.toBe(200);
      expect((await workflow.decide(id, 'APPROVE', third)).body.error.code).toBe('not_an_approver');
      expect((await workflow.decide(id, 'APPROVE', ada)).body.state).toBe('approved');
      const { rows } = await app.sql.query(`SELECT in_place_of FROM approval_requests WHERE document_id = $1 AND approver_id = $2`, [
        id,
        bob.id,
      ]);
      expect(rows).toEqual([{ in_place_of: owner.id }]);
    }
  });

  it('is replaced on a later step, too', async () => {
    const { id } = await submit([step('any', [user(ada)], { name: 'Legal' }), step('any', [role('owner')], fallback(role('member')))]);
    expect((await workflow.decide(id, 'APPROVE', ada, { step: '1' })).status).toBe(200);
    const [, second] = await requestsOf(id);
    expect(second).toContain(`${bob.email} pending ${owner.email}`);
    expect(second[0]).toBe('routed');
  });

  it('does not lower a later step if its roles have lost members since the submission', async () => {
    const admin = await workflow.space.member('admin');
    const { id } = await submit([
      step('any', [user(ada)], { name: 'Legal' }),
      step('quorum', [role('owner'), role('admin'), user(bob)], { quorum: 2 }),
    ]);
    await app.sql.query(`UPDATE members SET status = 'inactive' WHERE id = $1`, [admin.id]);
    await workflow.decide(id, 'APPROVE', ada);
    // of the owner, who submitted it, and Bob, both were needed: Bob alone is not enough
    expect((await requestsOf(id))[1]).toEqual(['routed', ' pending', `${bob.email} pending`]);
    expect((await workflow.decide(id, 'APPROVE', bob)).body.state).toBe('in_approval');
    expect((await workflow.api.get(PENDING)).body.data).toMatchObject([{ routing: 'routed', approver: null, eligible_approvers: [] }]);
    const late = await workflow.space.member('admin');
    expect((await workflow.api.get(PENDING)).body.data[0].eligible_approvers).toEqual([{ email: late.email, name: 'admin member' }]);
    expect((await workflow.decide(id, 'APPROVE', await workflow.space.member('member'))).body.error.code).toBe('not_an_approver');
    expect((await workflow.decide(id, 'APPROVE', late)).body.state).toBe('approved');
  });
});

describe('a role that has members', () => {
  it('is never replaced by everyone, also if those who were asked have left', async () => {
    const admin = await workflow.space.member('admin');
    const { id } = await submit([step('any', [role('admin')])]);
    const next = await workflow.space.member('admin');
    await app.sql.query(`UPDATE members SET status = 'inactive' WHERE id = $1`, [admin.id]);
    await app.runScheduledJob('documents.release_approvers');
    expect((await workflow.api.get(PENDING)).body.data).toMatchObject([
      { routing: 'routed', approver: null, eligible_approvers: [{ email: next.email }] },
    ]);
    expect((await workflow.mails(id)).at(-1)).toBe(`${next.email}: Please decide: Agreement`);
    expect((await workflow.decide(id, 'APPROVE', ada)).body.error.code).toBe('not_an_approver');
    expect((await workflow.decide(id, 'APPROVE', next)).body.state).toBe('approved');
  });

  it('requests the earlier approvers again if the substitute has left', async () => {
    const { id } = await submit([step('any', [user(ada)], { escalate_to: user(bob), due_in_hours: 1 })]);
    await app.runScheduledJob('documents.escalate', new Date(Date.now() + 2 * 3_600_000));
    expect(await requestsOf(id)).toEqual([['routed', ...[`${ada.email} withdrawn`, `${bob.email} pending`].sort()]]);
    await app.sql.query(`UPDATE members SET status = 'inactive' WHERE id = $1`, [bob.id]);
    await app.runScheduledJob('documents.release_approvers');
    expect(await requestsOf(id)).toEqual([['routed', ...[`${ada.email} pending`, `${bob.email} withdrawn`].sort()]]);
    expect((await workflow.decide(id, 'APPROVE', ada)).body.state).toBe('approved');
  });

  it('is rejected at the submission if none of them may approve', async () => {
    await workflow.space.member('developer');
    const { response } = await submit([step('any', [role('developer')])]);
    expect(response.body.error).toMatchObject({ code: 'not_enough_approvers', step: { index: 1 } });
  });
});

describe('a quorum with too few different approvers', () => {
  /** A member who is the only developer. */
  const onlyDeveloper = async () => {
    await app.sql.query(
      `UPDATE roles SET permissions = array_append(permissions, 'papers.document.approve')
       WHERE organization_id = $1 AND name = 'developer'`,
      [workflow.space.organizationId],
    );
    return workflow.space.member('developer');
  };
  const quorum = (approvers: ApproverDto[], over: Partial<ApprovalStepDto> = {}) => step('quorum', approvers, { quorum: 2, ...over });

  it.each<[string, () => Promise<ApproverDto[]>]>([
    ['a member and a role of only that member', async () => [user(await onlyDeveloper()), role('developer')]],
    ['a role of one member', async () => (await onlyDeveloper(), [role('developer')])],
  ])('is refused at the submission: %s', async (_what, approvers) => {
    const { id, response } = await submit([quorum(await approvers())]);
    expect([response.status, response.body.error]).toEqual([
      400,
      expect.objectContaining({ code: 'not_enough_approvers', param: 'approval_route.steps.0', step: { index: 1, name: 'Board' } }),
    ]);
    expect(response.body.error.message).toBe(
      'Step 1 (Board, quorum) needs 2 approvals, but only 1 member can decide it, each of them once. ' +
        'Add approvers or an escalate_to to the step.',
    );
    expect([(await workflow.read(id)).state, await workflow.mails(id)]).toEqual(['draft', []]);
  });

  it('is completed by the fallback, who stands in for nobody', async () => {
    const dora = await onlyDeveloper();
    const { id } = await submit([quorum([user(dora), role('developer')], fallback(user(bob)))]);
    expect(await requestsOf(id)).toEqual([['routed', ...[`${dora.email} pending`, `${bob.email} pending`].sort()]]);
    await workflow.decide(id, 'APPROVE', dora);
    expect((await workflow.read(id)).state).toBe('in_approval');
    expect((await workflow.decide(id, 'APPROVE', bob)).body.state).toBe('approved');
  });
});

it('an approver who may no longer approve cannot decide, and does not block the step', async () => {
  const { id } = await submit([step('all', [user(ada), user(bob)])]);
  await workflow.screen.patch(`/api/v1/org/members/${ada.id}`, { role: 'developer' });
  expect((await workflow.decide(id, 'APPROVE', ada)).body.error.code).toBe('not_an_approver');
  expect((await workflow.decide(id, 'APPROVE', bob)).body.state).toBe('approved');
  const waiting = await submit([step('any', [user(bob)])]);
  await workflow.screen.patch(`/api/v1/org/members/${bob.id}`, { role: 'developer' });
  await app.runScheduledJob('documents.release_approvers');
  const pending = (await workflow.screen.get(`${ORG_DOCUMENTS}/${waiting.id}`)).body.approval.pending;
  expect(pending).toMatchObject([{ approver: null }]);
});
