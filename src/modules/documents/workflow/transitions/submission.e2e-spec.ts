import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { DOCUMENTS, WorkflowFixture, PENDING } from '../../testing/workflow-fixture.js';

const app = await sharedApp();
let workflow: WorkflowFixture;
let ada: { id: string; email: string };
let bob: { id: string; email: string };

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
  [ada, bob] = [await workflow.space.member('member'), await workflow.space.member('admin')];
});

const steps = async (id: string) =>
  (await workflow.read(id)).approval.steps.map(
    ({
      index,
      name,
      routing,
      decisions,
    }: {
      index: number;
      name: string;
      routing: string;
      decisions: { approver_email: string; decision: string }[];
    }) => [index, name, routing, decisions.map(({ approver_email, decision }) => `${approver_email} ${decision}`).sort()],
  );

describe('submitting', () => {
  it('approves a document at once if its type requires no approval', async () => {
    const { code } = await workflow.type();
    const { id } = await workflow.draft(code);
    const { status, body } = await workflow.submit(id);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ state: 'approved', approval: { outcome: 'not_required', current_step: null, steps: [], pending: [] } }),
    ]);
    expect(await workflow.events(id)).toEqual(['paper.created', 'paper.state_changed approved']);
  });

  it('rejects incomplete data with missing_fields and names each missing value', async () => {
    const { code } = await workflow.type();
    const { id } = await workflow.draft(code, { data_values: {} });
    const { status, body } = await workflow.submit(id);
    expect([status, body.error]).toEqual([
      400,
      expect.objectContaining({
        code: 'missing_fields',
        param: 'data_values.customer',
        details: [expect.objectContaining({ param: 'data_values.customer', code: 'missing' })],
      }),
    ]);
    expect((await workflow.read(id)).state).toBe('draft');
  });

  it('honors If-Match, as its API description states', async () => {
    const { id, version } = await workflow.draft((await workflow.type()).code);
    const send = (ifMatch: number) => workflow.api.post(`${DOCUMENTS}/${id}/submit`, {}, { 'if-match': `"${ifMatch}"` });
    const rejected = await send(version + 1);
    expect([rejected.status, rejected.body.error.code]).toEqual([412, 'version_conflict']);
    expect((await send(version)).status).toBe(200);
    const { paths } = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
      paths: Record<string, { post: { parameters: { $ref?: string }[]; responses: object } }>;
    };
    const headersOf = (path: string) =>
      paths[`${DOCUMENTS}/{id}/${path}`].post.parameters.flatMap(({ $ref }) => $ref?.replace('#/components/parameters/', '') ?? []);
    expect([headersOf('submit'), headersOf('comments')]).toEqual([
      expect.arrayContaining(['IfMatch']),
      expect.not.arrayContaining(['IfMatch']),
    ]);
    expect(Object.keys(paths[`${DOCUMENTS}/{id}/submit`].post.responses)).toContain('412');
  });

  it('asks the approvers of the first step, also by mail, with a due date', async () => {
    const { code } = await workflow.approvedBy([
      {
        name: 'Legal',
        mode: 'all',
        approvers: [
          { kind: 'user', ref: ada.id },
          { kind: 'user', ref: bob.email },
        ],
        due_in_hours: 48,
      },
      { name: 'Board', mode: 'any', approvers: [{ kind: 'user', ref: ada.email }] },
    ]);
    const { id } = await workflow.draft(code);
    const { body } = await workflow.submit(id, { comment: 'Please' });
    expect(body).toMatchObject({ state: 'in_approval', approval: { outcome: 'pending', current_step: 1 } });
    expect(await steps(id)).toEqual([[1, 'Legal', 'routed', [`${ada.email} pending`, `${bob.email} pending`].sort()]]);
    const due = new Date(body.approval.steps[0].decisions[0].due_at).getTime();
    expect(Math.abs(due - Date.now() - 48 * 3_600_000)).toBeLessThan(60_000);
    expect((await workflow.mails(id)).sort()).toEqual(
      [`${ada.email}: Please decide: Agreement`, `${bob.email}: Please decide: Agreement`].sort(),
    );
    expect(await workflow.events(id)).toEqual(['paper.created', 'paper.state_changed in_approval', 'paper.comment_added']);
  });

  it("finds approvers by role and as the submitter's manager, without duplicates", async () => {
    await app.sql.query('UPDATE members SET manager_id = $1 WHERE id = $2', [bob.id, workflow.space.owner.id]);
    const byRole = await workflow.approvedBy([
      { name: 'Admins', mode: 'any', approvers: [{ kind: 'role', ref: 'admin' }, { kind: 'manager' }] },
    ]);
    expect(await steps(await workflow.submitted(byRole.code))).toEqual([[1, 'Admins', 'routed', [`${bob.email} pending`]]]);
  });

  it('excludes inactive members', async () => {
    await app.sql.query(`UPDATE members SET status = 'inactive' WHERE id = $1`, [ada.id]);
    const { code } = await workflow.approvedBy([
      {
        name: 'Both',
        mode: 'all',
        approvers: [
          { kind: 'user', ref: ada.email },
          { kind: 'user', ref: bob.email },
        ],
      },
    ]);
    expect(await steps(await workflow.submitted(code))).toEqual([[1, 'Both', 'routed', [`${bob.email} pending`]]]);
  });

  it.each<[string, () => ReturnType<WorkflowFixture['approvedBy']>]>([
    ['an empty role', () => workflow.approvedBy([{ name: 'Developers', mode: 'any', approvers: [{ kind: 'role', ref: 'developer' }] }])],
    ['a manager who is not known', () => workflow.approvedBy([{ name: 'Manager', mode: 'any', approvers: [{ kind: 'manager' }] }])],
    [
      'conditions that skip all steps',
      () =>
        workflow.approvedBy([
          {
            name: 'Large',
            mode: 'any',
            approvers: [{ kind: 'user', ref: ada.email }],
            condition: { field: 'amount', op: 'gte', operand: { value: 1_000 } },
          },
        ]),
    ],
    ['no route at all', () => workflow.type({ requires_approval: true })],
  ])(
    'never approves automatically: %s leaves the request unrouted, and anyone with the permission to approve can decide',
    async (_what, make) => {
      const { code } = await make();
      const id = await workflow.submitted(code);
      expect((await workflow.read(id)).state).toBe('in_approval');
      const { body } = await workflow.api.get(`${PENDING}?routing=unrouted&type_code=${code}`);
      expect(body.data).toHaveLength(1);
      expect(body.data[0]).toMatchObject({ document: { id }, routing: 'unrouted', approver: null });
      // The owner submitted it, and a developer has no permission to approve.
      const developer = await workflow.space.member('developer');
      expect(body.data[0].eligible_approvers.map(({ email }: { email: string }) => email).sort()).toEqual([ada.email, bob.email].sort());
      for (const nobody of [workflow.space.owner, developer])
        expect((await workflow.decide(id, 'APPROVE', nobody)).body.error.code).toBe('not_an_approver');
      const { status, body: approved } = await workflow.decide(id, 'APPROVE', ada);
      expect([status, approved.state]).toEqual([200, 'approved']);
      expect(approved.approval.steps[0].decisions).toEqual([expect.objectContaining({ approver_email: ada.email, decision: 'approved' })]);
    },
  );

  it('fails a second time, and in a state that does not allow it', async () => {
    const { code } = await workflow.approvedBy([ada]);
    const id = await workflow.submitted(code);
    expect((await workflow.submit(id)).body.error).toMatchObject({ code: 'invalid_transition', allowed: ['draft', 'returned'] });
  });

  it('starts a returned document again at the first step', async () => {
    const { code } = await workflow.approvedBy([ada, bob]);
    const id = await workflow.submitted(code);
    await workflow.decide(id, 'APPROVE', ada);
    const returned = await workflow.decide(id, 'RETURN', bob);
    expect(returned.body).toMatchObject({ state: 'returned', approval: { outcome: 'returned', current_step: null } });
    const again = await workflow.submit(id);
    expect(again.body).toMatchObject({ state: 'in_approval', approval: { outcome: 'pending', current_step: 1 } });
    expect(await steps(id)).toEqual([[1, 'Approval', 'routed', [`${ada.email} pending`]]]);
  });
});
