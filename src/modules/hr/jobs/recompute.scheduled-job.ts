import { ScheduledJob, sql, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../kit/index.js';
import { LeaveRequest } from '../model/leave-request.entity.js';
import { LeaveRequestsService } from '../leave/leave-requests.service.js';

/** Recounts the days of leave after a change of holidays, and those of pending leave after a change of a working week. */
@ScheduledJob({
  name: 'hr.recompute_leave',
  everySeconds: 15,
})
export class RecomputeLeave implements ScheduledJobHandler {
  constructor(private readonly requests: LeaveRequestsService) {}

  due(): Sql {
    return sql.unscoped(
      'due rows of all organizations',
    )`SELECT r.id, r.organization_id, r.project_id, r.mode FROM ${table(LeaveRequest)} r WHERE r.recompute`;
  }

  handle(ctx: Ctx, { id }: DueRow): Promise<void> {
    return this.requests.recompute(ctx, id);
  }
}
