import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Transporter } from 'nodemailer';
import { DataSource } from 'typeorm';
import { Lazy } from '../../kit/index.js';
import { poolOf } from '../persistence/database/pool.js';
import { QueueWorker, type WorkQueue } from '../queue/queue-worker.js';
import { leaseIsOver } from '../queue/worker-presence.js';
import { ScheduledJobRunner } from '../scheduled-jobs/scheduled-job-runner.js';
import { MAIL_QUEUE } from './mail-outbox.js';
import type { MailRow } from './mail.entity.js';

export const MAIL_SETTINGS = Symbol('mail settings');

export interface MailSettings {
  smtpUrl: string;
  from: string;
}

const AT_ONCE = 5;
const LEASE_MS = 60_000;
const SERVER_TIMEOUT_MS = 15_000;
const ATTEMPTS = 10;
const FIRST_WAIT_MS = 15_000;
const WAIT_FACTOR = 3;
const LONGEST_WAIT_MS = 2 * 60 * 60_000;

const SENT = [
  ...(['id', 'recipient', 'subject', 'text', 'html', 'sender_name', 'reply_to', 'message_id', 'reference_ids', 'auto_submitted'] as const),
  ...(['calendar_method', 'calendar', 'tries'] as const),
];
const COLUMNS = SENT.map((name) => `m.${name}`).join(', ');

type Due = Pick<MailRow, (typeof SENT)[number]>;

/** A mail of a sequence waits for earlier ones; one that is being sent counts as queued. */
const IS_NEXT = `(q.sequence_key IS NULL OR NOT EXISTS (
  SELECT 1 FROM mails earlier
  WHERE earlier.status = 'queued' AND earlier.sequence_key = q.sequence_key AND earlier.recipient = q.recipient
    AND earlier.organization_id = q.organization_id AND earlier.position < q.position))`;

/** Sends queued mails by SMTP. A mail that the server accepted just before a crash is sent twice, with the same Message-ID. */
@Injectable()
export class MailSender implements WorkQueue, OnModuleInit, OnApplicationShutdown {
  readonly name = MAIL_QUEUE;
  private readonly log = new Logger('Mail');
  private readonly transport = new Lazy<Transporter>(() => connect(this.settings));
  private readonly sending = new Set<Promise<void>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly worker: QueueWorker,
    private readonly jobs: ScheduledJobRunner,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
  ) {}

  onModuleInit(): void {
    this.worker.register(this);
  }

  async onApplicationShutdown(): Promise<void> {
    (await this.transport.ifLoaded())?.close();
  }

  async runBatch(): Promise<boolean> {
    const free = AT_ONCE - this.sending.size;
    if (free <= 0) return false;
    const { rows } = await poolOf(this.dataSource).query<Due>(
      // taking over from a worker that ended is not another attempt
      `UPDATE mails m SET leased_until = now() + $1 * interval '1 millisecond', leased_by = $3,
         tries = CASE WHEN m.leased_until IS NULL THEN m.tries + 1 ELSE m.tries END
       FROM (
         SELECT id FROM mails q WHERE status = 'queued' AND due_at <= now() AND (leased_until IS NULL OR ${leaseIsOver('q')})
           AND ${IS_NEXT}
         ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
       ) AS due
       WHERE m.id = due.id RETURNING ${COLUMNS}`,
      [LEASE_MS, free, this.worker.id],
    );
    for (const mail of rows) {
      const sent = this.send(mail).finally(() => {
        this.sending.delete(sent);
        this.worker.notify(this.name);
      });
      this.sending.add(sent);
    }
    return false;
  }

  async drain(): Promise<void> {
    await Promise.all(this.sending);
  }

  private async send(mail: Due): Promise<void> {
    let error: (Error & { responseCode?: number }) | null = null;
    try {
      const transport = await this.transport.get();
      await transport.sendMail({
        from: senderOf(mail, this.settings.from),
        to: mail.recipient,
        replyTo: mail.reply_to ?? undefined,
        subject: mail.subject,
        text: mail.text,
        html: mail.html ?? undefined,
        messageId: mail.message_id ?? `<${mail.id}@${this.settings.from.replace(/^.*@|>$/g, '')}>`,
        inReplyTo: mail.reference_ids?.at(-1),
        references: mail.reference_ids ?? undefined,
        headers: headersOf(mail),
        // not `icalEvent`, which attaches the object a second time as a file
        alternatives:
          mail.calendar === null
            ? undefined
            : [{ contentType: `text/calendar; charset=utf-8; method=${mail.calendar_method}`, content: mail.calendar }],
      });
    } catch (thrown) {
      error = thrown as Error;
    }
    await this.settle(mail, error).catch((failure: Error) =>
      this.log.warn(`Mail ${mail.id} was sent, but its result could not be stored, so it is sent again: ${failure.message}`),
    );
  }

  private async settle({ id, tries }: Due, error: (Error & { responseCode?: number }) | null): Promise<void> {
    // RFC 5321: 5xx is permanent
    const final = error !== null && ((error.responseCode ?? 0) >= 500 || tries >= ATTEMPTS);
    const status = error === null ? 'sent' : final ? 'failed' : 'queued';
    if (error) this.log.warn(`Mail ${id}, attempt ${tries}: ${error.message}`);
    const wait = Math.min(FIRST_WAIT_MS * WAIT_FACTOR ** (tries - 1), LONGEST_WAIT_MS);
    await poolOf(this.dataSource).query(
      `UPDATE mails SET status = $3, error = $4, leased_until = NULL, leased_by = NULL, due_at = now() + $5 * interval '1 millisecond',
         text = CASE WHEN confidential AND $3 <> 'queued' THEN '' ELSE text END,
         html = CASE WHEN confidential AND $3 <> 'queued' THEN NULL ELSE html END,
         calendar = CASE WHEN confidential AND $3 <> 'queued' THEN NULL ELSE calendar END,
         sent_at = CASE WHEN $3 = 'sent' THEN now() END, updated_at = now(), version = version + 1
       WHERE id = $1 AND tries = $2 AND status = 'queued' AND leased_by = $6`,
      [id, tries, status, error?.message.slice(0, 500) ?? null, status === 'queued' ? wait : 0, this.worker.id],
    );
    if (status === 'queued') return;
    await this.jobs
      .runMailFollowers()
      .catch((failure: Error) => this.log.warn(`What follows mail ${id} waits for its next time: ${failure.message}`));
  }
}

/** Only the name may differ: the mail server is authorized to send for this address only. */
function senderOf({ sender_name }: Due, from: string): string | { name: string; address: string } {
  return sender_name === null ? from : { name: sender_name, address: /<([^<>]*)>\s*$/.exec(from)?.[1] ?? from };
}

/** Exchange sends out-of-office replies unless its own header is set. */
function headersOf({ auto_submitted }: Due): Record<string, string> {
  return auto_submitted === null ? {} : { 'Auto-Submitted': auto_submitted, 'X-Auto-Response-Suppress': 'All' };
}

async function connect({ smtpUrl }: MailSettings): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: AT_ONCE,
    connectionTimeout: SERVER_TIMEOUT_MS,
    greetingTimeout: SERVER_TIMEOUT_MS,
    socketTimeout: SERVER_TIMEOUT_MS,
  } as never);
}
