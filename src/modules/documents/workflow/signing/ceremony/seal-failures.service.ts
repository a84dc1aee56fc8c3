import { Injectable } from '@nestjs/common';
import { Contexts, Mails, Store } from '../../../../../kit/index.js';
import { DocumentComments } from '../../authoring/document-comments.service.js';
import { DocumentContacts } from '../../authoring/document-contacts.service.js';
import { DocumentComment } from '../../../model/records/document-comment.entity.js';
import { Document } from '../../../model/records/document.entity.js';
import { Invitations } from '../parties/invitations.service.js';
import { unsealableMail } from '../parties/signing-mails.js';
import type { SigningLink } from './signing-links.service.js';

/** Tells the people who sent a document that its file cannot be sealed: only they can replace it. */
@Injectable()
export class SealFailures {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly comments: DocumentComments,
    private readonly contacts: DocumentContacts,
    private readonly mails: Mails,
    private readonly invitations: Invitations,
  ) {}

  /** After the signature was rolled back. Once for each file, however often the party tries. */
  report({ ctx: visitor, documentId }: SigningLink): Promise<void> {
    // the party wrote nothing
    const ctx = this.contexts.systemWithin(visitor);
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, documentId);
      const subject = await this.invitations.subjectOf(ctx, document);
      const { text, advice } = subject.look.texts.mails.unsealable;
      const body = `${text} ${advice}`;
      const told = await tx.list(DocumentComment, { document_id: documentId, kind: 'system', body });
      if (told.some(({ created_at }) => document.finalized_at && created_at > document.finalized_at)) return;
      await this.comments.add(ctx, tx, document, 'system', body);
      for (const to of await this.contacts.senders(ctx, tx, document)) await this.mails.send(ctx, tx, unsealableMail(to, subject));
    });
  }
}
