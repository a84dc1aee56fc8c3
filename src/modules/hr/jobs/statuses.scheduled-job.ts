import {
  dayIn,
  projectDay,
  Projects,
  ScheduledJob,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
} from '../../../kit/index.js';
import { EmployeesService, statusOn } from '../employees/employees.service.js';
import { Employee } from '../model/employee.entity.js';

/** Makes employees active on their first day, and sets them to left after their last day, in the time zone of their project. */
@ScheduledJob({
  name: 'hr.change_statuses',
  everySeconds: 900,
})
export class ChangeStatuses implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly employees: EmployeesService,
  ) {}

  due(now: Date): Sql {
    const today = projectDay('e', now);
    // no zone is more than a day from UTC, so the indexes find the few that may be due
    const latest = sql`(${now}::timestamptz AT TIME ZONE 'UTC')::date + 1`;
    return sql.unscoped('due rows of all organizations')`
      SELECT e.id, e.organization_id, e.project_id, e.mode FROM ${table(Employee)} e
      WHERE e.status = 'upcoming' AND e.hired_on <= ${latest} AND e.hired_on <= ${today}
      UNION ALL
      SELECT e.id, e.organization_id, e.project_id, e.mode FROM ${table(Employee)} e
      WHERE e.status = 'active' AND e.left_on IS NOT NULL AND e.left_on < ${latest} AND e.left_on < ${today}`;
  }

  async handle(ctx: Ctx, { id, project_id }: DueRow, now: Date): Promise<void> {
    const { timezone } = await this.projects.get(ctx, project_id as string);
    await this.store.write(ctx, async (tx) => {
      const employee = await tx.lock(Employee, id);
      const status = statusOn(dayIn(timezone, now), employee);
      // an employee may have started and left since the last run
      if (employee.status === 'upcoming' && status === 'left')
        await this.employees.write(ctx, tx, await this.employees.write(ctx, tx, employee, { status: 'active' }, 'day'), { status }, 'day');
      else await this.employees.write(ctx, tx, employee, { status }, 'day');
    });
  }
}
