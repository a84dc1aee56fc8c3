import { Injectable } from '@nestjs/common';
import { Members, type Ctx, type Member, type Tx } from '../../../../kit/index.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { DocumentCopy } from '../../model/records/document-copy.entity.js';
import type { Document } from '../../model/records/document.entity.js';

/** A person who gets a copy without signing. `planned`: had no mail about the document yet. */
export interface CopyRecipient {
  name: string;
  email: string;
  as: 'copied' | 'planned';
}

/** Whom to notify about a document: members, active ones, each once, and those who get a copy. */
@Injectable()
export class DocumentContacts {
  constructor(private readonly members: Members) {}

  /** The creator, or the submitter, or everyone who sets documents up: keys and triggers create documents without a member. */
  async responsible(ctx: Ctx, { created_by, submitted_by }: Document): Promise<Member[]> {
    const author = created_by.email === null ? null : await this.members.byEmail(ctx, created_by.email);
    if (author) return [author];
    const submitter = submitted_by === null ? [] : await this.active(ctx, submitted_by);
    return submitter.length > 0 ? submitter : this.members.withPermission(ctx, 'papers.setup.manage');
  }

  /** The responsible members, and the one who submitted it. */
  async submitters(ctx: Ctx, document: Document): Promise<Member[]> {
    const submitter = document.submitted_by === null ? [] : await this.active(ctx, document.submitted_by);
    return unique([...(await this.responsible(ctx, document)), ...submitter]);
  }

  /** The responsible members, and the one who sent it to the parties. */
  async senders(ctx: Ctx, tx: Tx, document: Document): Promise<Member[]> {
    const sent = (await tx.list(AuditEntry, { document_id: document.id, action: ['papers.send', 'papers.send_request'] })).at(-1);
    const sender = typeof sent?.detail.member_id === 'string' ? await this.active(ctx, sent.detail.member_id) : [];
    return unique([...(await this.responsible(ctx, document)), ...sender]);
  }

  /** Everyone who gets a copy, also while no party could be asked to sign. */
  async copied(tx: Tx, { id, revision, sending }: Document): Promise<CopyRecipient[]> {
    const cc = sending?.cc ?? [];
    if (cc.length === 0) return [];
    const copies = await tx.list(DocumentCopy, { document_id: id, revision });
    const mailed = new Set(copies.flatMap((copy) => ((copy.sent_at ?? copy.completed_at) ? [copy.email] : [])));
    return cc.map(({ name, email }) => ({ name, email, as: mailed.has(email) ? 'copied' : 'planned' }));
  }

  private async active(ctx: Ctx, id: string): Promise<Member[]> {
    return (await this.members.byIds(ctx, [id])).filter(({ status }) => status === 'active');
  }
}

function unique(members: readonly Member[]): Member[] {
  return [...new Map(members.map((member) => [member.id, member])).values()];
}
