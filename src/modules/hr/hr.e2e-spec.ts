import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../../../test/kit/api-document.js';
import { eventually } from '../../../test/kit/eventually.js';
import { sharedApp } from '../../../test/kit/hosted-app.js';
import { EXT_HR as EXT, ORG_HR as ORG, Staff } from '../../../test/kit/hr-fixture.js';

const app = await sharedApp();
let staff: Staff;
/** A year whose leave has not begun, with the first and last day of leave years around it. */
const YEAR = new Date().getUTCFullYear() + 1;

beforeAll(async () => {
  staff = await Staff.open(app);
});

const recompute = () => app.runScheduledJob('hr.recompute_leave');
const events = async (type: string, id: string) =>
  (
    await app.sql.query<{ data: { object: Json; context: Json; previous_attributes: Json } }>(
      `SELECT body::jsonb -> 'data' AS data FROM outbox_events
       WHERE type = $1 AND body::jsonb #>> '{data,object,id}' = $2 ORDER BY sequence`,
      [type, id],
    )
  ).rows.map(({ data }) => data);
/** The first Monday of a month. */
const monday = (month: number, week = 0) => {
  const day = new Date(Date.UTC(YEAR, month - 1, 1));
  day.setUTCDate(1 + ((8 - day.getUTCDay()) % 7) + 7 * week);
  return day.toISOString().slice(0, 10);
};
const plus = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

describe('stories', () => {
  it('sick leave shows as absence; its type is nowhere, and filtering by it is like filtering by an unknown one', async () => {
    const sick = await staff.employee();
    const starts_on = monday(2);
    const { id } = await staff.leave(sick, 'Sick leave', starts_on, plus(starts_on, 4), { reason: 'Flu' });
    const type = staff.types['Sick leave'];
    const [absence] = (await staff.list(`/absences?from=${starts_on}&to=${starts_on}`)).filter(
      ({ employee_id }) => employee_id === sick.id,
    );
    expect(absence).toMatchObject({ id, employee_name: sick.name, starts_on, ends_on: plus(starts_on, 4), half_day: null });
    // no version and no times: leave that was approved without a decision would have its first version
    const names = 'object id project_id employee_id employee_name department_id starts_on ends_on half_day';
    expect(Object.keys(absence)).toEqual(names.split(' '));
    for (const filter of ['created_after', 'created_before', 'updated_after']) {
      const path = `${EXT}/absences?from=${starts_on}&to=${starts_on}&${filter}=2026-01-01T00:00:00Z`;
      expect((await staff.api.get(path)).body.error).toMatchObject({ code: 'validation_failed', param: filter });
    }
    const request = await staff.get(`/leave-requests/${id}`);
    expect(request).toMatchObject({ status: 'approved', days: '5', leave_type_id: null, leave_type_hidden: true });
    const unknown = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e50';
    for (const list of ['leave-requests', 'leave-balances']) {
      const asked = await Promise.all(
        [type, unknown].map(async (one) => (await staff.get(`/${list}?leave_type_id=${one}&include_total=true`)) as Json),
      );
      expect(asked[0]).toEqual({ ...asked[1], data: [], total_count: 0, has_more: false, next_cursor: null });
    }
    const shown = JSON.stringify([
      await staff.get('/leave-types'),
      await staff.get('/leave-balances?limit=100'),
      await staff.get('/leave-requests?limit=100'),
      await events('leave_request.created', id),
    ]);
    expect(shown).not.toContain(type);
    expect(shown).not.toMatch(/Sick|Flu/);
    // the filter does not even read the rows of a hidden type, so its time tells nothing
    for (const table of ['hr_leave_requests', 'hr_leave_accounts']) {
      const { rowCount } = await app.sql.query(`SELECT 1 FROM ${table} WHERE shown_leave_type_id = $1`, [type]);
      expect([table, rowCount]).toEqual([table, 0]);
    }
    // those who decide see all of it, and a type that becomes hidden disappears at once
    expect(await staff.screen.get(`${ORG}/leave-requests/${id}`)).toMatchObject({ body: { leave_type_id: type, reason: 'Flu' } });
    const extra = await staff.leaveType('Study leave', { allow_negative: true });
    const { id: study } = await staff.leave(sick, extra.id, monday(3), monday(3));
    expect((await staff.get(`/leave-requests/${study}`)).leave_type_id).toBe(extra.id);
    await staff.patch(`/leave-types/${extra.id}`, { hidden: true });
    expect(await staff.get(`/leave-requests/${study}`)).toMatchObject({ leave_type_id: null, leave_type_hidden: true });
    expect((await staff.list(`/leave-balances?employee_id=${sick.id}`)).map(({ leave_type_id }) => leave_type_id)).not.toContain(extra.id);
  });

  it('a holiday inside approved leave: one day returns; balance and carry-over agree', async () => {
    const person = await staff.employee();
    // from the last week of a year into the next one
    const starts_on = `${YEAR}-12-20`;
    const ends_on = `${YEAR + 1}-01-10`;
    await staff.entry(person, 'Vacation', 'grant', '25', { on: `${YEAR + 1}-01-01`, expires_on: `${YEAR + 1}-12-31` });
    const { id, days } = await staff.approved(person, 'Vacation', starts_on, ends_on);
    const before = [await staff.balance(person, 'Vacation', `${YEAR}-12-31`), await staff.balance(person, 'Vacation', `${YEAR + 1}-02-01`)];
    const free = [`${YEAR}-12-27`, `${YEAR}-12-28`, `${YEAR}-12-29`].find((day) => ![0, 6].includes(new Date(day).getUTCDay())) as string;
    const holiday = await staff.post('/holidays', { calendar_id: staff.calendar, on: free, name: 'Jubilee' });
    await recompute();
    expect((await staff.get(`/leave-requests/${id}`)).days).toBe(String(Number(days) - 1));
    const after = [await staff.balance(person, 'Vacation', `${YEAR}-12-31`), await staff.balance(person, 'Vacation', `${YEAR + 1}-02-01`)];
    const available = (balance: Json) => Number(balance.available);
    expect(available(after[0]) - available(before[0])).toBe(1);
    // five days at most are carried over, and they were already before
    expect([before[1].carried_over, after[1].carried_over]).toEqual(['5', '5']);
    const { data } = (await staff.screen.get(`${ORG}/leave-ledger?employee_id=${person.id}&kind=use&limit=100`)).body;
    expect((data as Json[]).filter(({ on }) => on === free).map((entry) => entry.days)).toEqual(expect.arrayContaining(['1', '-1']));
    await staff.screen.delete(`${ORG}/holidays/${holiday.id}`);
    await recompute();
    expect((await staff.get(`/leave-requests/${id}`)).days).toBe(days);
    expect(await staff.balance(person, 'Vacation', `${YEAR}-12-31`)).toMatchObject({ available: before[0].available });
  });

  it('a holiday inside approved leave counts by the working week of the approval', async () => {
    const person = await staff.employee();
    const day = monday(10, 1);
    const { id } = await staff.approved(person, 'Vacation', day, plus(day, 4));
    const pending = await staff.leave(person, 'Vacation', plus(day, 7), plus(day, 11));
    await staff.patch(`/employees/${person.id}`, { working_week: [2, 2, 2, 0, 0, 0, 0] });
    const free = await staff.post('/holidays', { calendar_id: staff.calendar, on: day, name: 'Founding day' });
    await recompute();
    expect([(await staff.get(`/leave-requests/${id}`)).days, (await staff.get(`/leave-requests/${pending.id}`)).days]).toEqual(['4', '3']);
    await staff.screen.delete(`${ORG}/holidays/${free.id}`);
  });

  it('five days expire on March 31: leave in March uses them first', async () => {
    const person = await staff.employee();
    const { id: type } = await staff.leaveType('Story leave', { days_per_year: '25' });
    await staff.entry(person, type, 'carry_over', '5', { on: `${YEAR}-01-01`, expires_on: `${YEAR}-03-31` });
    // approved first, and later in the year
    await staff.approved(person, type, monday(5), plus(monday(5), 2));
    await staff.approved(person, type, monday(3), plus(monday(3), 2));
    const april = { granted: '25', carried_over: '5', expired: '2', taken: '3', planned: '3', available: '22' };
    expect(await staff.balance(person, type, `${YEAR}-04-01`)).toMatchObject(april);
    expect(await staff.balance(person, type, `${YEAR}-03-31`)).toMatchObject({ expired: '0', available: '24' });
    // one day is left for April; the two that would have expired do not count
    await staff.entry(person, type, 'adjustment', '-21', { on: `${YEAR}-05-01` });
    const body = { employee_id: person.id, leave_type_id: type, starts_on: monday(4), ends_on: plus(monday(4), 4) };
    const refused = await staff.screen.post(`${ORG}/leave-requests`, body);
    expect(refused.body.error).toMatchObject({ code: 'insufficient_leave', available: '1' });
    // the day comes: what is left of the five expires, once, and a day of March that returns does so too
    const march = await staff.approved(person, type, monday(3, 1), monday(3, 1));
    await app.runScheduledJob('hr.expire_leave', new Date(`${YEAR}-04-01T12:00:00Z`));
    await app.runScheduledJob('hr.expire_leave', new Date(`${YEAR}-04-02T12:00:00Z`));
    const expiries = async () => {
      const { data } = (await staff.screen.get(`${ORG}/leave-ledger?employee_id=${person.id}&leave_type_id=${type}&kind=expiry`)).body;
      // the year before ended with what was granted in it
      return (data as Json[]).filter(({ on }) => on !== `${YEAR}-01-01`).map(({ on, days }) => [on, days]);
    };
    expect(await expiries()).toEqual([[`${YEAR}-04-01`, '-1']]);
    await staff.post(`/leave-requests/${march.id}/withdraw`);
    await app.sql.query(`UPDATE hr_leave_accounts SET next_expiry_on = $2 WHERE employee_id = $1`, [person.id, `${YEAR}-03-31`]);
    await app.runScheduledJob('hr.expire_leave', new Date(`${YEAR}-04-03T12:00:00Z`));
    expect(await expiries()).toEqual([
      [`${YEAR}-04-01`, '-1'],
      [`${YEAR}-04-01`, '-1'],
    ]);
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
    const { client } = await staff.workspace.key({ module: 'hr', project_id: staff.project });
    const bound = async (path: string) => (await client.get(EXT + path)).body;
    expect(await staff.get(`/employees/${lead.id}`)).toMatchObject({ manager_id: boss.id });
    expect(await bound(`/employees/${lead.id}`)).toMatchObject({ manager_id: null });
    expect(await bound(`/employees/${dev.id}`)).toMatchObject({ manager_id: lead.id });
    expect((await client.get(`${EXT}/employees/${boss.id}`)).status).toBe(404);
    expect(await bound(`/employees?manager_id=${boss.id}&include_total=true`)).toMatchObject({ data: [], total_count: 0 });
    expect((await bound('/departments')).data).toContainEqual(expect.objectContaining({ id: team.id, head_id: null }));
    const { nodes } = await bound('/org-chart?depth=5');
    expect(nodes).toContainEqual(expect.objectContaining({ id: lead.id, manager_id: null, level: 1, report_count: 1 }));
    expect(nodes).toContainEqual(expect.objectContaining({ id: dev.id, manager_id: lead.id, level: 2 }));
    expect(nodes).not.toContainEqual(expect.objectContaining({ id: left.id }));
    expect((await staff.get('/org-chart')).nodes).toContainEqual(expect.objectContaining({ id: left.id, report_count: 1 }));
    expect(JSON.stringify([nodes, await bound('/employees?limit=100'), await events('employee.created', lead.id)])).not.toContain(boss.id);
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
});

const leaveOf = (employee: Json, type: string, starts_on: string, ends_on: string) => ({
  employee_id: employee.id,
  leave_type_id: staff.types[type],
  starts_on,
  ends_on,
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
    expect((await events('employee.status_changed', one.id)).map(({ context }) => context)).toEqual([
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
    expect((await events('employee.status_changed', soon.id)).map(({ context }) => context.to)).toEqual(['active', 'left']);
    const internal = await app.sql.query<{ type: string }>(
      `SELECT type FROM outbox_events WHERE type IN ('employee.hired', 'employee.left') AND body::jsonb #>> '{data,id}' = $1
         OR type IN ('employee.hired', 'employee.left') AND body::jsonb #>> '{data,object,id}' = $1 ORDER BY sequence`,
      [soon.id],
    );
    expect(internal.rows.map(({ type }) => type)).toEqual(['employee.hired', 'employee.left']);
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

describe('leave', () => {
  it('is decided by the manager, never by oneself, and by nobody else', async () => {
    const boss = await staff.member();
    const person = await staff.member({ manager_id: boss.employee.id });
    const other = await staff.member();
    const [starts_on, ends_on] = [monday(6), plus(monday(6), 4)];
    const body = { leave_type_id: staff.types.Vacation, starts_on, ends_on, half_day: 'end', reason: 'Wedding' };
    const request = await staff.post('/me/leave-requests', body, person.screen);
    expect(request).toMatchObject({ status: 'pending', days: '4.5', reason: 'Wedding', decided_at: null });
    const approve = `/leave-requests/${request.id}/approve`;
    expect(await staff.refused(approve, {}, person.screen)).toEqual([403, 'permission_denied', undefined]);
    expect(await staff.refused(approve, {}, other.screen)).toEqual([404, 'not_found', undefined]);
    expect((await person.screen.get(`${ORG}/leave-requests/${request.id}`)).status).toBe(403);
    const { data } = (await boss.screen.get(`${ORG}/me/reports/leave-requests?status=pending`)).body;
    expect(data).toMatchObject([{ id: request.id, reason: 'Wedding' }]);
    expect((await boss.screen.get(`${ORG}/me/reports`)).body.data).toMatchObject([{ id: person.employee.id }]);
    const approved = await staff.post(approve, { note: 'Enjoy' }, boss.screen);
    expect(approved).toMatchObject({ status: 'approved', note: 'Enjoy', decided_by: { type: 'user' } });
    expect((await events('leave_request.status_changed', request.id)).map(({ context }) => context)).toEqual([
      { from: 'pending', to: 'approved', trigger: 'approve' },
    ]);
    const mine = (await person.screen.get(`${ORG}/me/leave-balances?as_of=${YEAR}-01-01`)).body.data as Json[];
    expect(mine.find(({ leave_type_id }) => leave_type_id === staff.types.Vacation)).toMatchObject({
      planned: '4.5',
      available: expect.any(String),
    });
    expect(await staff.refused(`/leave-requests/${request.id}/reject`, {}, boss.screen)).toEqual([400, 'invalid_transition', undefined]);
    expect(await staff.post(`/leave-requests/${request.id}/withdraw`, {}, person.screen)).toMatchObject({ status: 'cancelled' });
    expect(await staff.balance(person.employee, 'Vacation', `${YEAR}-01-01`)).toMatchObject({ planned: '0' });
    // what they are ill with is none of the manager's business
    const sick = { leave_type_id: staff.types['Sick leave'], starts_on: monday(7), ends_on: monday(7), reason: 'Migraine' };
    await staff.post('/me/leave-requests', sick, person.screen);
    const seen = (await boss.screen.get(`${ORG}/me/reports/leave-requests?status=approved`)).body.data;
    expect(seen).toMatchObject([{ leave_type_id: null, reason: null }]);
  });

  it('that has begun is withdrawn by others alone', async () => {
    const clerk = await staff.workspace.member('admin');
    const own = await staff.employee({ member_id: clerk.id });
    const screen = await staff.workspace.signIn(clerk.email);
    const today = new Date().toISOString().slice(0, 10);
    const body = { leave_type_id: staff.types['Sick leave'], starts_on: plus(today, -7), ends_on: plus(today, 7) };
    const { id } = await staff.post('/me/leave-requests', body, screen);
    expect(await staff.refused(`/leave-requests/${id}/withdraw`, {}, screen)).toEqual([400, 'invalid_transition', undefined]);
    expect(await staff.post(`/leave-requests/${id}/withdraw`)).toMatchObject({ employee_id: own.id, status: 'cancelled' });
  });

  it('never overlaps, not even by half a day or at the same moment', async () => {
    const person = await staff.employee();
    const day = monday(9);
    const submit = (starts_on: string, ends_on: string, half_day?: string) =>
      staff.screen.post(`${ORG}/leave-requests`, { ...leaveOf(person, 'Unpaid leave', starts_on, ends_on), half_day });
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(day, plus(day, 2))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.error.code))).toEqual(new Set(['leave_overlap']));
    expect((await submit(plus(day, 3), plus(day, 3), 'end')).status).toBe(201);
    expect((await submit(plus(day, 3), plus(day, 4), 'start')).status).toBe(201);
    expect((await submit(plus(day, 3), plus(day, 3))).body.error.code).toBe('leave_overlap');
    expect((await submit(plus(day, 5), plus(day, 6))).body.error).toMatchObject({ code: 'validation_failed', param: 'ends_on' });
  });

  it('takes no day twice: two pending requests cannot both have the last ones', async () => {
    const person = await staff.employee();
    await staff.entry(person, 'Vacation', 'adjustment', '-22', { on: `${YEAR}-01-01` });
    const first = await staff.leave(person, 'Vacation', monday(8), plus(monday(8), 1));
    const second = leaveOf(person, 'Vacation', monday(8, 1), plus(monday(8, 1), 1));
    const refused = await staff.screen.post(`${ORG}/leave-requests`, second);
    expect(refused.body.error).toMatchObject({ code: 'insufficient_leave', available: '1' });
    await staff.post(`/leave-requests/${first.id}/reject`);
    expect((await staff.screen.post(`${ORG}/leave-requests`, second)).status).toBe(201);
  });

  it('absences are listed by department and those below it, with pages', async () => {
    const top = await staff.department('Absence top');
    const below = await staff.department('Absence below', { parent_id: top.id });
    const day = monday(10);
    const away: string[] = [];
    for (let number = 0; number < 5; number++) {
      const person = await staff.employee({ department_id: number % 2 ? top.id : below.id });
      away.push((await staff.approved(person, 'Unpaid leave', plus(day, -number), plus(day, number))).id);
      await staff.leave(person, 'Unpaid leave', plus(day, 21), plus(day, 22));
    }
    const query = `/absences?from=${day}&to=${plus(day, 28)}&department_id=${top.id}&limit=2`;
    const found: string[] = [];
    for (let path: string | null = query; path !== null;) {
      const { data, next_cursor } = (await staff.get(path)) as { data: { id: string }[]; next_cursor: string | null };
      found.push(...data.map(({ id }) => id));
      path = next_cursor === null ? null : `${query}&cursor=${encodeURIComponent(next_cursor)}`;
    }
    expect(found).toEqual(away);
    expect(await staff.list(`/absences?from=${day}&to=${day}&department_id=${below.id}`)).toHaveLength(3);
    // who has left before it begins is not away
    const leaver = await staff.employee({ department_id: below.id });
    await staff.approved(leaver, 'Unpaid leave', day, plus(day, 1));
    await staff.patch(`/employees/${leaver.id}`, { left_on: plus(day, -1) });
    expect(await staff.list(`/absences?from=${day}&to=${day}&department_id=${below.id}`)).toHaveLength(3);
    // leave follows its employee to another department
    const [moved] = await staff.list(`/absences?from=${day}&to=${day}&department_id=${below.id}`);
    await staff.patch(`/employees/${moved.employee_id as string}`, { department_id: top.id });
    expect(await staff.list(`/absences?from=${day}&to=${day}&department_id=${below.id}`)).toHaveLength(2);
    expect((await staff.api.get(`${EXT}/absences?from=${day}`)).body.error).toMatchObject({ code: 'missing_fields', param: 'to' });
    for (const [path, param] of [
      ['/absences?from=9999-12-01&to=9999-12-31', 'from'],
      ['/leave-requests?from=0001-01-01', 'from'],
      ['/leave-requests?to=9999-12-31', 'to'],
    ])
      expect((await staff.api.get(EXT + path)).body.error).toMatchObject({ code: 'validation_failed', param });
  });
});

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
  await eventually(left, (total) => total === 0, 15_000);
  expect([await test.list('/employees'), await test.list('/departments'), await live.list('/employees')]).toMatchObject([[], [], [{}, {}]]);
});
