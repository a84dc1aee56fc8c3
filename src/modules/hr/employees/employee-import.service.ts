import { Injectable } from '@nestjs/common';
import {
  CustomFieldCatalog,
  dayIn,
  Field,
  importResult,
  Members,
  notOfProject,
  own,
  pickOf,
  Projects,
  readImport,
  refusalOf,
  sql,
  Store,
  table,
  writeRows,
  type CsvSource,
  type Ctx,
  type ImportQuery,
  type Project,
  type Tx,
  type ValidRow,
} from '../../../kit/index.js';
import { LeaveAccounts } from '../balances/leave-accounts.js';
import { Department } from '../model/department.entity.js';
import { Employee } from '../model/employee.entity.js';
import { duplicateOf, HrErrors, invalid } from '../model/hr.errors.js';
import type { EmployeeImportDto } from './employee-import.dto.js';
import { CreateEmployeeDto } from '../views/employee.dto.js';
import { EmployeesService, firstCalendar, isVisible, nextNumber, requireDates, statusOn } from './employees.service.js';

/** The columns of a file. */
class EmployeeRowDto extends pickOf(CreateEmployeeDto, [
  'number',
  'name',
  'work_email',
  'work_phone',
  'position',
  'employment_type',
  'hired_on',
  'left_on',
  'custom_fields',
]) {
  @Field.string({
    description: 'Name of the department.',
    example: 'Engineering',
    maxLength: 100,
    required: false,
  })
  department?: string;

  @Field.string({
    description: 'Number of the manager.',
    example: 'E-1',
    maxLength: 32,
    required: false,
  })
  manager_number?: string;

  @Field.email({
    description: 'E-mail address of the member.',
    example: 'grace@example.com',
    required: false,
  })
  member_email?: string;
}

type Row = ValidRow<EmployeeRowDto>;
/** A row after that of its manager. */
type OrderedRow = Row & { isCircular: boolean };

/** The existing rows that a file refers to. */
interface Known {
  project: Project;
  calendarId: string | null;
  /** By lower-cased name. */
  departments: ReadonlyMap<string, string>;
  /** By lower-cased e-mail address. */
  members: ReadonlyMap<string, string>;
  /** Numbers in the file. */
  numbers: ReadonlySet<string>;
  /** Who has a given number, e-mail address or member: an employee's id, null if it is hidden from the caller, or a row of the file. */
  taken: Map<string, string | null>;
  /** Managers by number. */
  managers: Map<string, Employee>;
  /** The rows of the file that were refused, by number. */
  refused: Map<string, number>;
}

/** Creates employees from a file, managers before those who report to them. */
@Injectable()
export class EmployeeImport {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly members: Members,
    private readonly employees: EmployeesService,
    private readonly accounts: LeaveAccounts,
    private readonly customFields: CustomFieldCatalog,
  ) {}

  async run(ctx: Ctx, file: CsvSource, query: ImportQuery): Promise<EmployeeImportDto> {
    const { project_id, dry_run: isDryRun = false } = query;
    const project = await this.projects.resolve(ctx, project_id);
    const customFields = await this.customFields.columns(ctx, 'employee', project.id);
    const read = await readImport(EmployeeRowDto, file, { ...query, customFields });
    await this.store.write(ctx, async (tx) => {
      const known = await this.knownOf(ctx, tx, project, read.valid);
      for (const { row, value } of read.invalid) if (value.number !== undefined) known.refused.set(value.number, row);
      const created: string[] = [];
      await writeRows(tx, inOrder(read.valid), (row, again) => this.create(ctx, tx, row, known, again), {
        isDryRun,
        onWritten: ({ row, value }, employee) => {
          created.push(employee.id);
          for (const [, key] of takenBy(employee)) known.taken.set(key, `row ${row} of the file`);
          if (value.number !== undefined) known.managers.set(value.number, employee);
        },
        onRefusal: ({ row, value }, error) => {
          if (value.number !== undefined) known.refused.set(value.number, row);
          read.errors.push(refusalOf(row, error));
        },
      });
      // in a dry run as well, whose plan the real call has to match
      if (created.length > 0) await this.accounts.complete(tx, project.id, dayIn(project.timezone), created);
    });
    return { object: 'employee_import', ...importResult(read, isDryRun) };
  }

  private async create(ctx: Ctx, tx: Tx, { value, isCircular }: OrderedRow, known: Known, again: boolean): Promise<Employee> {
    if (isCircular) throw HrErrors.managerCycle({ param: 'manager_number' });
    const { department, manager_number, member_email, ...fields } = value;
    requireDates(fields);
    const department_id = department === undefined ? null : known.departments.get(department.toLowerCase());
    if (department_id === undefined) throw notOfProject('department', `must be the name of a department of the project: ${department}`);
    const member_id = member_email === undefined ? null : known.members.get(member_email.toLowerCase());
    if (member_id === undefined) throw invalid('member_email', `must be the e-mail address of a member: ${member_email}`);
    const manager = manager_number === undefined ? null : known.managers.get(manager_number);
    if (manager === undefined) throw unknownManager(manager_number as string, known);
    const { project, calendarId, numbers, taken } = known;
    if (again)
      addTaken(
        ctx,
        taken,
        await employeesWith(tx, [fields.number ?? []].flat(), [fields.work_email ?? []].flat(), [member_id ?? []].flat()),
      );
    const status = statusOn(dayIn(project.timezone), fields);
    for (const [param, key, text] of takenBy({ ...fields, member_id, status }))
      if (taken.has(key)) throw duplicateOf(param, text, taken.get(key) ?? null, 'organization');
    const number = fields.number ?? (await nextNumber(ctx, tx, numbers));
    const values = { ...fields, number, department_id, member_id, holiday_calendar_id: calendarId };
    return this.employees.insertChecked(ctx, tx, project, values, manager, { pipelined: true });
  }

  private async knownOf(ctx: Ctx, tx: Tx, project: Project, rows: readonly Row[]): Promise<Known> {
    const values = rows.map(({ value }) => value);
    const members = values.some(({ member_email }) => member_email !== undefined) ? await this.members.list(ctx) : [];
    const numbers = new Set(values.flatMap(({ number, manager_number }) => [number ?? [], manager_number ?? []].flat()));
    const emails = values.flatMap(({ work_email }) => work_email ?? []);
    const found = await employeesWith(
      tx,
      [...numbers],
      emails,
      members.map(({ id }) => id),
    );
    const taken: Known['taken'] = new Map();
    addTaken(ctx, taken, found);
    return {
      project,
      calendarId: await firstCalendar(tx, project.id),
      numbers,
      departments: new Map((await tx.list(Department, { project_id: project.id })).map(({ id, name }) => [name.toLowerCase(), id])),
      members: new Map(members.map(({ id, email }) => [email.toLowerCase(), id])),
      taken,
      refused: new Map(),
      managers: new Map(found.filter((one) => one.status !== 'left' && isVisible(ctx, one)).map((employee) => [employee.number, employee])),
    };
  }
}

/** The employees of any project who have one of these values; those beyond the caller's pin must not be shown or referred to. */
function employeesWith(tx: Tx, numbers: string[], emails: string[], members: string[]): Promise<Employee[]> {
  return tx.sql<Employee>(
    sql.inAllProjects(
      'values that are unique in the organization',
    )`SELECT e.id, e.project_id, e.number, e.status, e.work_email, e.member_id FROM ${table(Employee)} e
      WHERE ${own('e')} AND (e.number = ANY(${numbers})
        OR e.status <> 'left' AND (lower(e.work_email) = ANY(${emails.map((email) => email.toLowerCase())})
          OR e.member_id = ANY(${members})))`,
  );
}

function addTaken(ctx: Ctx, taken: Known['taken'], employees: readonly Employee[]): void {
  for (const employee of employees) for (const [, key] of takenBy(employee)) taken.set(key, isVisible(ctx, employee) ? employee.id : null);
}

function unknownManager(number: string, { refused }: Known) {
  const row = refused.get(number);
  const hint = row === undefined ? '' : `; row ${row}, which has it, was refused`;
  return invalid('manager_number', `must be the number of an employee: ${number}${hint}`);
}

/** The values that no other employee may have, each as parameter, key and text. Who has left keeps only the number. */
function takenBy({ number, status, work_email, member_id }: Partial<Employee>): [string, string, string][] {
  const keys: [string, string, string][] = [];
  if (number) keys.push(['number', `number ${number}`, number]);
  if (work_email && status !== 'left') keys.push(['work_email', `email ${work_email.toLowerCase()}`, work_email]);
  if (member_id && status !== 'left') keys.push(['member_email', `member ${member_id}`, member_id]);
  return keys;
}

/** Sorts the rows so that each follows that of its manager; rows of a cycle are marked as invalid. */
function inOrder(rows: readonly Row[]): OrderedRow[] {
  // the first row counts if numbers are repeated
  const byNumber = new Map(rows.toReversed().flatMap((row) => (row.value.number === undefined ? [] : [[row.value.number, row] as const])));
  const ordered: OrderedRow[] = [];
  const done = new Set<Row>();
  for (const start of rows) {
    // a chain instead of recursion: a file may be ten thousand levels deep
    const chain: Row[] = [];
    const inChain = new Set<Row>();
    let row: Row | undefined = start;
    while (row && !done.has(row) && !inChain.has(row)) {
      chain.push(row);
      inChain.add(row);
      row = row.value.manager_number === undefined ? undefined : byNumber.get(row.value.manager_number);
    }
    const circle = new Set(row && inChain.has(row) ? chain.slice(chain.indexOf(row)) : []);
    for (const one of chain.toReversed()) {
      done.add(one);
      ordered.push({ ...one, isCircular: circle.has(one) });
    }
  }
  return ordered;
}
