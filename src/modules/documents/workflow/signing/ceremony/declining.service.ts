import { currentTime } from '../../../../../kit/index.js';
import { Injectable } from '@nestjs/common';
import type { Tx, Visitor } from '../../../../../kit/index.js';
import { DocumentViews } from '../../../views/document-views.js';
import type { Document } from '../../../model/records/document.entity.js';
import { DocumentMoves } from '../../moves/document-moves.js';
import { SignatureParty } from '../../../model/records/signature-party.entity.js';
import type { SigningLink } from './signing-links.service.js';

/** Declines a document for all parties when one of them declines; `Copies` tells everyone concerned. */
@Injectable()
export class Declining {
  constructor(
    private readonly views: DocumentViews,
    private readonly moves: DocumentMoves,
  ) {}

  /** The transaction must have locked the document, and the party must be able to sign it. */
  async decline(
    { ctx }: SigningLink,
    tx: Tx,
    document: Document,
    { id }: SignatureParty,
    reason: string,
    { address, userAgent }: Visitor,
  ): Promise<void> {
    const before = await this.views.of(ctx, document);
    const party = await tx.update(await tx.get(SignatureParty, id), {
      status: 'declined',
      declined_at: currentTime(),
      decline_reason: reason,
      address,
      user_agent: userAgent,
    });
    const context = { declined: { party: { key: party.key, name: party.name, email: party.email }, reason } };
    await this.moves.move(ctx, tx, document, 'decline', 'declined', {
      before,
      context,
      detail: { party: party.key, address, reason },
    });
  }
}
