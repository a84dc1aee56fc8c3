import { Injectable } from '@nestjs/common';
import { DomainError, isUuid, Store, type FormProblem, type Visitor } from '../../../../kit/index.js';
import { Document } from '../../model/records/document.entity.js';
import { DocumentComments } from '../authoring/document-comments.service.js';
import type { DecisionKind } from '../decisions/decision-input.js';
import { Decisions } from '../decisions/decisions.service.js';
import { DocumentMoves } from '../moves/document-moves.js';
import type { CommentDto, DecideDto } from './approval-page.dto.js';
import type { OpenLink } from './approval-page.service.js';

const KINDS: readonly string[] = ['approve', 'reject', 'return'] satisfies DecisionKind[];
const MOST_COMMENT = 4_000;
/** Errors of a request that was decided, withdrawn or moved to another step since the page was opened. */
const STALE: readonly string[] = ['stale_decision', 'invalid_transition', 'invalid_action', 'not_an_approver', 'validation_failed'];

/** What approvers do on the page of their link: decide and comment. */
@Injectable()
export class ApprovalPageActions {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly comments: DocumentComments,
    private readonly moves: DocumentMoves,
  ) {}

  /** Returns the problems of the form, or why the decision can no longer be made. */
  async decide(
    { ctx, documentId, member, look }: OpenLink,
    { decision = '', comment = '', decision_id = '' }: DecideDto,
    { address, userAgent }: Visitor,
  ): Promise<FormProblem[]> {
    const { problems } = look.texts;
    if (!KINDS.includes(decision)) return [{ field: 'decision', text: problems.decision }];
    const comments = comment.trim() === '' ? null : comment.trim();
    if ((comments?.length ?? 0) > MOST_COMMENT) return [{ field: 'comment', text: problems.tooLong(MOST_COMMENT) }];
    try {
      await this.store.write(ctx, async (tx) => {
        const decided = await this.decisions.decide(ctx, documentId, {
          kind: decision as DecisionKind,
          approver: { memberId: member.id },
          comments,
          lifecycleAction: null,
          decisionId: isUuid(decision_id) ? decision_id : null,
          step: null,
        });
        await this.moves.record(ctx, tx, decided, 'papers.decide_by_link', {
          to_state: decided.state,
          acted_for: member.email,
          detail: { decision, address, user_agent: userAgent },
        });
      });
      return [];
    } catch (error) {
      if (!(error instanceof DomainError) || error.spec.status >= 500) throw error;
      if (error.spec.code === 'missing_fields') return [{ field: 'comment', text: problems.decisionComment }];
      return [{ field: null, text: STALE.includes(error.spec.code) ? problems.stale : error.message }];
    }
  }

  async comment({ ctx, documentId, member, look }: OpenLink, { body = '' }: CommentDto): Promise<FormProblem[]> {
    const { problems } = look.texts;
    const text = body.trim();
    if (text === '') return [{ field: 'body', text: problems.comment }];
    if (text.length > MOST_COMMENT) return [{ field: 'body', text: problems.tooLong(MOST_COMMENT) }];
    await this.store.write(ctx, async (tx) => this.comments.add(ctx, tx, await tx.lock(Document, documentId), 'user', text, member));
    return [];
  }
}
