import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { Contexts, Files, Jobs, own, sql, Store, table, type FileOf, type Sql, type TokenRow, type Tx } from '../../../kit/index.js';
import { fingerprintOf, messageIdIn } from '../mail/inbound/message-id.js';
import { ReadMail } from './read-mail.job.js';
import { DeskMailbox } from '../model/mailbox.entity.js';
import { InboundMailRow } from '../model/mails.entity.js';

const byHash = (hash: string) => sql.unscoped('the mailbox that a token names')`
  SELECT m.id, m.organization_id, m.project_id, m.mode, NULL::text AS email FROM ${table(DeskMailbox)} m
  WHERE m.token_hash = ${hash} AND m.active`;

/** Whether the mail `i` is the same as one with the fingerprint. Of mails from before there were fingerprints, the Message-ID decides. */
export function isTwin(fingerprint: string | null): Sql {
  return sql`(${fingerprint}::text IS NULL OR i.fingerprint IS NULL OR i.fingerprint = ${fingerprint})`;
}

const readAgain = (mailboxId: string, messageId: string | null, raw: Buffer, object: string | null, fingerprint: string) => sql`
  UPDATE ${table(InboundMailRow)} again
  SET status = 'received', reason = NULL, raw_until_at = NULL, fingerprint = ${fingerprint},
    version = again.version + 1, updated_at = now()
  WHERE ${own('again')} AND again.id = (
    SELECT kept.id FROM ${table(InboundMailRow)} kept
    WHERE ${own('kept')} AND kept.mailbox_id = ${mailboxId} AND kept.message_id = ${messageId} AND kept.status IN ('filed', 'failed')
      AND (kept.content_object_id = ${object}::uuid OR sha256(kept.content) = ${hash('sha256', raw, 'buffer')})
    ORDER BY kept.id LIMIT 1)
    AND NOT EXISTS (
      SELECT FROM ${table(InboundMailRow)} i
      WHERE ${own('i')} AND i.mailbox_id = ${mailboxId} AND i.message_id = ${messageId}
        AND ${isTwin(fingerprint)} AND i.status IN ('received', 'processed'))
  RETURNING again.id`;

/** Accepts mails from gateways. They are stored as received and parsed by a job, so that gateways need not wait. */
@Injectable()
export class ReceivedMails {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly jobs: Jobs,
    private readonly files: Files,
  ) {}

  async receive(token: string, raw: Buffer, requestId: string): Promise<{ message_id: string; repeated: boolean }> {
    const { ctx, row: mailbox } = await this.contexts.byToken<TokenRow>(token, byHash, {
      unknown: 'There is no such mailbox.',
      requestId,
    });
    const messageId = messageIdIn(raw);
    const fingerprint = fingerprintOf(raw);
    return this.store.write(ctx, async (tx) => {
      await lockDeliveries(tx, mailbox.id, messageId);
      const { content, content_object_id: object }: FileOf<'content'> = await this.files.keep(tx, InboundMailRow, 'content', raw);
      // a mail that became no ticket is read again, because its domain may be trusted now
      const [kept] = await tx.sql<{ id: string }>(readAgain(mailbox.id, messageId, raw, object, fingerprint));
      const [stored = kept] = kept
        ? []
        : await tx.sql<{ id: string }>(
            sql`INSERT INTO ${table(InboundMailRow)} (id, organization_id, project_id, mode, mailbox_id, message_id, fingerprint,
                content, content_object_id)
              SELECT ${uuidv7()}, ${own.organization}, ${mailbox.project_id}, ${own.mode}, ${mailbox.id}, ${messageId}, ${fingerprint},
                ${content ?? null}::bytea, ${object}::uuid
              WHERE NOT EXISTS (
                SELECT FROM ${table(InboundMailRow)} i
                WHERE ${own('i')} AND i.mailbox_id = ${mailbox.id} AND i.message_id = ${messageId}
                  AND ${isTwin(fingerprint)} AND i.status IN ('received', 'processed'))
              ON CONFLICT (mailbox_id, message_id, fingerprint) WHERE status IN ('received', 'processed') DO NOTHING RETURNING id`,
          );
      if (stored) await this.jobs.add(ctx, tx, ReadMail, { mail_id: stored.id }, { key: stored.id });
      return { message_id: messageId, repeated: stored === undefined };
    });
  }
}

/** Serializes deliveries of one Message-ID to a mailbox. Taken before any row of these mails is locked. */
export function lockDeliveries(tx: Tx, mailboxId: string, messageId: string | null): Promise<void> {
  return tx.advanced.mutex(`desk mail ${mailboxId} ${messageId}`);
}
