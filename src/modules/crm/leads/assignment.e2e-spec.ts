import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import type { LeadsService, LeadInput } from '../crm.public.js';

const AT = '/api/v1/ext/crm';
const UNKNOWN_ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60';

const app = await sharedApp();
let space: Workspace;
let api: Client;

beforeEach(async () => {
  space = await app.workspace();
  api = (await space.key({ module: 'crm', project_id: space.eng.id })).client;
});

function lead(input: LeadInput = {}) {
  return app
    .service<LeadsService>('LeadsService')
    .create(space.ctx(), { project_id: space.eng.id, full_name: 'Ada Lovelace', email: 'Ada@Example.com', ...input });
}

describe('assignment', () => {
  const rule = async (body: object) => {
    const response = await (
      await space.signIn()
    ).post('/api/v1/org/crm/assignment-rules', { project_id: space.eng.id, name: 'Rule', assign: 'round_robin', ...body });
    if (response.status !== 201) throw new Error(response.text);
    return response.body;
  };

  it('applies the first matching rule, on creation only', async () => {
    const [a, b] = [await space.member('member'), await space.member('member')];
    await rule({
      assign: 'user',
      member_ids: [a.id],
      conditions: [
        { field: 'email', op: 'ends_with', value: '@EXAMPLE.com' },
        { field: 'company_name', op: 'is_not_set' },
      ],
    });
    await rule({ assign: 'user', member_ids: [b.id] });
    const [first, second] = [await lead(), await lead({ company_name: 'Acme' })];
    expect([first.owner_id, second.owner_id]).toEqual([a.id, b.id]);
    expect((await lead({ owner_id: space.owner.id })).owner_id).toBe(space.owner.id);
    expect((await api.patch(`${AT}/leads/${first.id}`, { company_name: 'Acme' })).body.owner_id).toBe(a.id);
  });

  it('distributes thirty concurrent leads evenly', async () => {
    const members = [await space.member('member'), await space.member('member'), await space.member('member')];
    await rule({ member_ids: members.map(({ id }) => id) });
    const leads = await Promise.all(Array.from({ length: 30 }, () => lead()));
    expect(members.map(({ id }) => leads.filter(({ owner_id }) => owner_id === id).length)).toEqual([10, 10, 10]);
    await app.sql.query(`UPDATE members SET status = 'inactive' WHERE id = $1`, [members[0].id]);
    const later = await Promise.all(Array.from({ length: 4 }, () => lead()));
    expect(members.map(({ id }) => later.filter(({ owner_id }) => owner_id === id).length)).toEqual([0, 2, 2]);
  });

  it('counts test leads separately', async () => {
    const members = [await space.member('member'), await space.member('member')];
    await rule({ member_ids: members.map(({ id }) => id) });
    await lead();
    const test = await app
      .service<LeadsService>('LeadsService')
      .create(space.ctx('test'), { project_id: space.eng.id, full_name: 'Test Lead', email: 't@example.com' });
    expect(test.owner_id).toBe(members[0].id);
    expect((await lead()).owner_id).toBe(members[1].id);
  });

  it('prefers the member with the fewest open leads, in twenty concurrent requests', async () => {
    const [a, b] = [await space.member('member'), await space.member('member')];
    for (let n = 0; n < 4; n++) await lead({ owner_id: a.id });
    await rule({ assign: 'least_open', member_ids: [a.id, b.id] });
    const leads = await Promise.all(Array.from({ length: 20 }, () => lead()));
    expect(leads.filter(({ owner_id }) => owner_id === b.id)).toHaveLength(12);
  });

  it('rejects rules that could never match', async () => {
    const screen = await space.signIn();
    const post = async (body: object) =>
      (
        await screen.post('/api/v1/org/crm/assignment-rules', {
          project_id: space.eng.id,
          name: 'Rule',
          assign: 'round_robin',
          member_ids: [space.owner.id],
          ...body,
        })
      ).body.error;
    expect(await post({ member_ids: [UNKNOWN_ID] })).toMatchObject({ param: 'member_ids' });
    expect(await post({ member_ids: [] })).toMatchObject({ param: 'member_ids' });
    expect(await post({ conditions: [{ field: 'nonsense', op: 'eq', value: 'x' }] })).toMatchObject({ param: 'conditions.0.field' });
    expect(await post({ conditions: [{ field: 'email', op: 'like', value: 'x' }] })).toMatchObject({ param: 'conditions.0.op' });
    expect(await post({ conditions: [{ field: 'email', op: 'in', value: 'x' }] })).toMatchObject({ param: 'conditions.0.value' });
  });
});
