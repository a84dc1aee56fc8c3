import { Injectable } from '@nestjs/common';
import { definedOf, EventHistory, own, Settings, sql, Store, table, type Actor, type Ctx, type Tx } from '../../../kit/index.js';
import { Employee } from '../model/employee.entity.js';
import { invalid } from '../model/hr.errors.js';
import { LeaveRequest } from '../model/leave-request.entity.js';
import { LedgerEntry } from '../model/ledger-entry.entity.js';
import { PrivateData } from '../model/private-data.entity.js';
import { EmployeeDto } from '../views/employee.dto.js';
import { EmployeeEvents } from '../views/employee.events.js';
import { LeaveEvents } from '../views/leave-request.events.js';
import { PRIVATE_FIELDS, type PrivateDataDto, type PrivateFields, type UpdatePrivateDataDto } from './private-data.dto.js';

const NOBODY: Actor = { type: 'user', id: null, email: null };
const EMPTY = Object.fromEntries(PRIVATE_FIELDS.map((name) => [name, null])) as PrivateFields;

/** Private data of employees. It is neither emitted nor logged, and has a version of its own: 1 until it is first changed. */
@Injectable()
export class PrivateDataService {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    private readonly events: EventHistory,
  ) {}

  async read(ctx: Ctx, employeeId: string): Promise<PrivateDataDto> {
    await this.store.get(ctx, Employee, employeeId);
    const stored = await this.store.find(ctx, PrivateData, employeeId);
    return shown(employeeId, stored ? this.open(stored) : EMPTY, stored?.version ?? 1);
  }

  update(ctx: Ctx, employeeId: string, body: UpdatePrivateDataDto): Promise<PrivateDataDto> {
    return this.store.write(ctx, async (tx) => {
      const today = tx.startedAt.toISOString().slice(0, 10);
      if (body.birth_on && body.birth_on > today) throw invalid('birth_on', 'must not be in the future');
      const employee = await tx.lock(Employee, employeeId);
      requireNamed(employee);
      if (!(await tx.find(PrivateData, employeeId)))
        await tx.insert(PrivateData, { id: employeeId, project_id: employee.project_id, sealed: this.seal(EMPTY) });
      const stored = await tx.target(PrivateData, employeeId);
      const before = this.open(stored);
      const fields = { ...before, ...definedOf(body) } as PrivateFields;
      // what is encrypted anew always differs
      const isChanged = PRIVATE_FIELDS.some((name) => fields[name] !== before[name]);
      const { version } = isChanged ? await tx.update(stored, { sealed: this.seal(fields) }) : stored;
      return shown(employeeId, fields, version);
    });
  }

  /** Removes the personal data of an employee who has left. Only figures remain: days of leave, dates of employment. */
  anonymize(ctx: Ctx, employeeId: string): Promise<Employee> {
    return this.store.write(ctx, async (tx) => {
      const employee = await tx.target(Employee, employeeId);
      requireNamed(employee);
      if (employee.status !== 'left') throw invalid('id', 'must be that of an employee who has left');
      const stored = await tx.find(PrivateData, employeeId);
      if (stored) await tx.delete(stored);
      await forgetLeave(tx, employeeId);
      await this.events.forget(ctx, tx, Object.values(EmployeeEvents), 'id', employeeId);
      await this.events.forget(ctx, tx, Object.values(LeaveEvents), 'employee_id', employeeId);
      const changed = await tx.update(employee, {
        name: `Former employee ${employee.number}`,
        work_email: null,
        work_phone: null,
        position: null,
        member_id: null,
        custom_fields: {},
        anonymized_at: tx.startedAt,
        created_by: employee.member_id !== null && employee.created_by.id === employee.member_id ? NOBODY : employee.created_by,
      });
      // without the previous values, which are being removed
      tx.emit(EmployeeEvents.employeeUpdated, { object: EmployeeDto.ofEvent(changed), projectId: changed.project_id });
      return changed;
    });
  }

  private seal(fields: PrivateFields): string {
    return this.settings.encrypt(JSON.stringify(fields));
  }

  private open({ sealed }: PrivateData): PrivateFields {
    return { ...EMPTY, ...(JSON.parse(this.settings.decrypt(sealed)) as Partial<PrivateFields>) };
  }
}

/** Who asks for leave is mostly the employee, so authors are removed as well. Who decided stays. */
async function forgetLeave(tx: Tx, employee_id: string): Promise<void> {
  for (const request of await tx.lockWhere(LeaveRequest, { employee_id }))
    await tx.update(request, { sealed_reason: null, sealed_note: null, created_by: NOBODY });
  await tx.sql(
    sql`UPDATE ${table(LedgerEntry)} l
      SET note = NULL, created_by = CASE WHEN l.created_by ->> 'id' IS NULL THEN l.created_by ELSE ${JSON.stringify(NOBODY)} END
      WHERE ${own('l')} AND l.employee_id = ${employee_id} AND (l.note IS NOT NULL OR l.created_by ->> 'id' IS NOT NULL)`,
  );
}

function requireNamed({ anonymized_at }: Employee): void {
  if (anonymized_at !== null) throw invalid('id', 'is that of an employee whose personal data was removed');
}

function shown(employee_id: string, fields: PrivateFields, version: number): PrivateDataDto {
  return { object: 'employee_private_data', employee_id, ...fields, version };
}
