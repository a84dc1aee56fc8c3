import { describe, expect, test } from '@jest/globals';
import { sharedNotesApp } from '../../../../test/harness/fixtures/fixture-apps.js';
import type { Members } from '../../../kit/index.js';

const MEMBERS = '/api/v1/org/members';

const app = await sharedNotesApp();
const acme = await app.workspace();
const owner = await acme.signIn();
const members = app.service<Members>('Members');
const { defaultRoles } = app.inside<typeof import('../../../../test/harness/people.js')>('test/harness/people.ts');
const ROLES = await defaultRoles();

describe('the manager of a member', () => {
  test('is set, changed and taken away', async () => {
    const [boss, report] = [await acme.member('admin'), await acme.member('member')];
    const created = await owner.post(MEMBERS, {
      email: 'nina@example.com',
      name: 'Nina',
      role: 'member',
      password: 'correct horse battery',
      manager_id: boss.id,
    });
    expect([created.status, created.body.manager_id]).toEqual([201, boss.id]);
    expect((await owner.get(`${MEMBERS}/${report.id}`)).body.manager_id).toBeNull();
    expect((await owner.patch(`${MEMBERS}/${report.id}`, { manager_id: boss.id })).body).toMatchObject({ manager_id: boss.id, version: 2 });
    expect((await owner.patch(`${MEMBERS}/${report.id}`, { name: 'Renamed' })).body.manager_id).toBe(boss.id);
    expect((await (await acme.signIn(report.email)).get('/api/v1/org/session')).body.member.manager_id).toBe(boss.id);
    expect((await owner.patch(`${MEMBERS}/${report.id}`, { manager_id: null })).body.manager_id).toBeNull();
  });

  test('is an active member of the organization, and another one', async () => {
    const [report, gone, otherOwner] = [await acme.member('member'), await acme.member('member'), (await app.workspace()).owner];
    await owner.patch(`${MEMBERS}/${report.id}`, { manager_id: gone.id });
    await owner.patch(`${MEMBERS}/${gone.id}`, { status: 'inactive' });
    // a deactivated manager stays until another one is set
    expect((await owner.patch(`${MEMBERS}/${report.id}`, { name: 'Renamed', manager_id: gone.id })).status).toBe(200);
    const other = await acme.member('member');
    for (const manager_id of [gone.id, otherOwner.id, other.id]) {
      const response = await owner.patch(`${MEMBERS}/${other.id}`, { manager_id });
      expect([response.status, response.body.error.code, response.body.error.param]).toEqual([400, 'validation_failed', 'manager_id']);
    }
    const response = await owner.post(MEMBERS, {
      email: 'omar@example.com',
      name: 'Omar',
      role: 'member',
      password: 'correct horse battery',
      manager_id: otherOwner.id,
    });
    expect([response.status, response.body.error.param]).toEqual([400, 'manager_id']);
    await expect(app.sql.query('UPDATE members SET manager_id = id WHERE id = $1', [other.id])).rejects.toThrow('members_manager_id_check');
    await expect(app.sql.query('UPDATE members SET manager_id = $2 WHERE id = $1', [other.id, otherOwner.id])).rejects.toThrow(
      'members_manager_fkey',
    );
  });
});

describe('modules find members', () => {
  test('by address, role and permission, the active ones of the organization only', async () => {
    const space = await app.workspace();
    const ctx = space.ctx();
    const [admin, member, gone] = [await space.member('admin'), await space.member('member'), await space.member('member')];
    await (await space.signIn()).patch(`${MEMBERS}/${gone.id}`, { status: 'inactive' });
    await (await space.signIn()).patch(`${MEMBERS}/${member.id}`, { manager_id: admin.id });
    const idsOf = (found: { id: string }[]) => found.map(({ id }) => id).sort();

    expect(await members.byEmail(ctx, ` ${member.email.toUpperCase()}`)).toEqual({
      id: member.id,
      email: member.email,
      name: 'member member',
      status: 'active',
      role: 'member',
      permissions: [...ROLES.member],
      manager_id: admin.id,
    });
    for (const address of [gone.email, acme.owner.email, 'nobody@example.com']) expect(await members.byEmail(ctx, address)).toBeNull();
    expect(idsOf(await members.withRole(ctx, 'member'))).toEqual([member.id]);
    expect(await members.withRole(ctx, 'nonsense')).toEqual([]);
    expect(idsOf(await members.withPermission(ctx, 'notes.note.override'))).toEqual([space.owner.id, admin.id].sort());
    expect((await members.rolesWith(ctx, 'notes.note.review')).sort()).toEqual(['admin', 'member', 'owner']);
    expect(idsOf(await members.withPermission(ctx, 'notes.note.review'))).toEqual([space.owner.id, admin.id, member.id].sort());
    expect((await members.byIds(ctx, [gone.id, admin.id])).map(({ status, role }) => [status, role]).sort()).toEqual([
      ['active', 'admin'],
      ['inactive', 'member'],
    ]);
  });

  test('in a transaction without a second connection, so that many at once do not wait for each other', async () => {
    const { findOwnersInTransactions } = app.inside<typeof import('../../../../test/harness/people.js')>('test/harness/people.ts');
    const found = await findOwnersInTransactions(acme.organizationId, 12);
    expect(found).toEqual(Array(12).fill([acme.owner.id]));
  });
});
