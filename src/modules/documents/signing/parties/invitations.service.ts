import { Injectable } from '@nestjs/common';
import { Mails, newToken, Settings, type Ctx, type Tx } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import { due } from './signing-order.js';
import { SignatureParty } from '../../model/records/signature-party.entity.js';
import { executedMail, invitationMail, type SigningSubject } from './signing-mails.js';

/** Mails the parties their links. A token appears only in its mail and is not stored, so every mail has a new token. */
@Injectable()
export class Invitations {
  constructor(
    private readonly mails: Mails,
    private readonly settings: Settings,
  ) {}

  /** Invites all parties that are next in the signing order. */
  async inviteDue(ctx: Ctx, tx: Tx, document: Document): Promise<void> {
    const parties = await tx.list(SignatureParty, { document_id: document.id, revision: document.revision });
    for (const party of due(parties)) await this.invite(ctx, tx, document, party);
  }

  /** Mails a new link. The previous link stops working. */
  async invite(ctx: Ctx, tx: Tx, document: Document, party: SignatureParty): Promise<SignatureParty> {
    const { token, hash } = newToken();
    const mail_id = await this.mails.send(ctx, tx, invitationMail(party, await subjectOf(ctx, tx, document), this.link(token)));
    const [mail] = await this.mails.states(ctx, [mail_id]);
    const invitation = mail?.status === 'held' || mail?.status === 'suppressed' ? 'accepted' : 'sending';
    return tx.update(party, {
      status: 'invited',
      token_hash: hash,
      mail_id,
      invitation,
      otp_hash: null,
      otp_expires_at: null,
      otp_failures: 0,
    });
  }

  /** Mails all signers a link to the executed document. The links with which they signed keep working. */
  async sendCopies(ctx: Ctx, tx: Tx, document: Document): Promise<void> {
    const subject = await subjectOf(ctx, tx, document);
    for (const party of await tx.list(SignatureParty, { document_id: document.id, revision: document.revision, status: 'signed' })) {
      const { token, hash } = newToken();
      await this.mails.send(ctx, tx, executedMail(party, subject, this.link(token)));
      await tx.update(party, { copy_token_hash: hash });
    }
  }

  private link(token: string): string {
    return `${this.settings.baseUrl}/s/${token}`;
  }
}

/** The mails name the organization as the sender. */
export async function subjectOf(ctx: Ctx, tx: Tx, document: Document): Promise<SigningSubject> {
  const [{ name }] = await tx.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [ctx.organizationId]);
  return { document, organization: name };
}
