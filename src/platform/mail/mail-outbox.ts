import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  CommonErrors,
  Files,
  Mails,
  safeFileName,
  Store,
  type Ctx,
  type FileOf,
  type Mail,
  type MailedFile,
  type MailState,
  type Tx,
} from '../../kit/index.js';
import { currentTraceparent, platformSql } from '../../kit/internal.js';
import type { PgTx } from '../persistence/transactions/pg-tx.js';
import { JobNotifier } from '../queue/job-notifier.js';
import { MailFileRow, MailRow, type MailFileEntry } from './mail.entity.js';
import { framed } from './mail-frame.js';
import { MailLooks } from './mail-looks.js';
import { canResend } from './mails.dto.js';

export const MAIL_QUEUE = 'mail.send';
/** Injection token: whether a mail server is configured. */
export const HAS_MAIL_SERVER = Symbol('has mail server');

/** Implements the kit's `Mails`: framed mails as rows of the table `mails`, written in the caller's transaction. */
@Injectable()
export class MailOutbox extends Mails {
  constructor(
    private readonly store: Store,
    private readonly notifier: JobNotifier,
    private readonly looks: MailLooks,
    private readonly stored: Files,
    @Inject(HAS_MAIL_SERVER) private readonly hasMailServer: boolean,
  ) {
    super();
  }

  async send(
    ctx: Ctx,
    tx: Tx,
    { to, content, replyTo, messageId, references, autoSubmitted = 'auto-generated', calendar, confidential, ...rest }: Mail,
  ): Promise<string> {
    const { senderName, permission, onlyReader, sequenceKey, shownRecipients, files = [] } = rest;
    // a line break in a subject would inject another header
    const subject = rest.subject.replace(/\s+/g, ' ').trim();
    const look = await this.looks.of(tx);
    const { text, html } = framed(look, { subject, content, replyTo });
    const status = ctx.mode === 'test' ? 'suppressed' : this.hasMailServer ? 'queued' : 'held';
    const { id } = await tx.insert(MailRow, {
      recipient: to,
      subject,
      text,
      html,
      shown_to: shownRecipients?.to ?? null,
      cc: shownRecipients?.cc.length ? [...shownRecipients.cc] : null,
      files: files.length > 0 ? await this.storeFiles(ctx, tx, files) : null,
      sender_name: (senderName ?? look.organization).replace(/\s+/g, ' '),
      reply_to: replyTo ?? null,
      message_id: messageId ?? null,
      reference_ids: references?.length ? [...references] : null,
      auto_submitted: autoSubmitted === 'no' ? null : autoSubmitted,
      calendar_method: calendar?.method ?? null,
      calendar: calendar?.content ?? null,
      confidential: confidential ?? false,
      permission,
      only_reader_id: onlyReader ?? null,
      sequence_key: sequenceKey ?? null,
      mode: ctx.mode,
      project_id: ctx.projectId,
      status,
      traceparent: currentTraceparent(),
    });
    (tx as PgTx).ctx.owner.effects?.mails.push({ to, subject });
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

  resend(ctx: Ctx, id: string): Promise<MailRow> {
    this.requireMailServer();
    return this.store.write(ctx, async (tx) => {
      const mail = await tx.lock(MailRow, id);
      if (mail.mode === 'test') throw CommonErrors.resourceConflict({ message: 'Mails of test mode are never sent.' });
      if (mail.status !== 'failed' && mail.status !== 'held')
        throw CommonErrors.resourceConflict({ message: `The mail is ${mail.status}; only a failed or held one can be sent again.` });
      if (!canResend(mail))
        throw CommonErrors.resourceConflict({ message: 'The content was erased when the server refused the mail; cause a new mail.' });
      await this.queue(tx, 'id = $2', [ctx.organizationId, id]);
      return tx.get(MailRow, id);
    });
  }

  /** Those that no server rejected permanently, live and written at or after a time. */
  resendFailed(ctx: Ctx, since = '-infinity', dryRun = false): Promise<number> {
    this.requireMailServer();
    const which = `mode = 'live' AND created_at >= $2 AND (status = 'held' OR status = 'failed' AND NOT refused)
      AND NOT (confidential AND text = '')`;
    const values = [ctx.organizationId, since];
    return this.store.write(ctx, async (tx) => {
      if (!dryRun) return this.queue(tx, which, values);
      const [{ count }] = await tx.sql<{ count: number }>(
        platformSql(`SELECT count(*)::int AS count FROM mails WHERE organization_id = $1 AND ${which}`, values),
      );
      return count;
    });
  }

  private async queue(tx: Tx, where: string, values: unknown[]): Promise<number> {
    const queued = await tx.sql<{ files: MailFileEntry[] | null }>(
      platformSql(
        `UPDATE mails SET status = 'queued', resent = true, refused = false, tries = 0, due_at = now(),
         give_up_at = now() + interval '5 days', error = NULL,
         denied_fault = NULL, denied_since = NULL, updated_at = now(), version = version + 1
       WHERE organization_id = $1 AND ${where} RETURNING files`,
        values,
      ),
    );
    const files = new Set(queued.flatMap((mail) => mail.files ?? []).map(({ sha256 }) => sha256));
    if (files.size > 0) await tx.sql(platformSql(USE_FILES, [values[0], [...files]]));
    tx.afterCommit(() => this.notifier.notify(MAIL_QUEUE));
    return queued.length;
  }

  private async storeFiles({ organizationId }: Ctx, tx: Tx, files: readonly MailedFile[]): Promise<MailFileEntry[]> {
    // in one order, so that two mails with the same new files do not wait for each other
    const contents = new Map(files.map(({ bytes }) => [sha256Of(bytes), bytes] as const).sort(([one], [other]) => (one < other ? -1 : 1)));
    const known = await tx.sql<{ sha256: string }>(platformSql(USE_FILES, [organizationId, [...contents.keys()]]));
    for (const { sha256 } of known) contents.delete(sha256);
    for (const [sha256, bytes] of contents) {
      const { content, content_object_id }: FileOf<'content'> = await this.stored.keep(tx, MailFileRow, 'content', bytes);
      await tx.sql(
        platformSql(
          `INSERT INTO mail_files (organization_id, sha256, content, content_object_id) VALUES ($1, $2, $3, $4)
           ON CONFLICT (organization_id, sha256) DO UPDATE SET used_at = now()`,
          [organizationId, sha256, content ?? null, content_object_id],
        ),
      );
    }
    return files.map(({ fileName, mediaType: media_type, bytes }) => {
      return { sha256: sha256Of(bytes), file_name: safeFileName(fileName), media_type, size_bytes: bytes.length };
    });
  }

  private requireMailServer(): void {
    if (!this.hasMailServer) throw CommonErrors.resourceConflict({ message: 'No mail server is configured; set SMTP_URL.' });
  }
}

/** Also keeps the purge from removing them before the transaction ends. */
const USE_FILES = 'UPDATE mail_files SET used_at = now() WHERE organization_id = $1 AND sha256 = ANY ($2) RETURNING sha256';

const hashes = new WeakMap<Buffer, string>();

/** Every recipient's copy of a mail has the same files. */
function sha256Of(bytes: Buffer): string {
  let sha256 = hashes.get(bytes);
  if (sha256 === undefined) hashes.set(bytes, (sha256 = hash('sha256', bytes)));
  return sha256;
}
