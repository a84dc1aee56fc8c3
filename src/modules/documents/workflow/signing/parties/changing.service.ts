import { Injectable } from '@nestjs/common';
import { CommonErrors, Mails, type Ctx, type Tx } from '../../../../../kit/index.js';
import type { Document } from '../../../model/records/document.entity.js';
import { MOST_EARLIER_SIGNERS, SignatureParty } from '../../../model/records/signature-party.entity.js';
import { DocumentMoves } from '../../moves/document-moves.js';
import { Invitations } from './invitations.service.js';
import { replacedMail } from './signing-mails.js';

/** The previous person's openings are not those of the next one. */
const NOT_OPENED = { last_viewed_at: null, viewed_address: null, viewed_user_agent: null };

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
   * that somebody else signs. The document must be locked, and the party must not have signed or declined. `passedOn`: from which address
   * the party itself named the person.
   */
  async change(
    ctx: Ctx,
    tx: Tx,
    document: Document,
    party: SignatureParty,
    person: { name: string; email: string },
    passedOn: { address: string } | null = null,
  ): Promise<SignatureParty> {
    const { name, email } = party;
    const isSame = person.email.toLowerCase() === email.toLowerCase();
    if (isSame && person.name === name) return party;
    if (party.earlier_signers.length >= MOST_EARLIER_SIGNERS)
      throw CommonErrors.resourceConflict({
        message: `The signer of this party was replaced ${MOST_EARLIER_SIGNERS} times and cannot be replaced again. Revoke the document.`,
      });
    await this.moves.record(ctx, tx, document, 'papers.change_party', {
      to_state: document.state,
      detail: { party: party.key, from: { name, email }, to: person, ...(passedOn && { delegated: true, ...passedOn }) },
    });
    const replaced_by = passedOn ? ('party' as const) : ('sender' as const);
    const earlier = { name, email, replaced_by, replaced_at: tx.startedAt.toISOString() };
    const changes = { name: person.name, earlier_signers: [...party.earlier_signers, earlier] };
    const fresh = { ...changes, email: person.email, viewed_at: null, ...NOT_OPENED, reminders: 0 };
    if (isSame || party.status === 'waiting') return tx.update(party, isSame ? changes : fresh);
    await this.invitations.withdraw(tx, party);
    // not to those who delegated themselves
    if (!passedOn) await this.mails.send(ctx, tx, replacedMail(party, await this.invitations.subjectOf(ctx, document)));
    return this.invitations.invite(ctx, tx, document, party, fresh);
  }

  /** Whether another party of the document has this address. */
  async isTaken(tx: Tx, { id, revision }: Document, party: SignatureParty, email: string): Promise<boolean> {
    const parties = await tx.list(SignatureParty, { document_id: id, revision });
    return parties.some((other) => other.id !== party.id && other.email.toLowerCase() === email.toLowerCase());
  }
}
