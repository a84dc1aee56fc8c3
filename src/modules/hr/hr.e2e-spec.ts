import { expect, it } from '@jest/globals';
import { eventually } from '../../../test/harness/eventually.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { monday, Staff } from './testing/hr-fixture.js';

const app = await sharedApp();

it('test rows are erased as a whole, although the ledger is never changed otherwise', async () => {
  const workspace = await app.workspace();
  const [test, live] = [await Staff.open(app, { workspace, mode: 'test' }), await Staff.open(app, { workspace })];
  for (const one of [test, live]) {
    const department = await one.department('Team');
    const boss = await one.employee({ department_id: department.id });
    const person = await one.employee({ manager_id: boss.id, department_id: department.id });
    await one.patch(`/departments/${department.id}`, { head_id: boss.id });
    await one.patch(`/employees/${person.id}/private`, { birth_on: '1990-01-01' });
    await one.approved(person, 'Vacation', monday(3), monday(3));
  }
  const change = `UPDATE hr_leave_ledger SET days = 99 WHERE organization_id = $1`;
  await expect(app.sql.query(change, [workspace.organizationId])).rejects.toThrow('never changed');
  const remove = `DELETE FROM hr_leave_ledger WHERE organization_id = $1 AND mode = 'live'`;
  await expect(app.sql.query(remove, [workspace.organizationId])).rejects.toThrow('never changed');
  const { rows } = await app.sql.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [workspace.organizationId]);
  await test.screen.post('/api/v1/org/developer/test-data/erase', { organization_name: rows[0].name });
  const left = async () => (await test.screen.get('/api/v1/org/developer/test-data')).body.total as number;
  await eventually(left, (total) => total === 0);
  expect([await test.list('/employees'), await test.list('/departments'), await live.list('/employees')]).toMatchObject([[], [], [{}, {}]]);
});
