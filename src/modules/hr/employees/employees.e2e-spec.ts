import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../../test/harness/api-document.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { EXT_HR as EXT, monday, NEXT_YEAR as YEAR, ORG_HR as ORG, plus, Staff } from '../testing/hr-fixture.js';

const app = await sharedApp();
const staff = await Staff.open(app);

it('a deleted department is restored in its place, unless its name was taken', async () => {
  const [head, above] = [await staff.employee(), await staff.department('Above the deleted')];
  const { updated_at: _, ...team } = await staff.department('Deleted', { parent_id: above.id, head_id: head.id });
  const path = `${ORG}/departments/${team.id}`;
  const deleted = await staff.screen.delete(path);
  expect([deleted.status, typeof deleted.headers['svc-restorable-until']]).toEqual([204, 'string']);
  const other = await staff.department('Deleted');
  expect((await staff.screen.post(`${path}/restore`)).body.error).toMatchObject({ code: 'duplicate', param: 'name' });
  await staff.patch(`/departments/${other.id}`, { name: 'Another' });
  expect(await staff.post(`/departments/${team.id}/restore`)).toMatchObject(team);
  expect((await staff.screen.get(path)).body).toMatchObject(team);
});

describe('employees', () => {
  it('are unique by number, e-mail address and member until they leave; numbers are given', async () => {
    const one = await staff.employee({ work_email: 'Una@example.com' });
    expect(one.number).toMatch(/^E-\d+$/);
    const body = { project_id: staff.project, name: 'Two', hired_on: '2020-01-01' };
    expect(await staff.refused('/employees', { ...body, number: one.number })).toEqual([409, 'duplicate', 'number']);
    expect(await staff.refused('/employees', { ...body, work_email: 'una@EXAMPLE.com' })).toEqual([409, 'duplicate', 'work_email']);
    await staff.patch(`/employees/${one.id}`, { left_on: '2021-01-01' });
    expect((await staff.post('/employees', { ...body, work_email: 'una@example.com' })).status).toBe('active');
    expect(await staff.list(`/employees?work_email=UNA@example.com`)).toHaveLength(1);
    expect(await staff.list(`/employees?work_email=una@example.com&status=left`)).toMatchObject([{ id: one.id }]);
    expect((await staff.events('employee.status_changed', one.id)).map(({ context }) => context)).toEqual([
      { from: 'active', to: 'left', trigger: 'update' },
    ]);
  });

  it('get numbers that nobody has, and who comes back an address that nobody has', async () => {
    const next = Number(((await staff.employee()).number as string).slice(2)) + 1;
    await staff.employee({ number: `E-${next}` });
    await staff.employee({ number: `E-${next + 1}` });
    expect((await staff.employee()).number).toBe(`E-${next + 2}`);
    await staff.employee({ number: `E-${next + 4}` });
    const file = ['number,name,hired_on', ...[3, 4, 5].map((n) => `,Import ${n},2020-01-01`), `E-${next + 3},Given,2020-01-01`].join('\n');
    const { body } = await staff.screen.post(`${ORG}/employees/import?project_id=${staff.project}`, file as never, {
      'content-type': 'text/csv',
    });
    expect(body).toMatchObject({ imported: 4, errors: [] });
    const gone = await staff.employee({ work_email: 'back@example.com', left_on: '2021-01-01' });
    const { id } = await staff.employee({ work_email: 'BACK@example.com' });
    expect((await staff.screen.patch(`${ORG}/employees/${gone.id}`, { left_on: null })).body.error).toMatchObject({
      code: 'duplicate',
      param: 'work_email',
      existing_id: id,
    });
  });

  it('never report to themselves, not even if two changes at once would lead to it', async () => {
    const [a, b, c] = [await staff.employee(), await staff.employee(), await staff.employee()];
    await staff.patch(`/employees/${b.id}`, { manager_id: a.id });
    const answers = await Promise.all([
      staff.screen.patch(`${ORG}/employees/${c.id}`, { manager_id: b.id }),
      staff.screen.patch(`${ORG}/employees/${a.id}`, { manager_id: c.id }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)?.body.error).toMatchObject({ code: 'manager_cycle', param: 'manager_id' });
  });

  it('start and leave on their days', async () => {
    const day = (offset: number) => plus(new Date().toISOString().slice(0, 10), offset);
    const soon = await staff.employee({ hired_on: day(5), left_on: day(9) });
    expect(soon.status).toBe('upcoming');
    const at = (offset: number) => new Date(`${day(offset)}T12:00:00Z`);
    const run = async (offset: number) => {
      await app.runScheduledJob('hr.change_statuses', at(offset));
      return (await staff.get(`/employees/${soon.id}`)).status;
    };
    expect([await run(4), await run(5), await run(9), await run(10)]).toEqual(['upcoming', 'active', 'active', 'left']);
    expect((await staff.events('employee.status_changed', soon.id)).map(({ context }) => context.to)).toEqual(['active', 'left']);
    const internal = await app.sql.query<{ type: string }>(
      `SELECT type FROM outbox_events WHERE type IN ('employee.hired', 'employee.left') AND body::jsonb #>> '{data,id}' = $1
         OR type IN ('employee.hired', 'employee.left') AND body::jsonb #>> '{data,object,id}' = $1 ORDER BY sequence`,
      [soon.id],
    );
    expect(internal.rows.map(({ type }) => type)).toEqual(['employee.hired', 'employee.left']);
  });

  it('of a file are not refused because of another row that was refused or has left', async () => {
    const file = [
      'number,name,hired_on,left_on,work_email,manager_number,department',
      'R-1,Refused,2020-01-01,,again@example.com,,Nowhere',
      'R-1,Valid,2020-01-01,,again@example.com,,',
      'R-2,Left,2019-01-01,2020-01-31,returned@example.com,,',
      'R-3,Back,2021-01-01,,returned@example.com,,',
      'R-4,Below,2021-01-01,,,R-5,',
      'R-5,,2021-01-01,,,,',
    ].join('\n');
    for (const query of ['&dry_run=true', '']) {
      const { body } = await staff.screen.post(`${ORG}/employees/import?project_id=${staff.project}${query}`, file as never, {
        'content-type': 'text/csv',
      });
      expect([body.imported, (body.errors as Json[]).map(({ row, param }) => [row, param])]).toEqual([
        3,
        [
          [1, 'department'],
          [5, 'manager_number'],
          [6, 'name'],
        ],
      ]);
      expect((body.errors as Json[])[1].message).toContain('row 6, which has it, was refused');
    }
    expect((await staff.list('/employees?number=R-1')).map(({ name }) => name)).toEqual(['Valid']);
  });

  it('come from a file: managers in any row, circles and repeats named, a dry run writes nothing', async () => {
    await staff.department('Imported');
    const file = [
      'number,name,hired_on,department,manager_number,work_email,birth_date',
      'I-2,Report,2021-05-01,imported,I-1,report@example.com,1990-01-01',
      'I-1,Boss,2020-01-01,,,,',
      'I-3,Round,2020-01-01,,I-4,,',
      'I-4,Robin,2020-01-01,,I-3,,',
      'I-5,Below,2020-01-01,,I-4,,',
      'I-1,Boss again,2020-01-01,,,,',
      'I-6,Nowhere,2020-01-01,Unknown,,,',
      'I-7,,2020-01-01,,,,',
    ].join('\n');
    const send = async (query: string) =>
      (
        await staff.screen.post(`${ORG}/employees/import?project_id=${staff.project}${query}`, file as never, {
          'content-type': 'text/csv',
        })
      ).body;
    const errors = [
      [3, 'manager_cycle'],
      [4, 'manager_cycle'],
      [5, 'validation_failed'],
      [6, 'duplicate'],
      [7, 'validation_failed'],
      [8, 'missing_fields'],
    ];
    const dry = await send('&dry_run=true');
    const found = (result: Json) => (result.errors as Json[]).map(({ row, code }) => [row, code]);
    expect([dry.imported, dry.failed, dry.ignored_columns, found(dry)]).toEqual([2, 6, ['birth_date'], errors]);
    expect(await staff.list('/employees?number=I-1,I-2')).toEqual([]);
    const done = await send('');
    expect([done.imported, found(done)]).toEqual([2, errors]);
    const [boss, report] = await staff.list('/employees?number=I-1,I-2&sort=number');
    expect(report).toMatchObject({ manager_id: boss.id, work_email: 'report@example.com' });
    expect(await staff.balance(report, 'Vacation', `${YEAR}-06-01`)).toMatchObject({ granted: '25' });
    expect(found(await send(''))).toEqual(
      expect.arrayContaining([
        [1, 'duplicate'],
        [2, 'duplicate'],
      ]),
    );
  });

  it('of test mode are invented: no key meets a real person, and members are not shown', async () => {
    const test = await Staff.open(app, { workspace: staff.workspace, mode: 'test' });
    const { id } = await staff.workspace.member('member');
    const invented = await test.employee({ name: 'Invented', member_id: id });
    expect(invented).toMatchObject({ number: expect.stringMatching(/^TEST-E-\d+$/), member_id: id });
    expect(await test.get(`/employees/${invented.id}`)).toMatchObject({ member_id: null });
    expect(await test.list(`/employees?member_id=${id}`)).toEqual([]);
    expect(await test.list('/employees?limit=100')).toHaveLength(1);
    await test.department('Invented');
    await test.leave(invented, 'Sick leave', monday(2), monday(2));
    const lists = await Promise.all(['/employees', '/departments', '/leave-requests'].map((path) => test.list(path)));
    const nobody = { created_by: { type: 'user', id: null, email: null } };
    expect(lists).toMatchObject([[nobody], [nobody], [nobody]]);
    expect((await staff.api.get(`${EXT}/employees/${invented.id}`)).status).toBe(404);
  });
});

it('a bound key sees its people, and a foreign manager as null', async () => {
  const boss = await staff.employee({ project_id: staff.workspace.ops.id, name: 'Foreign Boss' });
  const lead = await staff.employee({ manager_id: boss.id, name: 'Lead' });
  const dev = await staff.employee({ manager_id: lead.id, name: 'Dev' });
  const team = await staff.department('Bound team', { head_id: boss.id });
  // has left, and only somebody elsewhere reports to them
  const left = await staff.employee({ name: 'Left lead' });
  await staff.employee({ project_id: staff.workspace.ops.id, manager_id: left.id });
  await staff.patch(`/employees/${left.id}`, { left_on: '2021-01-01' });
  expect(await staff.get(`/departments?name=Bound team`)).toMatchObject({ data: [{ head_id: boss.id, head_name: 'Foreign Boss' }] });
  const { client } = await staff.workspace.key({ module: 'hr', project_id: staff.project });
  const bound = async (path: string) => (await client.get(EXT + path)).body;
  expect(await staff.get(`/employees/${lead.id}`)).toMatchObject({ manager_id: boss.id, manager_name: 'Foreign Boss' });
  expect(await bound(`/employees/${lead.id}`)).toMatchObject({ manager_id: null, manager_name: null });
  expect(await bound(`/employees/${dev.id}`)).toMatchObject({ manager_id: lead.id, manager_name: 'Lead' });
  expect((await client.get(`${EXT}/employees/${boss.id}`)).status).toBe(404);
  expect(await bound(`/employees?manager_id=${boss.id}&include_total=true`)).toMatchObject({ data: [], total_count: 0 });
  expect((await bound('/departments')).data).toContainEqual(expect.objectContaining({ id: team.id, head_id: null, head_name: null }));
  const { nodes } = await bound('/org-chart?depth=5');
  expect(nodes).toContainEqual(expect.objectContaining({ id: lead.id, manager_id: null, level: 1, report_count: 1 }));
  expect(nodes).toContainEqual(expect.objectContaining({ id: dev.id, manager_id: lead.id, level: 2 }));
  expect(nodes).not.toContainEqual(expect.objectContaining({ id: left.id }));
  expect((await staff.get('/org-chart')).nodes).toContainEqual(expect.objectContaining({ id: left.id, report_count: 1 }));
  expect(JSON.stringify([nodes, await bound('/employees?limit=100'), await staff.events('employee.created', lead.id)])).not.toContain(
    boss.id,
  );
  expect((await client.get(`${EXT}/org-chart?root_id=${boss.id}`)).body.error).toMatchObject({
    code: 'validation_failed',
    param: 'root_id',
  });
  expect((await staff.get(`/org-chart?root_id=${boss.id}&depth=5`)).nodes).toMatchObject([
    { id: boss.id, level: 1 },
    { id: lead.id, manager_id: boss.id, level: 2 },
    { id: dev.id, level: 3 },
  ]);
});
