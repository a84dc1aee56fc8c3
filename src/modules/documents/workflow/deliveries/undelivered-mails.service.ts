import { Injectable } from '@nestjs/common';
import { Mails, type Ctx, type Tx } from '../../../../kit/index.js';
import type { MailPurpose } from '../../model/records/document-mail.entity.js';
import type { Document } from '../../model/records/document.entity.js';
import { DocumentLooks } from '../../settings/document-looks.service.js';
import { DocumentComments } from '../authoring/document-comments.service.js';
import { DocumentContacts } from '../authoring/document-contacts.service.js';
import { DocumentMoves } from '../moves/document-moves.js';
import type { MailSubject, Person } from './document-mails.js';
import { undeliveredCopyMail, undeliveredMail, type Rejection } from './undelivered-mail.js';

/** Reports mails about documents that a mail server has rejected: to the sender and the copies, on the document, and in its history. */
@Injectable()
export class UndeliveredMails {
  constructor(
    private readonly mails: Mails,
    private readonly looks: DocumentLooks,
    private readonly comments: DocumentComments,
    private readonly contacts: DocumentContacts,
    private readonly moves: DocumentMoves,
  ) {}

  /** The document must be locked. `label`: the role of a party that was asked to sign. */
  async report(
    ctx: Ctx,
    tx: Tx,
    document: Document,
    { name, email, label }: Person & { label?: string },
    purpose: MailPurpose | 'signature',
    said: string | null,
  ): Promise<void> {
    const subject: MailSubject = { document, look: await this.looks.of(ctx, document) };
    const { opening, advice } = subject.look.texts.mails.undelivered[purpose];
    const error = said ?? 'It gave no reason.';
    const rejection: Rejection = { happened: opening(label === undefined ? name : `${name} (${label})`, email), error, advice };
    await this.comments.add(ctx, tx, document, 'system', `${rejection.happened} ${error}`);
    await this.moves.record(ctx, tx, document, 'papers.undelivered', {
      to_state: document.state,
      detail: { name, email, purpose, error },
    });
    const senders = await this.contacts.senders(ctx, tx, document);
    for (const sender of senders) await this.mails.send(ctx, tx, undeliveredMail(sender, subject, rejection));
    // who approves concerns members only
    if (purpose === 'decision') return;
    const told = new Set([email, ...senders.map((sender) => sender.email)].map((address) => address.toLowerCase()));
    for (const { as, ...to } of await this.contacts.copied(tx, document))
      if (!told.has(to.email.toLowerCase())) await this.mails.send(ctx, tx, undeliveredCopyMail(to, as, subject, rejection.happened));
  }
}
