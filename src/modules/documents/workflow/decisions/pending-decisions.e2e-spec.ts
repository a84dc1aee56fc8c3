import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiResponse, Client } from '../../../../../test/harness/client.js';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { WorkflowFixture, PENDING } from '../../testing/workflow-fixture.js';
import type { ApprovalStepDto } from '../../model/types/approval-route.dto.js';

const app = await sharedApp();
let workflow: WorkflowFixture;
let acting: Client;
let ada: { id: string; email: string };
let bob: { id: string; email: string };

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
  acting = await workflow.acting();
  [ada, bob] = [await workflow.space.member('member'), await workflow.space.member('member')];
});

const step = (name: string, ...people: { email: string }[]): ApprovalStepDto => ({
  name,
  mode: 'any',
  approvers: people.map(({ email }) => ({ kind: 'user', ref: email })),
});
const threeSteps = async () =>
  workflow.submitted((await workflow.approvedBy([step('One', ada), step('Two', ada), step('Three', ada)])).code);
const approval = async (id: string) => (await workflow.read(id)).approval;
const pendingId = async (id: string): Promise<string> => (await approval(id)).pending[0].id;
const codes = (responses: ApiResponse[]) => responses.map(({ status, body }) => (status === 200 ? 200 : body.error.code)).sort();
const decisions = async (id: string) =>
  (await approval(id)).steps.map(({ decisions: [{ decision }] }: { decisions: { decision: string }[] }) => decision);

describe('pending decisions of a document', () => {
  it('have an id, step and approver, and what the caller may do with them', async () => {
    const { code } = await workflow.approvedBy([step('Legal', ada, bob)]);
    const id = await workflow.submitted(code);
    const allowed = ['approve', 'reject', 'return'];
    const entry = ({ email }: { email: string }, may: string[]) => ({
      id: expect.any(String),
      step: { index: 1, name: 'Legal' },
      approver: { email, name: 'member member' },
      allowed: may,
    });
    const readBy = async (client: Client) =>
      (await client.get(`/api/v1/ext/papers/documents/${id}`)).body.approval.pending as { id: string }[];
    const shown = await readBy(acting);
    expect(shown).toEqual(expect.arrayContaining([entry(ada, allowed), entry(bob, allowed)]));
    const listed = (await acting.get(PENDING)).body.data;
    expect(shown.map((one) => one.id).sort()).toEqual(listed.map((one: { id: string }) => one.id).sort());
    // the owner submitted it, so their key may decide none of them; a member decides only their own
    expect(await readBy(workflow.api)).toEqual(expect.arrayContaining([entry(ada, []), entry(bob, [])]));
    const own = (await (await workflow.space.signIn(ada.email)).get(`/api/v1/org/papers/documents/${id}`)).body;
    expect(own.approval.pending).toEqual(expect.arrayContaining([entry(ada, allowed), entry(bob, [])]));
    await workflow.decide(id, 'APPROVE', ada);
    expect((await approval(id)).pending).toEqual([]);
  });
});

describe('an approver who is asked on several steps', () => {
  it('must name the decision, so that equal requests decide one step', async () => {
    const id = await threeSteps();
    const unnamed = await workflow.decide(id, 'APPROVE', ada);
    expect([unnamed.status, unnamed.body.error]).toEqual([
      400,
      expect.objectContaining({ code: 'validation_failed', param: 'decision_id', allowed: [await pendingId(id)] }),
    ]);
    const first = { decision_id: await pendingId(id) };
    const responses = [];
    for (let round = 0; round < 3; round++) responses.push(await workflow.decide(id, 'APPROVE', ada, first));
    expect(responses.map(({ status, body }) => [status, body.error?.code])).toEqual([
      [200, undefined],
      [409, 'stale_decision'],
      [409, 'stale_decision'],
    ]);
    expect(responses[1].body.error).toMatchObject({ type: 'conflict_error', param: 'decision_id', allowed: [await pendingId(id)] });
    expect((await approval(id)).current_step).toBe(2);
  });

  it.each(['decision_id', 'step', 'step name'])('parallel requests that name it by %s decide one step once', async (by) => {
    for (let round = 0; round < 4; round++) {
      const id = await threeSteps();
      await workflow.decide(id, 'APPROVE', ada, { step: '1' });
      const named = by === 'decision_id' ? { decision_id: await pendingId(id) } : { step: by === 'step' ? '2' : 'two' };
      const responses = await Promise.all(Array.from({ length: 5 }, () => workflow.decide(id, 'APPROVE', ada, named)));
      expect(codes(responses)).toEqual([200, ...Array.from({ length: 4 }, () => 'stale_decision')]);
      expect([(await approval(id)).current_step, await decisions(id)]).toEqual([3, ['approved', 'approved', 'pending']]);
    }
  });

  it('parallel requests of several clients decide it once: keys, the approver at the screen, and agents', async () => {
    const screen = await workflow.space.signIn(ada.email);
    for (let round = 0; round < 3; round++) {
      const id = await threeSteps();
      const decision_id = await pendingId(id);
      const responses = await Promise.all([
        workflow.decide(id, 'APPROVE', ada, { decision_id }),
        workflow.org(id, 'decide', { decision: 'approve', decision_id }, screen),
        workflow.org(id, 'decide', { decision: 'approve', step: '1' }, screen),
      ]);
      expect(codes(responses)).toEqual([200, 'stale_decision', 'stale_decision']);
      const args = { id, action: 'APPROVE', approver_email: ada.email, decision_id };
      const params = { name: 'act_on_document', arguments: args };
      const again = await acting.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      expect(again.text).toContain('stale_decision');
      expect((await approval(id)).current_step).toBe(2);
    }
  });

  it('is the one with the index if steps have numbers as names', async () => {
    const id = await workflow.submitted((await workflow.approvedBy([step('2', ada), step('1', bob)])).code);
    expect(codes([await workflow.decide(id, 'APPROVE', ada, { step: '1' })])).toEqual([200]);
    expect((await approval(id)).current_step).toBe(2);
  });

  it('names it on the organization API, too', async () => {
    const id = await threeSteps();
    const screen = await workflow.space.signIn(ada.email);
    const unnamed = await workflow.org(id, 'decide', { decision: 'approve' }, screen);
    expect(unnamed.body.error).toMatchObject({ code: 'validation_failed', param: 'decision_id', allowed: [await pendingId(id)] });
    expect((await workflow.org(id, 'decide', { decision: 'approve', decision_id: await pendingId(id) }, screen)).status).toBe(200);
  });

  it('is known before the later steps are reached and after the earlier ones were decided by others', async () => {
    const owners: ApprovalStepDto = { name: 'Admins', mode: 'any', approvers: [{ kind: 'role', ref: 'admin' }] };
    const skipped = { ...step('Never', ada), condition: { field: 'amount', op: 'gte' as const, operand: { value: 1_000 } } };
    const admin = await workflow.space.member('admin');
    const cases: [steps: ApprovalStepDto[], first: { id: string; email: string }, isRequired: boolean][] = [
      [[step('One', admin), owners], admin, true],
      [[step('One', ada), { ...owners, approvers: [{ kind: 'role', ref: 'developer' }] }], ada, true],
      [[step('One', ada), step('Two', bob), skipped], ada, false],
      [[step('One', ada), owners], ada, false],
    ];
    for (const [steps, first, isRequired] of cases) {
      const id = await workflow.submitted((await workflow.approvedBy(steps)).code);
      expect([steps, codes([await workflow.decide(id, 'APPROVE', first)])]).toEqual([steps, [isRequired ? 'validation_failed' : 200]]);
    }
    const id = await workflow.submitted((await workflow.approvedBy([step('One', ada, bob), step('Two', bob)])).code);
    // a call of Bob for step 1 that arrives after Ada's must not decide step 2
    expect(codes([await workflow.decide(id, 'APPROVE', ada), await workflow.decide(id, 'APPROVE', bob)])).toEqual([
      200,
      'validation_failed',
    ]);
    expect(codes([await workflow.decide(id, 'APPROVE', bob, { step: '1' })])).toEqual(['stale_decision']);
    expect(codes([await workflow.decide(id, 'APPROVE', bob, { step: 'Two' })])).toEqual([200]);
  });
});

describe('a named decision', () => {
  it('that was withdrawn by a recall or a return stays stale after the next submission', async () => {
    const { code } = await workflow.approvedBy([ada]);
    const id = await workflow.submitted(code);
    const first = await pendingId(id);
    await workflow.move(id, 'recall');
    expect(codes([await workflow.decide(id, 'APPROVE', ada, { decision_id: first })])).toEqual(['stale_decision']);
    await workflow.submit(id);
    expect(codes([await workflow.decide(id, 'APPROVE', ada, { decision_id: first })])).toEqual(['stale_decision']);
    const second = await pendingId(id);
    expect(codes([await workflow.decide(id, 'RETURN', ada, { decision_id: second })])).toEqual([200]);
    expect(codes([await workflow.decide(id, 'REJECT', ada, { decision_id: second })])).toEqual(['stale_decision']);
  });

  it('must belong to the document, the approver and the step', async () => {
    const { code } = await workflow.approvedBy([step('Legal', ada, bob), step('Board', bob)]);
    const [id, other] = [await workflow.submitted(code), await workflow.submitted(code)];
    const pending: { id: string; approver: { email: string } }[] = (await approval(id)).pending;
    const of = ({ email }: { email: string }) => pending.find(({ approver }) => approver.email === email)?.id as string;
    const rejected = async (over: object) => {
      const { status, body } = await workflow.decide(id, 'APPROVE', ada, over);
      return [status, body.error.code, body.error.param];
    };
    expect(await rejected({ decision_id: await pendingId(other) })).toEqual([400, 'validation_failed', 'decision_id']);
    expect(await rejected({ decision_id: id })).toEqual([400, 'validation_failed', 'decision_id']);
    expect(await rejected({ decision_id: 'first' })).toEqual([400, 'validation_failed', 'decision_id']);
    expect(await rejected({ decision_id: of(bob) })).toEqual([403, 'not_an_approver', 'approver_email']);
    expect(await rejected({ decision_id: of(ada), step: '2' })).toEqual([400, 'validation_failed', 'step']);
    expect(await rejected({ step: 'Nobody' })).toEqual([400, 'validation_failed', 'step']);
    expect(await rejected({ step: '2' })).toEqual([409, 'stale_decision', 'step']);
    expect((await approval(id)).pending).toEqual(pending);
    expect(codes([await workflow.decide(id, 'APPROVE', ada, { decision_id: of(ada), step: 'legal' })])).toEqual([200]);
  });

  it('is named by the index if several steps have the same name, and never with TRANSITION', async () => {
    const { code } = await workflow.approvedBy([ada, ada]);
    const id = await workflow.submitted(code);
    expect((await workflow.decide(id, 'APPROVE', ada, { step: 'Approval' })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'step',
      allowed: ['1', '2'],
    });
    expect((await workflow.move(id, 'recall', { step: '1' })).body.error).toMatchObject({ code: 'validation_failed', param: 'step' });
    expect((await workflow.move(id, 'recall', { decision_id: await pendingId(id) })).body.error.param).toBe('decision_id');
    expect(codes([await workflow.decide(id, 'APPROVE', ada, { step: '1' })])).toEqual([200]);
  });
});
