import { ScheduledJob, type Ctx, type DueQuery, type DueRow, type ScheduledJobHandler } from '../../../kit/index.js';
import { Decisions } from './decisions.service.js';

/** Approvers who left the organization no longer block the step. */
@ScheduledJob({ name: 'documents.release_approvers', everySeconds: 60 })
export class ReleaseApprovers implements ScheduledJobHandler {
  constructor(private readonly decisions: Decisions) {}

  due(): DueQuery {
    return {
      sql: `SELECT DISTINCT r.document_id AS id, r.organization_id, r.project_id, r.mode
            FROM members m JOIN approval_requests r ON r.organization_id = m.organization_id AND r.approver_id = m.id
            WHERE m.status = 'inactive' AND r.decision = 'pending'`,
      values: [],
    };
  }

  handle(ctx: Ctx, { id }: DueRow): Promise<void> {
    return this.decisions.release(ctx, id);
  }
}
