import { Injectable } from '@nestjs/common';
import { Mails, type Ctx, type Mail, type Tx } from '../../../../kit/index.js';
import { DocumentMail, type MailPurpose } from '../../model/records/document-mail.entity.js';
import type { Document } from '../../model/records/document.entity.js';
import type { Person } from './document-mails.js';

/** Writes mails about documents of which the sender is told if they cannot be delivered. */
@Injectable()
export class FollowedMails {
  constructor(private readonly mails: Mails) {}

  async send(ctx: Ctx, tx: Tx, { id, project_id }: Document, { name, email }: Person, purpose: MailPurpose, mail: Mail): Promise<void> {
    const mail_id = await this.mails.send(ctx, tx, mail);
    // mails of test mode are never sent
    if (ctx.mode === 'live')
      await tx.advanced.pipelined.insert(DocumentMail, { project_id, document_id: id, mail_id, purpose, name, email });
  }
}
