import {
  memberMay,
  Members,
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
import { ApprovalMailer } from './approval-mailer.service.js';

interface WaitingRequest extends DueRow {
  document_id: string;
  approver_id: string;
  substitute_id: string;
}

/**
 * Asks substitutes once for each decision that waits for a member who is away: when the decision is requested, or when the period begins.
 * The link that a substitute was mailed since the request shows that they were asked.
 */
@ScheduledJob({
  name: 'documents.substitutes',
  everySeconds: 60,
})
export class AskSubstitutes implements ScheduledJobHandler<WaitingRequest> {
  constructor(
    private readonly store: Store,
    private readonly members: Members,
    private readonly mailer: ApprovalMailer,
  ) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT r.id, r.organization_id, r.project_id, r.mode, r.document_id, r.approver_id, s.substitute_id
      FROM ${table(ApprovalSubstitute)} s
      JOIN ${table(ApprovalRequest)} r ON r.organization_id = s.organization_id AND r.approver_id = s.member_id AND r.decision = 'pending'
      JOIN ${table(Document)} d ON d.id = r.document_id AND d.submitted_by IS DISTINCT FROM s.substitute_id
      WHERE ${projectDay('r', now)} BETWEEN s.starts_on AND s.ends_on AND ${memberMay('s', 'substitute_id', APPROVE)}
        AND NOT EXISTS (
          SELECT 1 FROM ${table(ApprovalLink)} l
          WHERE l.document_id = r.document_id AND l.member_id = s.substitute_id AND l.created_at >= r.created_at)`;
  }

  handle(ctx: Ctx, { id, document_id, approver_id, substitute_id }: WaitingRequest): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, document_id);
      const request = await tx.find(ApprovalRequest, id);
      if (request?.decision !== 'pending' || document.state !== 'in_approval') return;
      const links = await tx.list(ApprovalLink, { document_id, member_id: substitute_id });
      if (links.some(({ created_at }) => created_at >= request.created_at)) return;
      const [substitute] = await this.members.byIds(ctx, [substitute_id]);
      const [absent] = await this.members.byIds(ctx, [approver_id]);
      const subject = { document, stepName: request.step_name, dueAt: request.due_at };
      await this.mailer.ask(ctx, tx, [substitute], { ...subject, inPlaceOf: absent }, 'request');
    });
  }
}
