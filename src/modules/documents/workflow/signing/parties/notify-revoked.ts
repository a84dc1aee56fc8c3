import { Injectable } from '@nestjs/common';
import { Mails, Members, type Ctx, type Tx } from '../../../../../kit/index.js';
import type { Trigger } from '../../../model/core/document-states.js';
import { ApprovalRequest } from '../../../model/records/approval-request.entity.js';
import { DocumentCopy } from '../../../model/records/document-copy.entity.js';
import type { Document } from '../../../model/records/document.entity.js';
import { SignatureParty } from '../../../model/records/signature-party.entity.js';
import type { MoveHook } from '../../moves/move-hook.js';
import { Invitations } from './invitations.service.js';
import { revokedMail, type Involvement } from './signing-mails.js';

/** Tells everyone who was ever asked to sign a document, who got a copy or approved it, that it was revoked. */
@Injectable()
export class NotifyRevoked implements MoveHook {
  constructor(
    private readonly mails: Mails,
    private readonly members: Members,
    private readonly invitations: Invitations,
  ) {}

  async afterMove(ctx: Ctx, tx: Tx, document: Document, trigger: Trigger | 'override'): Promise<void> {
    if (trigger !== 'revoke') return;
    const signers = await this.signersOf(tx, document);
    const involved = new Map<string, { name: string; email: string; as: Involvement }>();
    for (const person of await this.approversOf(ctx, tx, document)) involved.set(person.email.toLowerCase(), { ...person, as: 'approved' });
    for (const person of await this.invitations.asked(tx, document)) {
      const address = person.email.toLowerCase();
      involved.set(address, { ...person, as: signers.has(address) ? 'signed' : 'asked' });
    }
    for (const copy of await tx.list(DocumentCopy, { document_id: document.id })) {
      if (copy.sent_at === null && copy.completed_at === null) continue;
      const address = copy.email.toLowerCase();
      if (!involved.has(address)) involved.set(address, { name: copy.name, email: copy.email, as: 'copied' });
    }
    if (involved.size === 0) return;
    const subject = await this.invitations.subjectOf(ctx, document);
    for (const { as, ...to } of involved.values()) await this.mails.send(ctx, tx, revokedMail(to, as, subject));
  }

  /** The addresses of those who signed the document, if all parties have. */
  private async signersOf(tx: Tx, { id, revision, executed_at }: Document): Promise<Set<string>> {
    if (executed_at === null) return new Set();
    const parties = await tx.list(SignatureParty, { document_id: id, revision, status: 'signed' });
    return new Set(parties.map(({ email }) => email.toLowerCase()));
  }

  /** Those who approved the current submission, except who revokes it. */
  private async approversOf(ctx: Ctx, tx: Tx, { id, approval_round: round }: Document): Promise<{ name: string; email: string }[]> {
    const requests = await tx.list(ApprovalRequest, { document_id: id, round, decision: 'approved' });
    const ids = requests.flatMap(({ approver_id, substitute_id }) => [approver_id ?? [], substitute_id ?? []].flat());
    const approvers = await this.members.byIds(ctx, [...new Set(ids)]);
    return approvers
      .filter((member) => member.status === 'active' && member.id !== ctx.memberId)
      .map(({ name, email }) => ({ name, email }));
  }
}
