import { ScheduledJob, type Ctx, type DueQuery, type DueRow, type ScheduledJobHandler } from '../../../kit/index.js';
import { LeaveRequestsService } from '../leave/leave-requests.service.js';

/** Recounts the days of leave after a change of holidays, and those of pending leave after a change of a working week. */
@ScheduledJob({
  name: 'hr.recompute_leave',
  everySeconds: 15,
})
export class RecomputeLeave implements ScheduledJobHandler {
  constructor(private readonly requests: LeaveRequestsService) {}

  due(): DueQuery {
    return { sql: 'SELECT id, organization_id, project_id, mode FROM hr_leave_requests WHERE recompute', values: [] };
  }

  handle(ctx: Ctx, { id }: DueRow): Promise<void> {
    return this.requests.recompute(ctx, id);
  }
}
