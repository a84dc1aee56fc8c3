import { Injectable } from '@nestjs/common';
import { Mails, newToken, Settings, type Ctx, type Mail, type Tx } from '../../../../../kit/index.js';
import type { Document } from '../../../model/records/document.entity.js';
import { SignatureParty } from '../../../model/records/signature-party.entity.js';
import { SigningLinkRow, type SigningLinkKind } from '../../../model/records/signing-link.entity.js';
import { DocumentLooks } from '../../../settings/document-looks.service.js';
import { due } from './signing-order.js';
import type { MailSubject } from '../../deliveries/document-mails.js';
import { endingMail, invitationMail, reminderMail } from './signing-mails.js';

/**
 * Mails the parties their links. A token appears only in its mail and is not stored, so every mail has a new token; those of earlier
 * mails keep working until the party has signed, another person signs, or the document can no longer be signed.
 */
@Injectable()
export class Invitations {
  constructor(
    private readonly mails: Mails,
    private readonly settings: Settings,
    private readonly looks: DocumentLooks,
  ) {}

  /** How mails about a document look, and what they are about. */
  async subjectOf(ctx: Ctx, document: Document): Promise<MailSubject> {
    return { document, look: await this.looks.of(ctx, document) };
  }

  /** Invites all parties that are next in the signing order. */
  async inviteDue(ctx: Ctx, tx: Tx, document: Document): Promise<void> {
    const parties = await tx.list(SignatureParty, { document_id: document.id, revision: document.revision });
    for (const party of due(parties)) await this.invite(ctx, tx, document, party);
  }

  /** Mails a first link, or one to a new person. */
  invite(ctx: Ctx, tx: Tx, document: Document, party: SignatureParty, changes: Partial<SignatureParty> = {}): Promise<SignatureParty> {
    return this.mailLink(ctx, tx, document, party, invitationMail, changes);
  }

  /** Mails a link again. */
  async remind(
    ctx: Ctx,
    tx: Tx,
    document: Document,
    party: SignatureParty,
    changes: Partial<SignatureParty> = {},
  ): Promise<SignatureParty> {
    await this.retire(tx, party, 'earlier');
    return this.mailLink(ctx, tx, document, party, reminderMail, changes);
  }

  /** As `remind`, shortly before the time to sign ends. */
  async warn(ctx: Ctx, tx: Tx, document: Document, party: SignatureParty): Promise<SignatureParty> {
    await this.retire(tx, party, 'earlier');
    return this.mailLink(ctx, tx, document, party, endingMail, {});
  }

  /** Keeps a link beside the party, whose row has only that of its newest mail. */
  async retire(tx: Tx, party: SignatureParty, kind: SigningLinkKind): Promise<void> {
    const { id, project_id, document_id, token_hash, name, email } = party;
    if (token_hash === null) return;
    const owner = { owner_name: name, owner_email: email };
    await tx.insert(SigningLinkRow, { project_id, document_id, party_id: id, token_hash, kind, ...owner });
  }

  /** Retires all links of the person who no longer signs as the party, also those that a page in a frame has open. */
  async withdraw(tx: Tx, party: SignatureParty): Promise<void> {
    for (const link of await tx.list(SigningLinkRow, { document_id: party.document_id, party_id: party.id }))
      if (link.kind !== 'passed_on') await tx.update(link, { kind: 'passed_on' });
    await this.retire(tx, party, 'passed_on');
  }

  /** Everyone who was ever asked to sign the document, also those whom others replaced; people with the same address once. */
  async asked(tx: Tx, { id }: Document): Promise<{ name: string; email: string }[]> {
    const links = await tx.list(SigningLinkRow, { document_id: id });
    const parties = await tx.list(SignatureParty, { document_id: id });
    const people = [
      ...links.map(({ owner_name, owner_email }) => ({ name: owner_name ?? '', email: owner_email ?? '' })),
      // those whose turn has not come have no mail
      ...parties.filter(({ mail_id }) => mail_id !== null),
    ];
    const byAddress = new Map(people.map(({ name, email }) => [email.toLowerCase(), { name, email }]));
    byAddress.delete('');
    return [...byAddress.values()];
  }

  private async mailLink(
    ctx: Ctx,
    tx: Tx,
    document: Document,
    party: SignatureParty,
    mailOf: (party: SignatureParty, subject: MailSubject, link: string) => Mail,
    changes: Partial<SignatureParty>,
  ): Promise<SignatureParty> {
    const { token, hash } = newToken();
    const to = { ...party, ...changes } as SignatureParty;
    const mail_id = await this.mails.send(ctx, tx, mailOf(to, await this.subjectOf(ctx, document), this.link(token)));
    const [mail] = await this.mails.states(ctx, [mail_id]);
    const invitation = mail?.status === 'held' || mail?.status === 'suppressed' ? 'accepted' : 'sending';
    return tx.update(party, {
      ...changes,
      status: 'invited',
      token_hash: hash,
      mail_id,
      invitation,
      invited_at: tx.startedAt,
      otp_hash: null,
      otp_expires_at: null,
      otp_failures: 0,
    });
  }

  private link(token: string): string {
    return `${this.settings.baseUrl}/s/${token}`;
  }
}
