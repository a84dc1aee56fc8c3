import { Injectable } from '@nestjs/common';
import { DomainError, type Ctx, type Member, type Tx } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import type { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import type { Document } from '../../model/records/document.entity.js';
import type { RouteStep } from '../../model/rules/approval-route.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import { Approvals } from '../approvals/approvals.service.js';
import { DocumentMoves, type MoveOptions } from '../moves/document-moves.js';
import { Finalization } from '../transitions/finalization.service.js';
import { DECISIONS, type DecisionKind } from './decision-input.js';

/** Where an approval goes on: to more decisions of its step, to the next step, or to its end. */
@Injectable()
export class ApprovalProgress {
  constructor(
    private readonly approvals: Approvals,
    private readonly moves: DocumentMoves,
    private readonly finalization: Finalization,
  ) {}

  /** Whether the lifecycle has exactly one transition for the final approval, so that nobody has to choose. */
  async canEnd(ctx: Ctx, document: Document): Promise<boolean> {
    try {
      await this.moves.check(ctx, document, 'approve', 'approved');
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.spec.code === 'invalid_lifecycle') return false;
      throw error;
    }
  }

  /** Ends the approval; the type may finalize the document at once. */
  async end(ctx: Ctx, tx: Tx, { document, definition }: Continued, kind: DecisionKind, options: MoveOptions): Promise<Document> {
    const { decision, state } = DECISIONS[kind];
    const moved = await this.moves.move(ctx, tx, document, kind, state, {
      ...options,
      changes: { approval_outcome: decision, approval_step: null },
    });
    return kind === 'approve' && definition.finalize_on_approval ? this.finalize(ctx, tx, moved) : moved;
  }

  /** Keeps the document in approval: this step needs more approvals, or the next step starts. */
  async carryOn(ctx: Ctx, tx: Tx, { document, definition }: Continued, step: Step): Promise<Document> {
    const { next, index, approver, substitute } = step;
    if (next) await this.approvals.requestDecisions(ctx, tx, document, definition, next);
    await this.moves.record(ctx, tx, document, 'papers.approve', {
      to_state: document.state,
      acted_for: approver?.email ?? null,
      detail: { step: index, ...(substitute && { substitute: substitute.email }) },
    });
    // the representation contains the requests, so it has changed even if no column of the document has
    return tx.advanced.touch(document, { approval_step: next?.index });
  }

  /** Continues the step without approvers who left; asks others if nobody else is asked. */
  async replace(
    ctx: Ctx,
    tx: Tx,
    { document, definition }: Continued,
    left: readonly ApprovalRequest[],
    pending: readonly ApprovalRequest[],
  ): Promise<void> {
    if (pending.length > left.length) await withdraw(tx, left);
    else {
      await withdraw(tx, left.slice(1));
      await this.approvals.replace(ctx, tx, document, definition, left[0]);
    }
    await this.moves.record(ctx, tx, document, 'papers.escalate', {
      to_state: document.state,
      detail: { step: left[0].step_index, reason: 'approvers_left' },
    });
    await tx.advanced.touch(document);
  }

  /** Finalizes after the last approval, if the type says so. A failure rolls back the decision. */
  private async finalize(ctx: Ctx, tx: Tx, document: Document): Promise<Document> {
    try {
      return await this.finalization.finalize(ctx, tx, document, { automatic: true });
    } catch (cause) {
      // errors that a retry would repeat, and internal errors, keep their code
      if (cause instanceof DomainError && (cause.spec.code === 'invalid_lifecycle' || cause.spec.status === 503)) throw cause;
      throw DocumentErrors.approvalActionFailed({ cause });
    }
  }
}

/** Withdraws the pending ones of the requests; returns them by id. The lock on the document excludes other changes of them. */
export async function withdraw(tx: Tx, requests: readonly ApprovalRequest[]): Promise<Map<string, ApprovalRequest>> {
  const withdrawn = new Map<string, ApprovalRequest>();
  for (const request of requests) {
    if (request.decision === 'pending') withdrawn.set(request.id, await tx.advanced.pipelined.update(request, { decision: 'withdrawn' }));
  }
  return withdrawn;
}

interface Continued {
  document: Document;
  definition: TypeDefinition;
}

interface Step {
  /** Of the step that goes on, or that is over. */
  index: number;
  /** The step that starts; null while this one needs more approvals. */
  next: RouteStep | null;
  /** Who decided; null if the step continues without approvers who left the organization. */
  approver: Member | null;
  /** Who decided for the approver, who is away. */
  substitute?: Member | null;
}
