import { Injectable } from '@nestjs/common';
import { Mails, type Ctx, type Tx } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import { SignatureParty } from '../../model/records/signature-party.entity.js';
import { DocumentMoves } from '../../moves/document-moves.js';
import { Invitations } from './invitations.service.js';
import { replacedMail } from './signing-mails.js';

/** Replaces the person who signs as a party. */
@Injectable()
export class PartyChanges {
  constructor(
    private readonly mails: Mails,
    private readonly moves: DocumentMoves,
    private readonly invitations: Invitations,
  ) {}

  /**
   * Gives the party another name or address. A party that was invited is invited again, and the link of the previous person shows only
   * that somebody else signs. The document must be locked, and the party must not have signed or declined.
   */
  async change(
    ctx: Ctx,
    tx: Tx,
    document: Document,
    party: SignatureParty,
    person: { name: string; email: string },
    detail: Record<string, unknown> = {},
  ): Promise<SignatureParty> {
    const isSame = person.email.toLowerCase() === party.email.toLowerCase();
    await this.moves.record(ctx, tx, document, 'papers.change_party', {
      to_state: document.state,
      detail: { party: party.key, from: { name: party.name, email: party.email }, to: person, ...detail },
    });
    const fresh = { ...person, viewed_at: null, reminders: 0 };
    if (isSame || party.status === 'waiting') return tx.update(party, isSame ? { name: person.name } : fresh);
    await this.invitations.retire(tx, party, 'passed_on');
    // not to those who delegated themselves
    if (detail.delegated !== true) await this.mails.send(ctx, tx, replacedMail(party, await this.invitations.subjectOf(ctx, document)));
    return this.invitations.invite(ctx, tx, document, party, fresh);
  }

  /** Whether another party of the document has this address. */
  async isTaken(tx: Tx, { id, revision }: Document, party: SignatureParty, email: string): Promise<boolean> {
    const parties = await tx.list(SignatureParty, { document_id: id, revision });
    return parties.some((other) => other.id !== party.id && other.email.toLowerCase() === email.toLowerCase());
  }
}
