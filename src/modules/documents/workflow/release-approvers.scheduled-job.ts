import { ScheduledJob, type Ctx, type DueQuery, type DueRow, type ScheduledJobHandler } from '../../../kit/index.js';
import { APPROVE } from '../model/rules/approval-panel.js';
import { Decisions } from './decisions.service.js';

/** Approvers who left the organization, or whose role no longer lets them approve, do not block the step. */
@ScheduledJob({
  name: 'documents.release_approvers',
  everySeconds: 60,
})
export class ReleaseApprovers implements ScheduledJobHandler {
  constructor(private readonly decisions: Decisions) {}

  due(): DueQuery {
    return {
      sql: `SELECT DISTINCT r.document_id AS id, r.organization_id, r.project_id, r.mode
            FROM members m JOIN approval_requests r ON r.organization_id = m.organization_id AND r.approver_id = m.id
            JOIN roles o ON o.organization_id = m.organization_id AND o.id = m.role_id
            WHERE r.decision = 'pending' AND (m.status = 'inactive' OR NOT $1 = ANY(o.permissions))`,
      values: [APPROVE],
    };
  }

  handle(ctx: Ctx, { id }: DueRow): Promise<void> {
    return this.decisions.release(ctx, id);
  }
}
