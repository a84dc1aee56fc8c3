import { Injectable } from '@nestjs/common';
import { Mails, type Ctx, type Tx, type Visitor } from '../../../../../kit/index.js';
import { DocumentContacts } from '../../authoring/document-contacts.service.js';
import { DocumentViews } from '../../../views/document-views.js';
import type { Document } from '../../../model/records/document.entity.js';
import { DocumentMoves } from '../../moves/document-moves.js';
import { Invitations } from '../parties/invitations.service.js';
import { SignatureParty, signersOf } from '../../../model/records/signature-party.entity.js';
import type { SigningLink } from './signing-links.service.js';
import type { Person } from '../../deliveries/document-mails.js';
import { declinedMail } from '../parties/signing-mails.js';

/** Declines a document for all parties when one of them declines, and notifies the people concerned. */
@Injectable()
export class Declining {
  constructor(
    private readonly views: DocumentViews,
    private readonly moves: DocumentMoves,
    private readonly contacts: DocumentContacts,
    private readonly mails: Mails,
    private readonly invitations: Invitations,
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
      declined_at: new Date(),
      decline_reason: reason,
      address,
      user_agent: userAgent,
    });
    const context = { declined: { party: { key: party.key, name: party.name, email: party.email }, reason } };
    const declined = await this.moves.move(ctx, tx, document, 'decline', 'declined', {
      before,
      context,
      detail: { party: party.key, address, reason },
    });
    const subject = await this.invitations.subjectOf(ctx, declined);
    for (const { as, ...to } of await this.concerned(ctx, tx, document, party))
      await this.mails.send(ctx, tx, declinedMail(to, as, party, subject));
  }

  /** The author and the sender of the document and the parties that have signed, without duplicates. */
  private async concerned(ctx: Ctx, tx: Tx, document: Document, party: SignatureParty): Promise<Concerned[]> {
    const signers = signersOf(await tx.list(SignatureParty, { document_id: document.id, revision: document.revision }));
    const senders = await this.contacts.senders(ctx, tx, document);
    const people = [
      ...signers.map((one) => ({ ...one, as: 'signer' as const })),
      ...senders.map((one) => ({ ...one, as: 'sender' as const })),
    ];
    const byAddress = new Map(people.map(({ name, email, as }) => [email.toLowerCase(), { name, email, as }]));
    byAddress.delete(party.email.toLowerCase());
    return [...byAddress.values()];
  }
}

interface Concerned extends Person {
  as: 'sender' | 'signer';
}
