import { Injectable } from '@nestjs/common';
import { CommonErrors, listBody, own, plusDays, sql, Store, table, type Condition, type Ctx, type ListBody } from '../../../kit/index.js';
import { dayNumber, requireHrDay } from '../model/days.js';
import { Department } from '../model/department.entity.js';
import { Employee } from '../model/employee.entity.js';
import { invalid } from '../model/hr.errors.js';
import { LeaveRequest } from '../model/leave-request.entity.js';
import { AbsenceDto, type AbsencesQuery } from './leave-requests.dto.js';

const LONGEST_DAYS = 366;
const DEEPEST = 100;
/** Leave may have been approved before it was known that somebody leaves. */
const STILL_EMPLOYED = sql`NOT EXISTS (SELECT FROM ${table(Employee)} e WHERE e.id = t.employee_id AND e.left_on < t.starts_on)`;

/** The absences of a period. Who polls for changes needs none. */
function between({ from, to, updated_after }: AbsencesQuery): Condition[] {
  if (from === undefined && to === undefined && updated_after !== undefined) return [];
  if (from === undefined || to === undefined) {
    const param = from === undefined ? 'from' : 'to';
    const unless = updated_after === undefined && from === to ? ' without updated_after' : '';
    throw CommonErrors.missingFields({ param, message: `${param} is required${unless}` });
  }
  requireHrDay('from', from);
  requireHrDay('to', to);
  if (to < from || dayNumber(to) - dayNumber(from) > LONGEST_DAYS)
    throw invalid('to', `must be from the day of from to ${LONGEST_DAYS} days later`);
  // no leave is longer, so the second bound limits the index scan
  return [sql`t.ends_on >= ${from} AND t.ends_on <= ${plusDays(to, LONGEST_DAYS)} AND t.starts_on <= ${to}`];
}

/** Lists who is away. Approved leave of every type counts; the type is not shown. Employees who have left before it are left out. */
@Injectable()
export class Absences {
  constructor(private readonly store: Store) {}

  async page(ctx: Ctx, query: AbsencesQuery): Promise<ListBody<AbsenceDto>> {
    const { department_id } = query;
    const conditions: Condition<LeaveRequest>[] = [sql`t.status = 'approved'`, STILL_EMPLOYED, ...between(query)];
    if (department_id) {
      const departments = await this.below(ctx, department_id);
      // with one department the index gives the order, too
      conditions.push({ department_id: departments.length === 1 ? departments[0] : departments });
    }
    const page = await this.store.page(ctx, LeaveRequest, query, ...conditions);
    const people = await this.peopleOf(ctx, page.data);
    return listBody(page, (request) => AbsenceDto.from(request, people.get(request.employee_id) ?? { name: '-', department_id: null }));
  }

  /** The departments with all their subdepartments. */
  private async below(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
    const rows = await this.store.reader(ctx).sql<{ id: string }>(
      sql`WITH RECURSIVE below AS (
          SELECT d.id, 1 AS level FROM ${table(Department)} d WHERE d.id = ANY(${ids}) AND ${own('d')}
          UNION ALL SELECT d.id, b.level + 1 FROM ${table(Department)} d JOIN below b ON d.parent_id = b.id
          WHERE b.level < ${DEEPEST} AND ${own('d')})
        SELECT DISTINCT id FROM below ORDER BY id`,
    );
    return rows.map(({ id }) => id);
  }

  private async peopleOf(
    ctx: Ctx,
    requests: readonly LeaveRequest[],
  ): Promise<Map<string, { name: string; department_id: string | null }>> {
    if (requests.length === 0) return new Map();
    const ids = [...new Set(requests.map(({ employee_id }) => employee_id))];
    const rows = await this.store
      .reader(ctx)
      .sql<{ id: string; name: string; department_id: string | null }>(
        sql`SELECT e.id, e.name, e.department_id FROM ${table(Employee)} e WHERE e.id = ANY(${ids}) AND ${own('e')}`,
      );
    return new Map(rows.map((row) => [row.id, row]));
  }
}
