import {
  memberMay,
  projectDay,
  ScheduledJob,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
} from '../../../../kit/index.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { ApprovalSubstitute } from '../../model/records/approval-substitute.entity.js';
import { Document } from '../../model/records/document.entity.js';
import { APPROVE } from '../../model/rules/approval-panel.js';
import { ApprovalLink } from './approval-link.entity.js';
import { SubstituteRequests } from './substitute-requests.service.js';

interface WaitingRequest extends DueRow {
  document_id: string;
}

/** Asks substitutes whom nothing else has asked: of members who became able to decide, and in projects whose day begins later. */
@ScheduledJob({
  name: 'documents.substitutes',
  everySeconds: 60,
})
export class AskSubstitutes implements ScheduledJobHandler<WaitingRequest> {
  constructor(
    private readonly store: Store,
    private readonly requests: SubstituteRequests,
  ) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT r.id, r.organization_id, r.project_id, r.mode, r.document_id
      FROM ${table(ApprovalSubstitute)} s
      JOIN ${table(ApprovalRequest)} r ON r.organization_id = s.organization_id AND r.approver_id = s.member_id AND r.decision = 'pending'
      JOIN ${table(Document)} d ON d.id = r.document_id AND d.submitted_by IS DISTINCT FROM s.substitute_id
      WHERE ${projectDay('r', now)} BETWEEN s.starts_on AND s.ends_on AND ${memberMay('s', 'substitute_id', APPROVE)}
        AND NOT EXISTS (
          SELECT 1 FROM ${table(ApprovalLink)} l
          WHERE l.document_id = r.document_id AND l.member_id = s.substitute_id AND l.created_at >= r.created_at)`;
  }

  handle(ctx: Ctx, { document_id }: WaitingRequest, now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => this.requests.ask(ctx, tx, await tx.lock(Document, document_id), now));
  }
}
