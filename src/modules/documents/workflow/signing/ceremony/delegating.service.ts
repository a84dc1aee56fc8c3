import { Injectable } from '@nestjs/common';
import { isEmailAddress, Mails, Store, type FormProblem, type Tx, type Visitor } from '../../../../../kit/index.js';
import { DocumentContacts } from '../../authoring/document-contacts.service.js';
import { isBeingSigned } from '../../../model/core/document-states.js';
import { Document } from '../../../model/records/document.entity.js';
import { SignatureParty } from '../../../model/records/signature-party.entity.js';
import { DocumentMoves } from '../../moves/document-moves.js';
import { ReminderLimit } from '../../moves/reminder-limit.js';
import { PartyChanges } from '../parties/changing.service.js';
import { Invitations } from '../parties/invitations.service.js';
import { delegatedMail } from '../parties/signing-mails.js';
import type { SigningLink } from './signing-links.service.js';
import type { DelegateDto } from './signing.dto.js';

/** Handles two actions of a party besides signing: delegating to another person, and requesting a newer link. */
@Injectable()
export class Delegating {
  constructor(
    private readonly store: Store,
    private readonly mails: Mails,
    private readonly contacts: DocumentContacts,
    private readonly moves: DocumentMoves,
    private readonly changes: PartyChanges,
    private readonly invitations: Invitations,
  ) {}

  /** Why the document cannot be passed on to this person. */
  async problems(
    { look }: SigningLink,
    tx: Tx,
    document: Document,
    party: SignatureParty,
    { delegate_name = '', delegate_email = '' }: DelegateDto,
  ): Promise<FormProblem[]> {
    const { problems: texts } = look.texts;
    const email = delegate_email.trim();
    const found: FormProblem[] = [];
    if (delegate_name.trim() === '') found.push({ field: 'delegate_name', text: texts.personName });
    if (!isEmailAddress(email)) found.push({ field: 'delegate_email', text: texts.personEmail });
    else if (email.toLowerCase() === party.email.toLowerCase()) found.push({ field: 'delegate_email', text: texts.personSame });
    else if (await this.changes.isTaken(tx, document, party, email)) found.push({ field: 'delegate_email', text: texts.personParty });
    return found;
  }

  /** The transaction must have locked the document, and the party must be able to sign it. */
  async delegate(
    { ctx }: SigningLink,
    tx: Tx,
    document: Document,
    party: SignatureParty,
    { delegate_name = '', delegate_email = '' }: DelegateDto,
    { address }: Visitor,
  ): Promise<void> {
    const person = { name: delegate_name.trim(), email: delegate_email.trim() };
    await this.changes.change(ctx, tx, document, party, person, { address });
    await tx.advanced.touch(document);
    const subject = await this.invitations.subjectOf(ctx, document);
    for (const to of await this.contacts.senders(ctx, tx, document))
      await this.mails.send(ctx, tx, delegatedMail(to, party, person, subject));
  }

  /** Mails a new link to the owner of an earlier one. False if the owner was reminded within the hour, or has nothing to sign. */
  renew({ ctx, kind, documentId, partyId }: SigningLink): Promise<boolean> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, documentId);
      const party = await tx.find(SignatureParty, partyId);
      const isOpen = party !== null && (party.status === 'invited' || party.status === 'viewed');
      if (kind !== 'earlier' || !isOpen || party.revision !== document.revision || !isBeingSigned(document.state)) return false;
      const limit = await ReminderLimit.of(tx, document);
      if (!limit.admits(party.email)) return false;
      await this.invitations.remind(ctx, tx, document, party);
      await this.moves.record(ctx, tx, document, 'papers.remind', {
        to_state: document.state,
        detail: { party: party.key, reminded: [party.email], asked_by_party: true },
      });
      await tx.advanced.touch(document);
      return true;
    });
  }
}
