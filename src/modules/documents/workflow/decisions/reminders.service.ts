import { Injectable } from '@nestjs/common';
import { invalid, Store, type Ctx, type Tx } from '../../../../kit/index.js';
import { ApprovalReminders } from '../approvals/approval-reminders.service.js';
import { isBeingSigned } from '../../model/core/document-states.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { Document } from '../../model/records/document.entity.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { DocumentMoves } from '../moves/document-moves.js';
import { ReminderLimit } from '../moves/reminder-limit.js';
import { OrgParties } from '../signing/parties/org-parties.service.js';

/** Reminds everyone whose decision or signature is pending: approvers of the current step, or parties that are asked to sign. */
@Injectable()
export class Reminders {
  constructor(
    private readonly store: Store,
    private readonly versions: TypeVersions,
    private readonly approvals: ApprovalReminders,
    private readonly parties: OrgParties,
    private readonly moves: DocumentMoves,
  ) {}

  /**
   * Returns the addresses that were mailed. `email`: only this approver or party. Those who were reminded within the hour are left
   * out; if that leaves nobody, it throws `rate_limited`.
   */
  remind(ctx: Ctx, id: string, email: string | null): Promise<string[]> {
    const address = email?.toLowerCase() ?? null;
    return this.store.write(ctx, async (tx) => {
      const document = await tx.target(Document, id);
      const limit = await ReminderLimit.of(tx, document);
      const isMeant = (to: string) => (address === null || to.toLowerCase() === address) && limit.admits(to);
      const reminded = await this.mail(ctx, tx, document, isMeant);
      if (reminded.length === 0) {
        limit.requireNobodyWaits();
        throw invalid('email', 'is not the address of an approver or party whose decision or signature is pending');
      }
      await this.moves.record(ctx, tx, document, 'papers.remind', { to_state: document.state, detail: { reminded } });
      await tx.advanced.touch(document);
      return reminded;
    });
  }

  private async mail(ctx: Ctx, tx: Tx, document: Document, isMeant: (email: string) => boolean): Promise<string[]> {
    const { state, approval_round: round, approval_step } = document;
    if (isBeingSigned(state)) return this.parties.remindOpen(ctx, tx, document, isMeant);
    if (state !== 'in_approval' || approval_step === null)
      throw DocumentErrors.invalidTransition({
        message: `The document is ${state}, so no decision or signature is pending.`,
        allowed: ['in_approval', 'sent', 'partially_signed'],
      });
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    const pending = await tx.list(ApprovalRequest, { document_id: document.id, round, step_index: approval_step, decision: 'pending' });
    const reminded = await this.approvals.mail(ctx, tx, document, definition, pending, 'reminder', isMeant);
    return reminded.map((member) => member.email);
  }
}
