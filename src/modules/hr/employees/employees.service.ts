import { Injectable } from '@nestjs/common';
import {
  changedFrom,
  dayIn,
  definedOf,
  Members,
  own,
  Projects,
  sql,
  Store,
  table,
  type Condition,
  type Ctx,
  type Page,
  type Project,
  type Sql,
  type Tx,
} from '../../../kit/index.js';
import { LeaveAccounts } from '../balances/leave-accounts.js';
import { Department } from '../model/department.entity.js';
import { requireHrDay } from '../model/days.js';
import { Employee, NOT_LEFT } from '../model/employee.entity.js';
import { LeaveRequest } from '../model/leave-request.entity.js';
import { HolidayCalendar } from '../model/holiday-calendar.entity.js';
import { duplicateOf, HrErrors, invalid } from '../model/hr.errors.js';
import { FULL_WEEK, type EmployeeStatus } from '../model/values.js';
import { EmployeeDto, type CreateEmployeeDto, type UpdateEmployeeDto } from '../views/employee.dto.js';
import type { EmployeesQuery } from './employees.dto.js';
import { EmployeeEvents } from '../views/employee.events.js';

/** The fields of an employee except the project. */
export type EmployeeFields = Omit<CreateEmployeeDto, 'project_id'>;

/** The maximum depth of the hierarchy. */
const DEEPEST = 100;

/** Reads, creates and changes employees. */
@Injectable()
export class EmployeesService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly members: Members,
    private readonly accounts: LeaveAccounts,
  ) {}

  get(ctx: Ctx, id: string): Promise<Employee> {
    return this.store.get(ctx, Employee, id);
  }

  page(ctx: Ctx, query: EmployeesQuery, ...conditions: Condition<Employee>[]): Promise<Page<Employee>> {
    return this.store.page(ctx, Employee, query, ...filtersOf(ctx, query), ...conditions);
  }

  create(ctx: Ctx, { project_id, ...fields }: CreateEmployeeDto): Promise<Employee> {
    return this.store.write(ctx, async (tx) => {
      const project = await this.projects.resolve(ctx, project_id, [Department, fields.department_id]);
      const number = fields.number ?? (await nextNumber(ctx, tx));
      await requireNew(ctx, tx, { ...fields, number });
      const manager = await this.managerOf(tx, null, fields.manager_id);
      await this.requireReferences(ctx, tx, project.id, fields);
      const holiday_calendar_id =
        fields.holiday_calendar_id === undefined ? await firstCalendar(tx, project.id) : fields.holiday_calendar_id;
      requireDates(fields);
      const employee = await this.insertChecked(ctx, tx, project, { ...fields, number, holiday_calendar_id }, manager);
      await this.accounts.complete(tx, project.id, dayIn(project.timezone), [employee.id]);
      return employee;
    });
  }

  /** Creates an employee whose fields have been validated, without the leave accounts. */
  async insertChecked(
    ctx: Ctx,
    tx: Tx,
    project: Project,
    fields: EmployeeFields & { number: string },
    manager: Employee | null,
    { pipelined = false } = {},
  ): Promise<Employee> {
    const today = dayIn(project.timezone);
    const values: Partial<Employee> = {
      project_id: project.id,
      number: fields.number,
      name: fields.name,
      work_email: fields.work_email ?? null,
      work_phone: fields.work_phone ?? null,
      department_id: fields.department_id ?? null,
      position: fields.position ?? null,
      manager_id: manager?.id ?? null,
      manager_project_id: manager?.project_id ?? null,
      member_id: fields.member_id ?? null,
      status: statusOn(today, fields),
      employment_type: fields.employment_type ?? 'full_time',
      hired_on: fields.hired_on,
      left_on: fields.left_on ?? null,
      working_week: fields.working_week ?? FULL_WEEK,
      holiday_calendar_id: fields.holiday_calendar_id ?? null,
      anonymized_at: null,
      custom_fields: await tx.customFields.ofNew(Employee, fields.custom_fields, { projectId: project.id }),
      created_by: ctx.actor,
    };
    const employee = await (pipelined ? tx.advanced.pipelined : tx).insert(Employee, values);
    const object = EmployeeDto.ofEvent(employee);
    tx.emit(EmployeeEvents.employeeCreated, { object, projectId: project.id });
    if (employee.status === 'active' && employee.hired_on === today)
      tx.emit(EmployeeEvents.employeeHired, { object, projectId: project.id });
    return employee;
  }

  update(ctx: Ctx, id: string, body: UpdateEmployeeDto): Promise<Employee> {
    return this.store.write(ctx, async (tx) => {
      // before the row is locked: the hierarchy is changed by one transaction at a time
      if (body.manager_id) await lockManagerChain(ctx, tx);
      const employee = await tx.target(Employee, id);
      if (employee.anonymized_at !== null) throw invalid('id', 'is that of an employee whose personal data was removed');
      const { manager_id, custom_fields, ...rest } = body;
      const changes: Partial<Employee> = { ...rest, custom_fields: await tx.customFields.ofChanged(employee, custom_fields) };
      if (manager_id !== undefined) {
        const manager = await this.managerOf(tx, employee, manager_id);
        Object.assign(changes, { manager_id: manager?.id ?? null, manager_project_id: manager?.project_id ?? null });
      }
      const changed = { ...employee, ...definedOf(changes) } as Employee;
      requireDates(changed);
      await this.requireReferences(ctx, tx, employee.project_id, differing(employee, rest));
      const project = await this.projects.get(ctx, employee.project_id);
      const status = statusOn(dayIn(project.timezone), changed);
      // who comes back needs an e-mail address and a member that nobody has by now
      const returns = employee.status === 'left' && status !== 'left';
      await requireNew(ctx, tx, { ...(returns ? changed : differing(employee, rest)), id });
      return this.write(ctx, tx, employee, { ...changes, status }, 'update');
    });
  }

  /** Writes changes with the events that they cause. */
  async write(ctx: Ctx, tx: Tx, employee: Employee, changes: Partial<Employee>, trigger: 'day' | 'update'): Promise<Employee> {
    const before = EmployeeDto.ofEvent(employee);
    const changed = await tx.update(employee, changes);
    if (changed.version === employee.version) return changed;
    const object = EmployeeDto.ofEvent(changed);
    const projectId = changed.project_id;
    const previous = changedFrom(before, object);
    if (Object.keys(previous).length > 0 && trigger === 'update') tx.emit(EmployeeEvents.employeeUpdated, { object, previous, projectId });
    if (changed.status !== employee.status) {
      const context = { from: employee.status, to: changed.status, trigger };
      tx.emit(EmployeeEvents.employeeStatusChanged, { object, previous: { status: employee.status }, context, projectId });
      if (changed.status === 'left') tx.emit(EmployeeEvents.employeeLeft, { object, projectId });
      else if (employee.status === 'upcoming') tx.emit(EmployeeEvents.employeeHired, { object, projectId });
    }
    if (changes.working_week !== undefined || changes.holiday_calendar_id !== undefined)
      await tx.sql(
        sql`UPDATE ${table(LeaveRequest)} r SET recompute = true
          WHERE ${own('r')} AND r.employee_id = ${changed.id} AND r.status = 'pending'`,
      );
    if (changes.hired_on !== undefined || changes.left_on !== undefined) {
      const { timezone } = await this.projects.get(ctx, projectId);
      await this.accounts.complete(tx, projectId, dayIn(timezone), [changed.id]);
    }
    return changed;
  }

  /** The new manager, who must not report to the employee, directly or indirectly. */
  private async managerOf(tx: Tx, employee: Employee | null, managerId: string | null | undefined): Promise<Employee | null> {
    if (managerId === null || managerId === undefined) return null;
    const manager = await tx.reference(Employee, managerId, 'manager_id', NOT_LEFT);
    if (employee === null) return manager;
    const chain = await tx.sql<{ id: string }>(
      sql.inAllProjects('managers of managers may be in other projects')`WITH RECURSIVE above AS (
          SELECT e.id, e.manager_id, 1 AS level FROM ${table(Employee)} e WHERE e.id = ${managerId} AND ${own('e')}
          UNION ALL SELECT e.id, e.manager_id, a.level + 1 FROM ${table(Employee)} e JOIN above a ON e.id = a.manager_id
          WHERE a.level <= ${DEEPEST} AND ${own('e')})
        SELECT id FROM above`,
    );
    if (chain.some(({ id }) => id === employee.id) || chain.length > DEEPEST) throw HrErrors.managerCycle({ param: 'manager_id' });
    return manager;
  }

  private async requireReferences(ctx: Ctx, tx: Tx, projectId: string, fields: Partial<EmployeeFields>): Promise<void> {
    const { department_id, member_id, holiday_calendar_id } = fields;
    if (department_id) await tx.reference(Department, department_id, 'department_id', { projectId });
    if (holiday_calendar_id) await tx.reference(HolidayCalendar, holiday_calendar_id, 'holiday_calendar_id', { projectId });
    if (member_id && (await this.members.byIds(ctx, [member_id])).length === 0) throw invalid('member_id', 'must be a member');
  }
}

/** Serializes changes of the hierarchy within the organization. */
async function lockManagerChain(ctx: Ctx, tx: Tx): Promise<void> {
  await tx.advanced.mutex(`hr managers ${ctx.organizationId} ${ctx.mode}`);
}

const SERIES = 'hr employee';

/** The next number that nobody has: numbers are given by hand, too. `reserved` ones are left out as well. */
export async function nextNumber({ mode }: Ctx, tx: Tx, reserved: ReadonlySet<string> = new Set()): Promise<string> {
  const start = mode === 'test' ? 'TEST-E-' : 'E-';
  for (let isAdvanced = false; ;) {
    const next = await tx.next(SERIES, null);
    const number = `${start}${next}`;
    if (reserved.has(number)) continue;
    const taken = await tx.sql(
      sql.inAllProjects(
        'numbers are unique in the organization',
      )`SELECT FROM ${table(Employee)} e WHERE ${own('e')} AND e.number = ${number}`,
    );
    if (taken.length === 0) return number;
    if (isAdvanced) continue;
    const [{ highest }] = await tx.sql<{ highest: number | null }>(
      sql.inAllProjects(
        'numbers are unique in the organization',
      )`SELECT max(substr(e.number, length(${start}::text) + 1)::integer) AS highest FROM ${table(Employee)} e
        WHERE ${own('e')} AND e.number ~ ('^' || ${start} || '[0-9]{1,9}$')`,
    );
    await tx.advanced.advance(SERIES, null, Math.max(next, highest ?? 0), false);
    isAdvanced = true;
  }
}

export function statusOn(today: string, { hired_on, left_on }: { hired_on: string; left_on?: string | null }): EmployeeStatus {
  if (left_on && left_on < today) return 'left';
  return hired_on > today ? 'upcoming' : 'active';
}

export function requireDates({ hired_on, left_on }: { hired_on: string; left_on?: string | null }): void {
  requireHrDay('hired_on', hired_on);
  requireHrDay('left_on', left_on);
  if (left_on && left_on < hired_on) throw invalid('left_on', 'must not be before hired_on');
}

function differing(employee: Employee, body: Partial<EmployeeFields>): Partial<EmployeeFields> {
  const names = Object.keys(body) as (keyof EmployeeFields)[];
  return Object.fromEntries(names.filter((name) => body[name] !== employee[name]).map((name) => [name, body[name]]));
}

export async function firstCalendar(tx: Tx, project_id: string): Promise<string | null> {
  const [calendar] = await tx.list(HolidayCalendar, { project_id });
  return calendar?.id ?? null;
}

/** Whether the project to which the caller may be pinned is the employee's. */
export function isVisible({ projectId }: Ctx, { project_id }: Pick<Employee, 'project_id'>): boolean {
  return projectId === null || project_id === projectId;
}

/**
 * Throws 409 `duplicate` with the id of the employee who has the number, e-mail address or member, also if that one is created in the
 * meantime. The id of an employee beyond the caller's pin is left out.
 */
async function requireNew(
  ctx: Ctx,
  tx: Tx,
  { id, number, work_email, member_id }: Partial<Pick<EmployeeFields, 'number' | 'work_email' | 'member_id'>> & { id?: string },
): Promise<void> {
  tx.advanced.retryOnConflict();
  const isOther = sql`e.id IS DISTINCT FROM ${id ?? null}::uuid`;
  const rows = await tx.sql<{ id: string; project_id: string; param: 'number' | 'work_email' | 'member_id' }>(
    sql.inAllProjects('values that are unique in the organization')`SELECT e.id, e.project_id, 'number' AS param FROM ${table(Employee)} e
        WHERE ${own('e')} AND e.number = ${number ?? null} AND ${isOther}
      UNION ALL SELECT e.id, e.project_id, 'work_email' FROM ${table(Employee)} e
        WHERE ${own('e')} AND lower(e.work_email) = lower(${work_email ?? null}) AND e.status <> 'left' AND ${isOther}
      UNION ALL SELECT e.id, e.project_id, 'member_id' FROM ${table(Employee)} e
        WHERE ${own('e')} AND e.member_id = ${member_id ?? null} AND e.status <> 'left' AND ${isOther}`,
  );
  if (rows.length === 0) return;
  const [row] = rows;
  const value = { number, work_email, member_id }[row.param] as string;
  throw duplicateOf(row.param, value, isVisible(ctx, row) ? row.id : null, 'organization');
}

const HAS_STATUS: Readonly<Record<EmployeeStatus, Sql>> = {
  upcoming: sql`t.status = 'upcoming'`,
  active: sql`t.status = 'active'`,
  left: sql`t.status = 'left'`,
};

/** Conditions are literal where a partial index must match. A key that is bound to a project can filter only by managers in it. */
function filtersOf({ projectId, mode }: Ctx, { manager_id, status, work_email, member_id }: EmployeesQuery): Condition[] {
  const conditions: Condition[] = [];
  if (!status?.includes('left')) conditions.push(sql`t.status <> 'left'`);
  if (status)
    conditions.push(
      sql.join(
        status.map((one) => HAS_STATUS[one]),
        ' OR ',
      ),
    );
  if (manager_id) conditions.push(sql`t.manager_id = ANY(${manager_id})`);
  if (manager_id && projectId !== null) conditions.push(sql`t.manager_project_id = ${projectId}`);
  if (work_email) conditions.push(sql`lower(t.work_email) = ANY(${work_email.map((email) => email.toLowerCase())})`);
  if (member_id) conditions.push(mode === 'live' ? sql`t.member_id = ANY(${member_id})` : sql`false`);
  return conditions;
}
