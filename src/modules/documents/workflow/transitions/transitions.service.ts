import { Injectable } from '@nestjs/common';
import { CommonErrors, invalid, type Ctx, type Tx } from '../../../../kit/index.js';
import { DocumentComments } from '../authoring/document-comments.service.js';
import { Document } from '../../model/records/document.entity.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { Finalization } from './finalization.service.js';
import { SendingService } from '../signing/parties/sending.service.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import type { GivenSending } from '../../model/rules/sending.js';
import { isAuthor } from '../../model/rules/allowed-actions.js';
import { DocumentMoves, type MoveBasis } from '../moves/document-moves.js';
import type { DocumentState, Trigger } from '../../model/core/document-states.js';

/** Moves other than decisions that a caller may make, with the state each leads to. */
export const TRANSITION_STATES = {
  finalize: 'finalized',
  send: 'sent',
  revoke: 'revoked',
  recall: 'draft',
  supersede: 'superseded',
  reopen: 'draft',
} as const satisfies Partial<Record<Trigger, DocumentState>>;
export type TransitionTrigger = keyof typeof TRANSITION_STATES;

export interface TransitionInput extends MoveBasis {
  /** Required to revoke. Becomes a comment. */
  reason?: string | null;
  /** The request's field with the reason, for errors. */
  reasonParam?: string;
  superseded_by_id?: string | null;
  /** To send: what differs from how the document says it is sent. */
  sending?: GivenSending;
}

/** States of a document that is final and still valid. */
const FINAL: readonly DocumentState[] = ['finalized', 'sent', 'partially_signed', 'executed'];

/** Resets what belongs to the previous revision: decisions, frozen bytes and signatures. */
export function newRevision({ revision }: Document, requiresApproval: boolean): Partial<Document> {
  return {
    revision: revision + 1,
    approval_outcome: requiresApproval ? 'pending' : 'not_required',
    approval_step: null,
    content_sha256: null,
    finalized_at: null,
    executed_at: null,
    signing_deadline_at: null,
    send_request: null,
    valid_until_on: null,
    expired_reason: null,
  };
}

/** Moves documents. The transaction must have locked them. */
@Injectable()
export class Transitions {
  constructor(
    private readonly versions: TypeVersions,
    private readonly moves: DocumentMoves,
    private readonly finalization: Finalization,
    private readonly comments: DocumentComments,
    private readonly sending: SendingService,
  ) {}

  async run(ctx: Ctx, tx: Tx, document: Document, trigger: TransitionTrigger, input: TransitionInput = {}): Promise<Document> {
    const moved = await this[trigger](ctx, tx, document, input);
    if (input.reason) await this.comments.add(ctx, tx, moved, 'decision', input.reason, input.actedFor);
    return moved;
  }

  private finalize(ctx: Ctx, tx: Tx, document: Document, input: TransitionInput): Promise<Document> {
    return this.finalization.finalize(ctx, tx, document, input);
  }

  private send(ctx: Ctx, tx: Tx, document: Document, input: TransitionInput): Promise<Document> {
    return this.sending.send(ctx, tx, document, basisOf(input), input.sending);
  }

  private async revoke(ctx: Ctx, tx: Tx, document: Document, input: TransitionInput): Promise<Document> {
    const allowed = await this.moves.check(ctx, document, 'revoke', 'revoked', input);
    const { reason, reasonParam = 'reason' } = input;
    if (!reason)
      throw CommonErrors.missingFields({ param: reasonParam, message: `${reasonParam} is required: say why the document is revoked` });
    return this.moves.move(ctx, tx, document, 'revoke', 'revoked', {
      ...basisOf(input),
      allowed,
      context: { revoked: { reason } },
      detail: { reason },
    });
  }

  private async recall(ctx: Ctx, tx: Tx, document: Document, input: TransitionInput): Promise<Document> {
    const allowed = await this.moves.check(ctx, document, 'recall', 'draft', input);
    if (!isAuthor(ctx, document))
      throw CommonErrors.permissionDenied({ message: 'Only the creator or the submitter of the document can recall it.' });
    return this.moves.move(ctx, tx, document, 'recall', 'draft', {
      ...basisOf(input),
      allowed,
      changes: { approval_outcome: 'pending', approval_step: null },
    });
  }

  private async supersede(ctx: Ctx, tx: Tx, document: Document, input: TransitionInput): Promise<Document> {
    const allowed = await this.moves.check(ctx, document, 'supersede', 'superseded', input);
    const replacement = await this.replacementOf(tx, document, input.superseded_by_id ?? null);
    const { id } = replacement;
    if (replacement.supersedes_id === null) {
      await tx.update(replacement, { supersedes_id: document.id });
      await this.moves.record(ctx, tx, replacement, 'papers.update', {
        to_state: replacement.state,
        detail: { supersedes_id: document.id },
      });
    }
    return this.moves.move(ctx, tx, document, 'supersede', 'superseded', {
      ...basisOf(input),
      allowed,
      changes: { superseded_by_id: id },
      context: { superseded: { superseded_by_id: id } },
    });
  }

  private async reopen(ctx: Ctx, tx: Tx, document: Document, input: TransitionInput): Promise<Document> {
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    return this.moves.move(ctx, tx, document, 'reopen', 'draft', {
      ...basisOf(input),
      changes: newRevision(document, definition.requires_approval),
    });
  }

  /**
   * The replacement, locked: the one the caller chose, or the newest final document created as a replacement. An unrelated document must
   * not end one that is in force, so one that was not created as its replacement must be of the same type.
   */
  private async replacementOf(tx: Tx, document: Document, id: string | null): Promise<Document> {
    if (id === null) {
      const replacement = (await tx.lockWhere(Document, { supersedes_id: document.id, state: FINAL })).at(-1);
      if (!replacement)
        throw DocumentErrors.invalidTransition({
          message: 'No finalized document replaces this one; create a replacement and finalize it first.',
        });
      return replacement;
    }
    const [replacement] = id === document.id ? [] : await tx.lockWhere(Document, { id });
    if (!replacement || replacement.project_id !== document.project_id)
      throw invalid('superseded_by_id', `${id} is not another document of the project`);
    if (replacement.supersedes_id !== null && replacement.supersedes_id !== document.id)
      throw invalid('superseded_by_id', `${id} already replaces another document`);
    if (replacement.supersedes_id === null && replacement.type_id !== document.type_id)
      throw CommonErrors.validationFailed({
        param: 'superseded_by_id',
        message:
          `superseded_by_id ${id} is of type ${replacement.type_code}, but only a document of the same type, ${document.type_code}, ` +
          'replaces this one',
      });
    if (!FINAL.includes(replacement.state))
      throw DocumentErrors.invalidTransition({
        param: 'superseded_by_id',
        message: `The replacement is ${replacement.state}; it must be finalized first.`,
        allowed: FINAL,
      });
    return replacement;
  }
}

function basisOf({ lifecycleAction, actedFor, automatic }: TransitionInput): MoveBasis {
  return { lifecycleAction, actedFor, automatic };
}
