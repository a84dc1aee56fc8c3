import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../../test/harness/api-document.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { EXT_HR as EXT, monday, NEXT_YEAR as YEAR, ORG_HR as ORG, plus, Staff } from '../testing/hr-fixture.js';

const app = await sharedApp();
const staff = await Staff.open(app);

const recompute = () => app.runScheduledJob('hr.recompute_leave');
const leaveOf = (employee: Json, type: string, starts_on: string, ends_on: string) => ({
  employee_id: employee.id,
  leave_type_id: staff.types[type],
  starts_on,
  ends_on,
});

describe('leave', () => {
  it('that is entered for somebody who is no employee names the field', async () => {
    const body = { employee_id: staff.types.Vacation, leave_type_id: staff.types.Vacation, starts_on: monday(6), ends_on: monday(6) };
    expect(await staff.refused('/leave-requests', body)).toEqual([400, 'validation_failed', 'employee_id']);
  });

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
    expect((await staff.events('leave_request.status_changed', request.id)).map(({ context }) => context)).toEqual([
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
    expect(seen).toMatchObject([{ leave_type_id: null, leave_type_name: null, reason: null }]);
    const own = (await person.screen.get(`${ORG}/me/leave-requests?status=approved`)).body.data;
    expect(own).toMatchObject([{ leave_type_id: sick.leave_type_id, leave_type_name: 'Sick leave', reason: 'Migraine' }]);
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
    // who polls for changes names no period; .NET and Go send the year 1 for "never"
    for (const since of ['2000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00'])
      expect(await staff.list(`/absences?updated_after=${encodeURIComponent(since)}&department_id=${below.id}`)).toHaveLength(2);
    expect(await staff.list(`/absences?updated_after=9999-01-01T00:00:00Z&department_id=${below.id}`)).toEqual([]);
    const unlimited = (await staff.api.get(`${EXT}/absences`)).body.error;
    expect(unlimited).toMatchObject({ code: 'missing_fields', param: 'from', message: 'from is required without updated_after' });
    for (const year of ['0000', '10000'])
      expect((await staff.api.get(`${EXT}/absences?updated_after=${year}-01-01T00:00:00Z`)).body.error.param).toBe('updated_after');
    for (const [path, param] of [
      ['/absences?from=9999-12-01&to=9999-12-31', 'from'],
      ['/leave-requests?from=0000-01-01', 'from'],
      ['/holidays?to=10000-01-01', 'to'],
    ])
      expect((await staff.api.get(EXT + path)).body.error).toMatchObject({ code: 'validation_failed', param });
    // filters only compare these days
    for (const path of ['/leave-requests', '/holidays']) {
      expect(await staff.list(`${path}?from=0001-01-01&to=9999-12-31`)).toEqual(await staff.list(path));
      expect(await staff.list(`${path}?to=0001-01-01`)).toEqual([]);
    }
  });
});

it('sick leave shows as absence; its type is nowhere, and filtering by it is like filtering by an unknown one', async () => {
  const sick = await staff.employee();
  const starts_on = monday(2);
  const { id } = await staff.leave(sick, 'Sick leave', starts_on, plus(starts_on, 4), { reason: 'Flu' });
  const type = staff.types['Sick leave'];
  const [absence] = (await staff.list(`/absences?from=${starts_on}&to=${starts_on}`)).filter(({ employee_id }) => employee_id === sick.id);
  expect(absence).toMatchObject({ id, employee_name: sick.name, starts_on, ends_on: plus(starts_on, 4), half_day: null });
  // no version and no times: leave that was approved without a decision would have its first version
  const names = 'department_id employee_id employee_name ends_on half_day id object project_id starts_on';
  expect(Object.keys(absence).sort()).toEqual(names.split(' '));
  for (const filter of ['created_after', 'created_before']) {
    const path = `${EXT}/absences?from=${starts_on}&to=${starts_on}&${filter}=2026-01-01T00:00:00Z`;
    expect((await staff.api.get(path)).body.error).toMatchObject({ code: 'validation_failed', param: filter });
  }
  const updatedAfter = async (time: string) =>
    (await staff.list(`/absences?from=${starts_on}&to=${starts_on}&updated_after=${time}`)).map((one) => one.id);
  expect(await updatedAfter('2026-01-01T00:00:00Z')).toContain(id);
  expect(await updatedAfter(new Date(Date.now() + 60_000).toISOString())).toEqual([]);
  const request = await staff.get(`/leave-requests/${id}`);
  expect(request).toMatchObject({ status: 'approved', days: '5', leave_type_id: null, leave_type_name: null, leave_type_hidden: true });
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
    await staff.events('leave_request.created', id),
  ]);
  expect(shown).not.toContain(type);
  expect(shown).not.toMatch(/Sick|Flu/);
  // the filter does not even read the rows of a hidden type, so its time tells nothing
  for (const table of ['hr_leave_requests', 'hr_leave_accounts']) {
    const { rowCount } = await app.sql.query(`SELECT 1 FROM ${table} WHERE shown_leave_type_id = $1`, [type]);
    expect([table, rowCount]).toEqual([table, 0]);
  }
  // those who decide see all of it, and a type that becomes hidden disappears at once
  expect(await staff.screen.get(`${ORG}/leave-requests/${id}`)).toMatchObject({
    body: { leave_type_id: type, leave_type_name: 'Sick leave', reason: 'Flu' },
  });
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
