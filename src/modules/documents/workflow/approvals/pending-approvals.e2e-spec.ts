import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { WorkflowFixture, PENDING } from '../../testing/workflow-fixture.js';

const app = await sharedApp();
let workflow: WorkflowFixture;
let ada: { id: string; email: string };
let bob: { id: string; email: string };

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
  [ada, bob] = [await workflow.space.member('member'), await workflow.space.member('member')];
});

const documents = async (query = '', client = workflow.api) =>
  (await client.get(`${PENDING}?${query}`)).body.data.map(({ document }: { document: { id: string } }) => document.id);

describe('pending decisions', () => {
  it('contain document, step, approver and due date', async () => {
    const { code } = await workflow.approvedBy([
      { name: 'Legal', mode: 'all', approvers: [{ kind: 'user', ref: ada.email }], due_in_hours: 1 },
    ]);
    const id = await workflow.submitted(code, { title: 'Roof' });
    const [item] = (await workflow.api.get(PENDING)).body.data;
    const person = { email: ada.email, name: 'member member' };
    expect(item).toEqual({
      object: 'pending_approval',
      id: expect.any(String),
      project_id: workflow.space.eng.id,
      document: { id, number: expect.any(String), title: 'Roof', type_code: code, type_name: expect.any(String), state: 'in_approval' },
      step: { index: 1, name: 'Legal', mode: 'all' },
      routing: 'routed',
      approver: person,
      eligible_approvers: [person],
      requested_at: expect.any(String),
      due_at: expect.any(String),
      overdue: false,
    });
    await app.sql.query(`UPDATE approval_requests SET due_at = now() - interval '1 minute' WHERE id = $1`, [item.id]);
    expect((await workflow.api.get(PENDING)).body.data[0].overdue).toBe(true);
  });

  it('can be filtered by routing, approver, type and project', async () => {
    const [forAda, forBob, unrouted] = [
      await workflow.approvedBy([ada]),
      await workflow.approvedBy([bob]),
      await workflow.type({ requires_approval: true }),
    ];
    const [a, b, u] = [
      await workflow.submitted(forAda.code),
      await workflow.submitted(forBob.code, { project_id: workflow.space.ops.id }),
      await workflow.submitted(unrouted.code),
    ];
    expect(await documents()).toEqual([a, b, u]);
    expect(await documents('routing=routed')).toEqual([a, b]);
    expect(await documents('routing=unrouted')).toEqual([u]);
    expect(await documents(`approver_email=${bob.email}`)).toEqual([b]);
    expect(await documents('approver_email=nobody%40example.com')).toEqual([]);
    expect(await documents(`type_code=${forAda.code},${unrouted.code}`)).toEqual([a, u]);
    expect(await documents(`project_id=${workflow.space.ops.id}`)).toEqual([b]);
    expect(await documents('', await workflow.key({ project_id: workflow.space.ops.id }))).toEqual([b]);
    expect(await documents('', await workflow.key({ mode: 'test' }))).toEqual([]);
  });

  it('are no longer listed once they are settled', async () => {
    const { code } = await workflow.approvedBy([
      {
        name: 'Two',
        mode: 'any',
        approvers: [
          { kind: 'user', ref: ada.email },
          { kind: 'user', ref: bob.email },
        ],
      },
    ]);
    const id = await workflow.submitted(code);
    expect(await documents()).toEqual([id, id]);
    await workflow.decide(id, 'APPROVE', ada);
    expect(await documents()).toEqual([]);
  });

  it('are paged, and list at most twenty eligible approvers', async () => {
    const { code } = await workflow.type({ requires_approval: true });
    await Promise.all(Array.from({ length: 22 }, () => workflow.space.member('member')));
    const ids = [await workflow.submitted(code), await workflow.submitted(code), await workflow.submitted(code)];
    const first = (await workflow.api.get(`${PENDING}?limit=2`)).body;
    expect([
      first.data.map(({ document }: { document: { id: string } }) => document.id),
      first.has_more,
      first.data[0].eligible_approvers.length,
    ]).toEqual([ids.slice(0, 2), true, 20]);
    expect(await documents(`limit=2&cursor=${encodeURIComponent(first.next_cursor)}`)).toEqual(ids.slice(2));
  });

  it('are read with a constant number of queries', async () => {
    const { code } = await workflow.approvedBy([ada]);
    const spies = app.inside<typeof import('../../../../../test/harness/spies.js')>('test/harness/spies.ts');
    await spies.countCalls('Store', 'list');
    const cost = async () => {
      await spies.callsOf('Store');
      await documents('limit=100');
      return spies.callsOf('Store');
    };
    await workflow.submitted(code);
    const one = await cost();
    for (let n = 0; n < 9; n++) await workflow.submitted(code);
    expect([one > 0, await cost()]).toEqual([true, one]);
  });

  it('read approvers and their substitutes at once', async () => {
    await workflow.submitted((await workflow.approvedBy([ada])).code);
    const today = new Date().toISOString().slice(0, 10);
    const period = { member_email: ada.email, substitute_email: bob.email, starts_on: today, ends_on: today };
    expect((await workflow.screen.post('/api/v1/org/papers/substitutes', period)).status).toBe(201);
    const statements = app.inside<typeof import('../../../../../test/harness/statements.js')>('test/harness/statements.ts');
    await statements.recordStatements();
    const [{ eligible_approvers: eligible }] = (await workflow.api.get(PENDING)).body.data;
    const sent = await statements.takeStatements();
    expect(eligible.map(({ email }: { email: string }) => email)).toEqual([ada.email, bob.email]);
    expect(sent.filter((text) => /\bFROM "members"/.test(text))).toHaveLength(1);
  });

  it('read the members who may decide, not the whole directory; a role with members stays routed', async () => {
    const approvers = [{ kind: 'role' as const, ref: 'admin' }];
    const admins = await Promise.all(Array.from({ length: 51 }, () => workflow.space.member('admin')));
    const { code } = await workflow.approvedBy([{ name: 'Board', mode: 'any', approvers }]);
    await workflow.submitted(code);
    await workflow.submitted((await workflow.type({ requires_approval: true })).code);
    const spies = app.inside<typeof import('../../../../../test/harness/spies.js')>('test/harness/spies.ts');
    await spies.countCalls('MemberDirectory', 'list');
    const { data } = (await workflow.api.get(PENDING)).body;
    expect(data.map(({ routing }: { routing: string }) => routing)).toEqual(['routed', 'unrouted']);
    const emails = admins.map(({ email }) => email);
    expect(data[0].eligible_approvers).toHaveLength(20);
    for (const { email } of data[0].eligible_approvers) expect(emails).toContain(email);
    expect(await spies.callsOf('MemberDirectory')).toBe(0);
  });
});
