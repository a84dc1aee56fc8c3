import { Injectable } from '@nestjs/common';
import { Mails, type Ctx, type Tx } from '../../../../kit/index.js';
import type { Trigger } from '../../model/core/document-states.js';
import type { Document } from '../../model/records/document.entity.js';
import { SignatureParty } from '../../model/records/signature-party.entity.js';
import type { MoveHook } from '../../moves/move-hook.js';
import { Invitations } from './invitations.service.js';
import { revokedMail } from './signing-mails.js';

/** Tells everyone who was asked to sign a document that it was revoked. */
@Injectable()
export class NotifyRevoked implements MoveHook {
  constructor(
    private readonly mails: Mails,
    private readonly invitations: Invitations,
  ) {}

  async afterMove(ctx: Ctx, tx: Tx, document: Document, trigger: Trigger | 'override'): Promise<void> {
    if (trigger !== 'revoke') return;
    // the parties of a document that was never sent have no row; those that were not reached yet have no mail
    const parties = await tx.list(SignatureParty, { document_id: document.id, revision: document.revision });
    const asked = parties.filter(({ mail_id, status }) => mail_id !== null && status !== 'declined');
    if (asked.length === 0) return;
    const subject = await this.invitations.subjectOf(ctx, document);
    const wasExecuted = document.executed_at !== null;
    for (const party of asked) await this.mails.send(ctx, tx, revokedMail(party, subject, wasExecuted && party.status === 'signed'));
  }
}
