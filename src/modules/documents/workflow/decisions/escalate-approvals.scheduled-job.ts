import {
  HOUR_MS,
  ScheduledJob,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
  type Tx,
} from '../../../../kit/index.js';
import { Document } from '../../model/records/document.entity.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { ApprovalReminders } from '../approvals/approval-reminders.service.js';
import { SubstituteRequests } from '../approvals/substitute-requests.service.js';
import { ApprovalMailer } from '../approvals/approval-mailer.service.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { requestedSubstitutes, stepAt } from '../../model/rules/approval-route.js';
import { mailed, requestOf } from '../approvals/approvals.service.js';
import { Approvers } from '../approvals/approvers.service.js';
import { DocumentMoves } from '../moves/document-moves.js';

/** Escalates overdue decisions to the members in escalate_to of the step, or reminds the approvers once if there are none. */
@ScheduledJob({
  name: 'documents.escalate',
  everySeconds: 60,
})
export class EscalateApprovals implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly versions: TypeVersions,
    private readonly reminders: ApprovalReminders,
    private readonly approvers: Approvers,
    private readonly moves: DocumentMoves,
    private readonly mailer: ApprovalMailer,
    private readonly substitutes: SubstituteRequests,
  ) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT DISTINCT r.document_id AS id, r.organization_id, r.project_id, r.mode FROM ${table(ApprovalRequest)} r
      WHERE r.decision = 'pending' AND r.due_at IS NOT NULL AND r.escalated_at IS NULL AND r.due_at <= ${now}`;
  }

  handle(ctx: Ctx, { id: documentId }: DueRow, now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, documentId);
      const requests = await tx.list(ApprovalRequest, {
        document_id: documentId,
        round: document.approval_round,
        decision: ['pending', 'approved'],
      });
      const overdue = requests.filter(
        ({ decision, due_at, escalated_at }) => decision === 'pending' && due_at !== null && due_at <= now && escalated_at === null,
      );
      if (overdue.length === 0) return;
      const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
      const step = stepAt(definition, overdue[0].step_index);
      // unnamed requests in place of others were already escalated to those members
      const isHandedOver = overdue.every(
        ({ approver_id, in_place_of, is_escalated }) => approver_id === null && (in_place_of !== null || is_escalated),
      );
      const named = step?.escalate_to && !isHandedOver ? await this.approvers.fallback(ctx, step, document, definition) : [];
      const onStep = new Set(
        (
          await tx.list(ApprovalRequest, { document_id: documentId, round: document.approval_round, step_index: overdue[0].step_index })
        ).map(({ approver_id }) => approver_id),
      );
      const others = named.filter(({ id }) => !onStep.has(id));
      if (others.length === 0) return this.remind(ctx, tx, document, overdue, now);
      const due_at = step?.due_in_hours ? new Date(now.getTime() + step.due_in_hours * HOUR_MS) : null;
      const { step_index: index, step_name: name, step_mode: mode, quorum } = overdue[0];
      for (const request of overdue) await tx.update(request, { decision: 'withdrawn', escalated_at: now });
      // escalating to several members must not raise the number of approvals needed
      const requested = requestedSubstitutes(others, overdue.length, { mode });
      for (const [position, member] of requested.entries())
        await tx.insert(ApprovalRequest, {
          ...requestOf(document, { index, name, mode, quorum }, member, due_at),
          in_place_of: member === null ? overdue[position].approver_id : null,
          is_escalated: member === null && overdue[position].approver_id === null,
        });
      const told = mailed(requested, others);
      await this.mailer.ask(ctx, tx, told, { document, stepName: name, dueAt: due_at }, 'escalation');
      await this.substitutes.ask(ctx, tx, document);
      await this.moves.record(ctx, tx, document, 'papers.escalate', {
        to_state: document.state,
        detail: {
          step: index,
          to: told.map(({ email }) => email),
          ...(told.length < others.length ? { others: others.length - told.length } : {}),
        },
      });
    });
  }

  private async remind(ctx: Ctx, tx: Tx, document: Document, overdue: readonly ApprovalRequest[], now: Date): Promise<void> {
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    for (const request of overdue) await tx.update(request, { escalated_at: now });
    await this.reminders.mail(ctx, tx, document, definition, overdue, 'overdue');
  }
}
