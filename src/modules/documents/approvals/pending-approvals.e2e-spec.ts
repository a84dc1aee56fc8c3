import { beforeEach, describe, expect, it } from '@jest/globals';
import { ownApp } from '../../../../test/kit/hosted-app.js';
import { Papers, PENDING } from '../../../../test/kit/papers.js';

const app = await ownApp();
let papers: Papers;
let ada: { id: string; email: string };
let bob: { id: string; email: string };

beforeEach(async () => {
  papers = await Papers.open(app);
  [ada, bob] = [await papers.space.member('member'), await papers.space.member('member')];
});

const documents = async (query = '', client = papers.api) =>
  (await client.get(`${PENDING}?${query}`)).body.data.map(({ document }: { document: { id: string } }) => document.id);

describe('pending decisions', () => {
  it('contain document, step, approver and due date', async () => {
    const { code } = await papers.approvedBy([
      { name: 'Legal', mode: 'all', approvers: [{ kind: 'user', ref: ada.email }], due_in_hours: 1 },
    ]);
    const id = await papers.submitted(code, { title: 'Roof' });
    const [item] = (await papers.api.get(PENDING)).body.data;
    const person = { email: ada.email, name: 'member member' };
    expect(item).toEqual({
      object: 'pending_approval',
      id: expect.any(String),
      document: { id, number: expect.any(String), title: 'Roof', type_code: code, state: 'in_approval' },
      step: { index: 1, name: 'Legal', mode: 'all' },
      routing: 'routed',
      approver: person,
      eligible_approvers: [person],
      requested_at: expect.any(String),
      due_at: expect.any(String),
      overdue: false,
    });
    await app.sql.query(`UPDATE approval_requests SET due_at = now() - interval '1 minute' WHERE id = $1`, [item.id]);
    expect((await papers.api.get(PENDING)).body.data[0].overdue).toBe(true);
  });

  it('can be filtered by routing, approver, type and project', async () => {
    const [forAda, forBob, unrouted] = [
      await papers.approvedBy([ada]),
      await papers.approvedBy([bob]),
      await papers.type({ requires_approval: true }),
    ];
    const [a, b, u] = [
      await papers.submitted(forAda.code),
      await papers.submitted(forBob.code, { project_id: papers.space.ops.id }),
      await papers.submitted(unrouted.code),
    ];
    expect(await documents()).toEqual([a, b, u]);
    expect(await documents('routing=routed')).toEqual([a, b]);
    expect(await documents('routing=unrouted')).toEqual([u]);
    expect(await documents(`approver_email=${bob.email}`)).toEqual([b]);
    expect(await documents('approver_email=nobody%40example.com')).toEqual([]);
    expect(await documents(`type_code=${forAda.code},${unrouted.code}`)).toEqual([a, u]);
    expect(await documents(`project_id=${papers.space.ops.id}`)).toEqual([b]);
    expect(await documents('', await papers.key({ project_id: papers.space.ops.id }))).toEqual([b]);
    expect(await documents('', await papers.key({ mode: 'test' }))).toEqual([]);
  });

  it('are no longer listed once they are settled', async () => {
    const { code } = await papers.approvedBy([
      {
        name: 'Two',
        mode: 'any',
        approvers: [
          { kind: 'user', ref: ada.email },
          { kind: 'user', ref: bob.email },
        ],
      },
    ]);
    const id = await papers.submitted(code);
    expect(await documents()).toEqual([id, id]);
    await papers.decide(id, 'APPROVE', ada);
    expect(await documents()).toEqual([]);
  });

  it('are paged, and list at most twenty eligible approvers', async () => {
    const { code } = await papers.type({ requires_approval: true });
    await Promise.all(Array.from({ length: 22 }, () => papers.space.member('member')));
    const ids = [await papers.submitted(code), await papers.submitted(code), await papers.submitted(code)];
    const first = (await papers.api.get(`${PENDING}?limit=2`)).body;
    expect([
      first.data.map(({ document }: { document: { id: string } }) => document.id),
      first.has_more,
      first.data[0].eligible_approvers.length,
    ]).toEqual([ids.slice(0, 2), true, 20]);
    expect(await documents(`limit=2&cursor=${encodeURIComponent(first.next_cursor)}`)).toEqual(ids.slice(2));
  });

  it('are read with a constant number of queries', async () => {
    const { code } = await papers.approvedBy([ada]);
    const spies = app.inside<typeof import('../../../../test/kit/spies.js')>('test/kit/spies.ts');
    await spies.countCalls('Store', 'list');
    const cost = async () => {
      await spies.callsOf('Store');
      await documents('limit=100');
      return spies.callsOf('Store');
    };
    await papers.submitted(code);
    const one = await cost();
    for (let n = 0; n < 9; n++) await papers.submitted(code);
    expect([one > 0, await cost()]).toEqual([true, one]);
  });
});
