import { Inject, Injectable } from '@nestjs/common';
import { Mails, Store, type Ctx, type Mail, type MailState, type Tx } from '../../kit/index.js';
import { JobNotifier } from '../queue/job-notifier.js';
import { MailRow } from './mail.entity.js';

export const MAIL_QUEUE = 'mail.send';
/** Injection token: whether a mail server is configured. */
export const HAS_MAIL_SERVER = Symbol('has mail server');

/** Implements the kit's `Mails`: rows of the table `mails`, written in the caller's transaction. */
@Injectable()
export class MailOutbox extends Mails {
  constructor(
    private readonly store: Store,
    private readonly notifier: JobNotifier,
    @Inject(HAS_MAIL_SERVER) private readonly hasMailServer: boolean,
  ) {
    super();
  }

  async send(
    ctx: Ctx,
    tx: Tx,
    { to, subject, text, html, replyTo, messageId, references, autoSubmitted, calendar, confidential, ...rest }: Mail,
  ): Promise<string> {
    const { senderName, permission, onlyReader, sequenceKey } = rest;
    const status = ctx.mode === 'test' ? 'suppressed' : this.hasMailServer ? 'queued' : 'held';
    const { id } = await tx.insert(MailRow, {
      // a line break in a subject would inject another header
      recipient: to,
      subject: subject.replace(/[\r\n]+/g, ' '),
      text,
      html: html ?? null,
      sender_name: senderName?.replace(/[\r\n]+/g, ' ') ?? null,
      reply_to: replyTo ?? null,
      message_id: messageId ?? null,
      reference_ids: references?.length ? [...references] : null,
      auto_submitted: autoSubmitted ?? null,
      calendar_method: calendar?.method ?? null,
      calendar: calendar?.content ?? null,
      confidential: confidential ?? false,
      permission,
      only_reader_id: onlyReader ?? null,
      sequence_key: sequenceKey ?? null,
      mode: ctx.mode,
      project_id: ctx.projectId,
      status,
    });
    if (status === 'queued') tx.afterCommit(() => this.notifier.notify(MAIL_QUEUE));
    return id;
  }

  async states(ctx: Ctx, ids: readonly string[]): Promise<MailState[]> {
    if (ids.length === 0) return [];
    return (await this.store.list(ctx, MailRow, { id: [...ids] })).map(({ id, status, sent_at, error }) => ({
      id,
      status,
      sent_at,
      error,
    }));
  }
}
