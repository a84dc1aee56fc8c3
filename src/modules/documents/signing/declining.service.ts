import { Injectable } from '@nestjs/common';
import { Mails, Members, type Ctx, type Tx, type Visitor } from '../../../kit/index.js';
import { AuditEntry } from '../documents/audit-entry.entity.js';
import { DocumentViews } from '../documents/document-views.js';
import type { Document } from '../documents/document.entity.js';
import { DocumentMoves } from '../workflow/document-moves.js';
import { subjectOf } from './invitations.service.js';
import { signersOf } from './party-evidence.js';
import { SignatureParty } from './signature-party.entity.js';
import type { SigningLink } from './signing-links.service.js';
import { declinedMail } from './signing-mails.js';

/** A party says no: the document is declined for all, and those whom it concerns are told. */
@Injectable()
export class Declining {
  constructor(
    private readonly views: DocumentViews,
    private readonly moves: DocumentMoves,
    private readonly members: Members,
    private readonly mails: Mails,
  ) {}

  /** For a document that the transaction has locked, and a party that may sign it. */
  async decline({ ctx }: SigningLink, tx: Tx, document: Document, { id }: SignatureParty, reason: string, { address, userAgent }: Visitor): Promise<void> {
    const before = await this.views.of(ctx, document);
    const party = await tx.update(await tx.get(SignatureParty, id), { status: 'declined', declined_at: new Date(), decline_reason: reason, address, user_agent: userAgent });
    const context = { declined: { party: { key: party.key, name: party.name, email: party.email }, reason } };
    const declined = await this.moves.move(ctx, tx, document, 'decline', 'declined', { before, context, detail: { party: party.key, address, reason } });
    const subject = await subjectOf(ctx, tx, declined);
    for (const to of await this.concerned(ctx, tx, document, party)) await this.mails.send(ctx, tx, declinedMail(to, party, subject));
  }

  /** Who wrote the document and who sent it, where those are members, and who signed it before; nobody twice. */
  private async concerned(ctx: Ctx, tx: Tx, { id, revision, created_by }: Document, party: SignatureParty): Promise<{ name: string; email: string }[]> {
    const author = created_by.email === null ? null : await this.members.byEmail(ctx, created_by.email);
    const sent = (await tx.list(AuditEntry, { document_id: id, action: 'papers.send' })).at(-1);
    const senders = typeof sent?.detail.member_id === 'string' ? await this.members.byIds(ctx, [sent.detail.member_id]) : [];
    const signers = signersOf(await tx.list(SignatureParty, { document_id: id, revision }));
    const people = [...(author ? [author] : []), ...senders.filter(({ status }) => status === 'active'), ...signers];
    const byAddress = new Map(people.map(({ name, email }) => [email.toLowerCase(), { name, email }]));
    byAddress.delete(party.email.toLowerCase());
    return [...byAddress.values()];
  }
}
