import { memberMay, ScheduledJob, sql, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../../kit/index.js';
import { APPROVE } from '../../model/rules/approval-panel.js';
import { ApproverReleases } from './approver-releases.service.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';

/** Approvers who left the organization, or whose role no longer lets them approve, do not block the step. */
@ScheduledJob({
  name: 'documents.release_approvers',
  everySeconds: 60,
})
export class ReleaseApprovers implements ScheduledJobHandler {
  constructor(private readonly releases: ApproverReleases) {}

  due(): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT DISTINCT r.document_id AS id, r.organization_id, r.project_id, r.mode FROM ${table(ApprovalRequest)} r
      WHERE r.decision = 'pending' AND r.approver_id IS NOT NULL AND NOT ${memberMay('r', 'approver_id', APPROVE)}`;
  }

  handle(ctx: Ctx, { id }: DueRow): Promise<void> {
    return this.releases.release(ctx, id);
  }
}
