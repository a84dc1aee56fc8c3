import type { Ctx, ModuleDemo } from '../../kit/index.js';
import { DepartmentsService } from './departments/departments.service.js';
import { EmployeesService } from './employees/employees.service.js';
import { PrivateDataService } from './employees/private-data.service.js';
import { LeaveRequestsService } from './leave/leave-requests.service.js';
import { dayNumber, dayOf, weekdayOf } from './model/days.js';
import { HrSetup } from './setup/setup.service.js';

/** The services that create the demo data. */
interface HrSeeding {
  employees: EmployeesService;
  departments: DepartmentsService;
  privateData: PrivateDataService;
  leave: LeaveRequestsService;
}

/** The actors and members of the demo, by first name. */
interface HrCast {
  /** The context of somebody other than the named person who manages employees and decides on leave. */
  actAs(firstName: 'ada' | 'grace'): Ctx;
  /** The members among the employees; none in test mode, whose people are invented. */
  members: Readonly<Record<string, string>>;
}

/** Name and position; the second name is that of test mode. */
const STAFF = {
  ada: ['Ada Osei', 'Inga Probst', 'Managing director', 'Management', null],
  grace: ['Grace Lindqvist', 'Runa Attrap', 'Head of Engineering', 'Engineering', 'ada'],
  nadia: ['Nadia Brandt', 'Cleo Fictus', 'Head of Sales', 'Sales', 'ada'],
  liam: ['Liam Ortega', 'Otis Specimen', 'Developer', 'Engineering', 'grace'],
  mei: ['Mei Tanaka', 'Mila Sample', 'Designer', 'Engineering', 'grace'],
  jonas: ['Jonas Weber', 'Joost Dummy', 'Tester', 'Engineering', 'grace'],
  sofia: ['Sofia Marin', 'Sina Invent', 'Account manager', 'Sales', 'nadia'],
  pavel: ['Pavel Horák', 'Pim Imaginary', 'Account manager', 'Sales', 'nadia'],
  amara: ['Amara Diallo', 'Ayla Example', 'Developer', 'Engineering', 'grace'],
} as const;
type Name = keyof typeof STAFF;

const HIRED_ON = '2021-04-01';
const HOLIDAYS = [
  ['01-01', "New Year's Day"],
  ['05-01', 'Labour Day'],
  ['10-03', 'German Unity Day'],
  ['12-25', 'Christmas Day'],
  ['12-26', "St Stephen's Day"],
] as const;

/** The holidays of this and the next year. */
export async function setUpHrDemo(setup: HrSetup, ctx: Ctx, projectId: string, today: string): Promise<void> {
  const [calendar] = await setup.calendars(ctx, projectId);
  for (const year of [Number(today.slice(0, 4)), Number(today.slice(0, 4)) + 1])
    for (const [day, name] of HOLIDAYS) await setup.createHoliday(ctx, { calendar_id: calendar.id, on: `${year}-${day}`, name });
}

/** Creates nine people on three levels, with leave in each status; somebody in Engineering is away next week. Returns their ids. */
export async function seedHr(
  services: HrSeeding,
  { actAs, members }: HrCast,
  project_id: string,
  today: string,
): Promise<Readonly<Record<string, string>>> {
  const hr = () => actAs('grace');
  const { mode } = hr();
  const departments: Record<string, string> = {};
  for (const name of ['Management', 'Engineering', 'Sales'])
    departments[name] = (await services.departments.create(hr(), { project_id, name })).id;
  const ids: Record<string, string> = {};
  for (const [name, [live, test, position, department, manager]] of Object.entries(STAFF)) {
    const shown = mode === 'live' ? live : test;
    const employee = await services.employees.create(hr(), {
      project_id,
      name: shown,
      // a reserved domain, so that nobody writes to a real person
      work_email: `${addressOf(shown)}@demo.example`,
      position,
      department_id: departments[department],
      manager_id: manager === null ? null : ids[manager],
      member_id: members[name] ?? null,
      hired_on: name === 'amara' ? dayOf(dayNumber(today) + 40) : HIRED_ON,
      ...(name === 'jonas' ? { employment_type: 'part_time' as const, working_week: [2, 2, 2, 1, 0, 0, 0] } : {}),
    });
    ids[name] = employee.id;
  }
  for (const [department, head] of [
    ['Engineering', 'grace'],
    ['Sales', 'nadia'],
  ])
    await services.departments.update(hr(), departments[department], { head_id: ids[head] });
  await seedLeave(services, actAs, project_id, ids, today);
  const contact = { emergency_contact_name: 'Invented Contact', emergency_contact_phone: '+49 30 5550100' };
  await services.privateData.update(hr(), ids.mei, { birth_on: '1990-05-17', private_address: 'Musterweg 1, 10115 Berlin', ...contact });
  return ids;
}

async function seedLeave(
  { leave }: HrSeeding,
  actAs: HrCast['actAs'],
  projectId: string,
  ids: Readonly<Record<string, string>>,
  today: string,
): Promise<void> {
  const types = await leave.typesOf(actAs('grace'), projectId);
  const nextMonday = dayNumber(today) + 7 - weekdayOf(dayNumber(today));
  const submit = (name: Name, type: string, from: number, to: number, reason?: string) => {
    const span = { starts_on: dayOf(nextMonday + from), ends_on: dayOf(nextMonday + to) };
    return leave.submit(actAs('grace'), ids[name], { leave_type_id: types[type], ...span, reason });
  };
  // nobody may decide on their own leave, so the context changes with `actAs`
  const holiday = await submit('grace', 'Vacation', 0, 4);
  await leave.decide(actAs('ada'), holiday.id, 'approve', 'Enjoy');
  const unpaid = await submit('liam', 'Unpaid leave', 2, 3);
  await leave.decide(actAs('grace'), unpaid.id, 'approve', null);
  await submit('mei', 'Vacation', 14, 18, 'Family visit');
  const refused = await submit('jonas', 'Vacation', 7, 11);
  await leave.decide(actAs('grace'), refused.id, 'reject', 'The release is that week');
  const withdrawn = await submit('sofia', 'Vacation', 21, 25);
  await leave.withdraw(actAs('grace'), withdrawn.id);
  await submit('pavel', 'Sick leave', -7, 1);
}

/** Creates an employee of the project ENG who reports to a manager in another project, and one who reports to them. */
export async function seedSmallTeam(
  { employees, departments }: HrSeeding,
  ctx: Ctx,
  project_id: string,
  managerId: string | undefined,
): Promise<void> {
  const { id: department_id } = await departments.create(ctx, { project_id, name: 'Platform' });
  const [lead, report] = ctx.mode === 'live' ? ['Elif Kaya', 'Tom Fischer'] : ['Eda Phantom', 'Timo Fabula'];
  const values = { project_id, department_id, hired_on: HIRED_ON };
  const mail = (name: string) => ({ name, work_email: `${addressOf(name)}@demo.example` });
  const { id } = await employees.create(ctx, { ...values, ...mail(lead), position: 'Team lead', manager_id: managerId });
  await employees.create(ctx, { ...values, ...mail(report), position: 'Developer', manager_id: id });
}

function addressOf(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\W+/g, '.');
}

/** The people of the project OPS, and a team of ENG whose manager is in OPS, for the bound key. */
export const HR_DEMO: ModuleDemo = {
  async seed(demo) {
    const services = {
      employees: demo.get(EmployeesService),
      departments: demo.get(DepartmentsService),
      privateData: demo.get(PrivateDataService),
      leave: demo.get(LeaveRequestsService),
    };
    // their addresses are the first names
    const members = Object.fromEntries(demo.members.map(({ id, email }) => [email.split('@')[0], id]));
    const today = new Date().toISOString().slice(0, 10);
    if (demo.isNew) for (const { id } of demo.projects) await setUpHrDemo(demo.get(HrSetup), demo.as('grace', 'live'), id, today);
    for (const mode of demo.modes) {
      const actAs = (name: 'ada' | 'grace') => demo.as(name, mode);
      let ids: Readonly<Record<string, string>> = {};
      const [ops, eng] = ['OPS', 'ENG'].map((key) => demo.projects.find((project) => project.key === key));
      if (ops) ids = await seedHr(services, { actAs, members: mode === 'live' ? members : {} }, ops.id, today);
      if (eng) await seedSmallTeam(services, actAs('grace'), eng.id, ids.ada);
    }
  },
};
