import {
  DepartmentsService,
  EmployeesService,
  HrSetup,
  LeaveRequestsService,
  PrivateDataService,
  seedHr,
  seedSmallTeam,
  setUpHrDemo,
} from '../modules/hr/hr.public.js';
import { PEOPLE } from './people.js';
import type { ModuleSeeder } from './tasks.js';

/** Seeds the people of the project OPS, and a team of ENG whose manager is in OPS, for the bound key. */
export const seedHrDemo: ModuleSeeder = async (app, ctx, { projects, members }) => {
  const services = {
    employees: app.get(EmployeesService),
    departments: app.get(DepartmentsService),
    privateData: app.get(PrivateDataService),
    leave: app.get(LeaveRequestsService),
  };
  const idsOfMembers = Object.fromEntries(
    Object.entries(PEOPLE).map(([name, { email }]) => [name, members.find((member) => member.email === email)?.id as string]),
  );
  const today = new Date().toISOString().slice(0, 10);
  const [ada, grace] = [PEOPLE.ada, PEOPLE.grace].map(({ email }) => members.find((member) => member.email === email) ?? members[0]);
  for (const { id } of projects) await setUpHrDemo(app.get(HrSetup), ctx.as(grace, 'live'), id, today);
  for (const mode of ['live', 'test'] as const) {
    const actAs = (name: 'ada' | 'grace') => ctx.as(name === 'ada' ? ada : grace, mode);
    let ids: Readonly<Record<string, string>> = {};
    const [ops, eng] = ['OPS', 'ENG'].map((key) => projects.find((project) => project.key === key));
    if (ops) ids = await seedHr(services, { actAs, members: mode === 'live' ? idsOfMembers : {} }, ops.id, today);
    if (eng) await seedSmallTeam(services, actAs('grace'), eng.id, ids.ada);
  }
  ctx.asSystem();
};
