import { Injectable } from '@nestjs/common';
import type { Ctx, Tx } from '../../../../kit/index.js';
import { DocumentComments } from '../authoring/document-comments.service.js';
import type { Document } from '../../model/records/document.entity.js';
import { Finalization } from './finalization.service.js';
import type { DocumentTypeVersion } from '../../model/types/document-type-version.entity.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { Approvals } from '../approvals/approvals.service.js';
import { requireComplete } from '../../model/core/data-values.js';
import { DocumentMoves } from '../moves/document-moves.js';
import type { DocumentState } from '../../model/core/document-states.js';
import { newRevision } from './transitions.service.js';

/** States that do not require complete data. */
const OPEN: readonly DocumentState[] = ['draft', 'in_approval', 'returned', 'rejected', 'approved'];
const COMPLETE: readonly DocumentState[] = ['finalized', 'declined', 'expired', 'superseded'];

/** Sets a document to any stage manually and creates the rows that its new state requires. */
@Injectable()
export class Override {
  constructor(
    private readonly versions: TypeVersions,
    private readonly moves: DocumentMoves,
    private readonly approvals: Approvals,
    private readonly finalization: Finalization,
    private readonly comments: DocumentComments,
  ) {}

  /** The transaction must have locked the document. */
  async run(ctx: Ctx, tx: Tx, document: Document, stage: string, reason: string): Promise<Document> {
    const to = await this.moves.overrideTarget(ctx, document, stage);
    if (COMPLETE.includes(to)) requireComplete(document);
    const type = await this.versions.get(ctx, document.type_id, document.type_version);
    const changes = to === document.state ? {} : await this.changes(ctx, tx, document, type, to);
    const moved = await this.moves.override(ctx, tx, document, stage, reason, changes);
    await this.comments.add(ctx, tx, moved, 'decision', reason);
    return moved;
  }

  private async changes(ctx: Ctx, tx: Tx, document: Document, type: DocumentTypeVersion, to: DocumentState): Promise<Partial<Document>> {
    const { requires_approval } = type.definition;
    const isAnew = OPEN.includes(to) && document.finalized_at !== null;
    const anew = isAnew ? newRevision(document, requires_approval) : {};
    const base: Partial<Document> = { ...anew, approval_step: null, ...outcomeOf(document, to, requires_approval) };
    if (to === 'in_approval') return { ...base, ...(await this.approvals.begin(ctx, tx, document, type.definition)) };
    if (to === 'finalized' && document.finalized_at === null)
      return { ...base, ...(await this.finalization.freeze(ctx, tx, document, type)) };
    return base;
  }
}

function outcomeOf({ approval_outcome }: Document, to: DocumentState, requiresApproval: boolean): Partial<Document> {
  if (!requiresApproval) return {};
  if (to === 'rejected' || to === 'returned' || to === 'approved') return { approval_outcome: to };
  return { approval_outcome: to === 'draft' ? 'pending' : approval_outcome };
}
