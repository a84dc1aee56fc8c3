import { Injectable } from '@nestjs/common';
import { isEmailAddress, Mails, type FormProblem, type Tx, type Visitor } from '../../../../../kit/index.js';
import { DocumentContacts } from '../../authoring/document-contacts.service.js';
import type { Document } from '../../../model/records/document.entity.js';
import type { SignatureParty } from '../../../model/records/signature-party.entity.js';
import { PartyChanges } from '../parties/changing.service.js';
import { Invitations } from '../parties/invitations.service.js';
import { delegatedMail } from '../parties/signing-mails.js';
import type { SigningLink } from './signing-links.service.js';
import type { DelegateDto } from './signing.dto.js';

/** A party lets another person sign instead. */
@Injectable()
export class Delegating {
  constructor(
    private readonly mails: Mails,
    private readonly contacts: DocumentContacts,
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
}
