import { Injectable } from '@nestjs/common';
import type { Tx, Visitor } from '../../../../../kit/index.js';
import type { Document } from '../../../model/records/document.entity.js';
import { SignatureParty, signersOf, type Authentication, type Signature } from '../../../model/records/signature-party.entity.js';
import { DocumentViews } from '../../../views/document-views.js';
import { DocumentMoves } from '../../moves/document-moves.js';
import { Execution } from '../execution/execution.service.js';
import { evidenceOf, nextMoment } from '../execution/party-evidence.js';
import { Invitations } from '../parties/invitations.service.js';
import { awaited } from '../parties/signing-order.js';
import type { SigningLink } from './signing-links.service.js';

/** Records a signature with its evidence; invites the parties whose turn it is, or executes the document after the last one. */
@Injectable()
export class Accepting {
  constructor(
    private readonly views: DocumentViews,
    private readonly moves: DocumentMoves,
    private readonly invitations: Invitations,
    private readonly execution: Execution,
  ) {}

  /** The transaction must have locked the document, and the party must be able to sign it. */
  async accept(
    { ctx, look, kind, madeBy }: SigningLink,
    tx: Tx,
    document: Document,
    { id, auth }: SignatureParty,
    given: { signature: Signature; initials: Signature | null; field_values: Record<string, string> },
    visitor: Visitor,
  ): Promise<void> {
    const before = await this.views.of(ctx, document);
    const earlier = signersOf(await tx.list(SignatureParty, { document_id: document.id, revision: document.revision }));
    const by = kind === 'session' ? 'embedded_link' : 'mailed_link';
    const authentication: Authentication = auth === 'otp' ? `${by}_and_code` : by;
    const facts = {
      ...given,
      authentication,
      link_made_by: madeBy,
      status: 'signed' as const,
      signed_at: nextMoment(earlier, tx.startedAt),
      consent_text: look.texts.sign.consent,
      address: visitor.address,
      user_agent: visitor.userAgent,
    };
    const party = await tx.get(SignatureParty, id);
    const evidence_sha256 = evidenceOf(document.content_sha256 as string, earlier, { ...party, ...facts } as SignatureParty);
    const signed = await tx.update(party, { ...facts, evidence_sha256 });
    const options = {
      before,
      context: { signed: { party: { key: signed.key, name: signed.name, email: signed.email }, reason: null } },
      detail: { party: signed.key, address: visitor.address, evidence_sha256 },
    };
    const parties = await tx.list(SignatureParty, { document_id: document.id, revision: document.revision });
    if (awaited(parties).length > 0) {
      await this.invitations.inviteDue(ctx, tx, document);
      const shown = document.state === 'partially_signed' ? await tx.advanced.touch(document) : document;
      await this.moves.move(ctx, tx, shown, 'sign', 'partially_signed', options);
      return;
    }
    const changes = await this.execution.execute(ctx, tx, await this.invitations.subjectOf(ctx, document), signersOf(parties));
    await this.moves.move(ctx, tx, document, 'sign', 'executed', { ...options, changes });
  }
}
