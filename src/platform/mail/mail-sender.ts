import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { ownTransport } from './own-transport.js';
import { DataSource } from 'typeorm';
import { Files, FileUnavailable, Lazy, type FileOf, type MailTransport } from '../../kit/index.js';
import { inWork } from '../../kit/internal.js';
import { TaskWork } from '../logging/task-work.js';
import { WorkLines } from '../logging/work-lines.js';
import { Metrics } from '../metrics/metrics.js';
import { OutboundSwitch } from '../outbound/outbound-switch.js';
import { poolOf } from '../persistence/database/pool.js';
import { isOpen } from '../persistence/rows/open-organizations.js';
import { systemContext } from '../persistence/transactions/call-context.js';
import { QueueWorker, type WorkQueue } from '../queue/queue-worker.js';
import { leaseIsOver } from '../queue/worker-presence.js';
import { ScheduledJobRunner } from '../scheduled-jobs/scheduled-job-runner.js';
import { MAIL_QUEUE } from './mail-outbox.js';
import { cidOf, logoIn, MailLooks } from './mail-looks.js';
import { MailServer } from './mail-server.js';
import type { MailRow } from './mail.entity.js';
import { faultOf, serverFaultOf, type FaultKind, type SmtpError } from './smtp-faults.js';

export const MAIL_SETTINGS = Symbol('mail settings');
export const MAIL_TRANSPORT = Symbol('mail transport of a module');

export interface MailSettings {
  /** Undefined if a module sends mails. */
  smtpUrl: string | undefined;
  from: string;
}

const AT_ONCE = 5;
/** Longer than a slow server takes. A worker that ends loses its leases within seconds. */
const LEASE_MS = 30 * 60_000;
const CONNECT_TIMEOUT_MS = 60_000;
/** RFC 5321, 4.5.3.2.6: to stop waiting earlier for the response to a message means to send it twice. */
const RESPONSE_TIMEOUT_MS = 10 * 60_000;
/** A mail waits no longer for its logo, in place of which it shows a name; others with that logo do not wait in the next minute. */
const LOGO_TIMEOUT_MS = 5_000;
const WITHOUT_LOGO_MS = 60_000;
/** At shutdown, connections that are still in use are closed after this time. */
const DRAIN_MS = 15_000;
const FIRST_WAIT_MS = 15_000;
const WAIT_FACTOR = 3;
const LONGEST_WAIT_MS = 2 * 60 * 60_000;
/** A mail that the server has not seen can be tried more often: it is not sent twice, and the server is not asked for each mail. */
const LONGEST_WAIT_FOR_SERVER_MS = 10 * 60_000;

const SENT = [
  ...(['organization_id', 'shown_to', 'cc', 'files'] as const),
  ...(['id', 'recipient', 'subject', 'text', 'html', 'sender_name', 'reply_to', 'message_id', 'reference_ids', 'auto_submitted'] as const),
  ...(['calendar_method', 'calendar', 'tries', 'give_up_at', 'traceparent'] as const),
];
const COLUMNS = SENT.map((name) => `m.${name}`).join(', ');

type Due = Pick<MailRow, (typeof SENT)[number]>;

const DUE_MAILS = `
  SELECT 'mail' AS queue, '' AS kind, count(*) AS depth, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float AS oldest_due_seconds
  FROM mails WHERE status = 'queued' AND leased_until IS NULL AND due_at <= now() AND ${isOpen('organization_id')}`;

/** A mail of a sequence waits for earlier ones; one that is being sent counts as queued. */
const IS_NEXT = `(q.sequence_key IS NULL OR NOT EXISTS (
  SELECT 1 FROM mails earlier
  WHERE earlier.status = 'queued' AND earlier.sequence_key = q.sequence_key AND earlier.recipient = q.recipient
    AND earlier.organization_id = q.organization_id AND earlier.position < q.position))`;

/**
 * Sends queued mails by SMTP, or by the transport of a module. Only a refusal of the recipient or of the message is final; anything else is
 * tried again until `give_up_at`. A mail that the server accepted just before a crash is sent twice, with the same Message-ID.
 */
@Injectable()
export class MailSender implements WorkQueue, OnModuleInit, OnApplicationShutdown {
  readonly name = MAIL_QUEUE;
  private readonly log = new Logger('Mail');
  private readonly transport = new Lazy<Transporter>(() => connect(this.settings, this.own()));
  private readonly sending = new Set<Promise<void>>();
  /** Logos that could not be read a short time ago. */
  private readonly unreadable = new LRUCache<string, true>({ max: 200, ttl: WITHOUT_LOGO_MS });

  constructor(
    private readonly dataSource: DataSource,
    private readonly worker: QueueWorker,
    private readonly jobs: ScheduledJobRunner,
    private readonly server: MailServer,
    private readonly looks: MailLooks,
    private readonly metrics: Metrics,
    private readonly outbound: OutboundSwitch,
    private readonly lines: WorkLines,
    private readonly files: Files,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
    @Inject(MAIL_TRANSPORT) private readonly own: () => MailTransport | null,
  ) {}

  onModuleInit(): void {
    this.worker.register(this);
    this.metrics.backlog(DUE_MAILS);
  }

  async onApplicationShutdown(): Promise<void> {
    (await this.transport.ifLoaded())?.close();
  }

  async runBatch(): Promise<boolean> {
    if (!this.outbound.isOpen) return false;
    const free = this.server.capacity(AT_ONCE) - this.sending.size;
    if (free <= 0) return false;
    // what a failing server is tried with is a mail that it has refused least often: one bad mail must not keep the others waiting
    const order = this.server.state.status === 'failing' ? 'tries, due_at' : 'due_at';
    const { rows } = await poolOf(this.dataSource).query<Due>(
      // taking over from a worker that ended is not another attempt
      `UPDATE mails m SET leased_until = now() + $1 * interval '1 millisecond', leased_by = $3,
         tries = CASE WHEN m.leased_until IS NULL THEN m.tries + 1 ELSE m.tries END
       FROM (
         SELECT id FROM mails q WHERE status = 'queued' AND due_at <= now() AND (leased_until IS NULL OR ${leaseIsOver('q')})
           AND ${IS_NEXT} AND ${isOpen('q.organization_id')}
         ORDER BY ${order} LIMIT $2 FOR UPDATE SKIP LOCKED
       ) AS due
       WHERE m.id = due.id RETURNING ${COLUMNS}`,
      [LEASE_MS, free, this.worker.id],
    );
    for (const mail of rows) {
      const fields = { mail_id: mail.id, attempt: mail.tries, organization_id: mail.organization_id };
      const work = new TaskWork('mail', fields).beginSpan({ parent: mail.traceparent, kind: 'client' });
      const sent = inWork(work, () => this.send(mail, work)).finally(() => {
        this.sending.delete(sent);
        this.worker.notify(this.name);
      });
      this.sending.add(sent);
    }
    return false;
  }

  async drain(): Promise<void> {
    const all = Promise.all(this.sending);
    await Promise.race([all, sleep(DRAIN_MS, undefined, { ref: false })]);
    if (this.sending.size > 0) (await this.transport.get()).close({ force: true });
    await all;
  }

  private async send(mail: Due, work: TaskWork): Promise<void> {
    const startedAt = performance.now();
    let error: SmtpError | null = null;
    try {
      const transport = await this.transport.get();
      const logo = await this.logoOf(mail);
      const message: SendMailOptions & { mail: Due } = {
        from: senderOf(mail, this.settings.from),
        to: mail.shown_to ?? mail.recipient,
        cc: mail.cc ?? undefined,
        // each copy has its own recipient, who may refuse it
        envelope: { from: addressOf(this.settings.from), to: mail.recipient },
        attachments: [...(await this.filesOf(mail)), ...logo],
        replyTo: mail.reply_to ?? undefined,
        subject: mail.subject,
        text: mail.text,
        html: mail.html === null ? undefined : this.looks.shown(mail.html, logo.length > 0),
        messageId: mail.message_id ?? `<${mail.id}@${this.settings.from.replace(/^.*@|>$/g, '')}>`,
        inReplyTo: mail.reference_ids?.at(-1),
        references: mail.reference_ids ?? undefined,
        headers: headersOf(mail),
        // only the transport of a module reads it
        mail,
        // not `icalEvent`, which attaches the object a second time as a file
        alternatives:
          mail.calendar === null
            ? undefined
            : [{ contentType: `text/calendar; charset=utf-8; method=${mail.calendar_method}`, content: mail.calendar }],
      };
      await transport.sendMail(message);
    } catch (thrown) {
      error = thrown as SmtpError;
    }
    const fault = error && faultOf(error);
    if (error && (fault === 'server' || fault === 'uncertain')) this.pause(error);
    else if (error && fault === 'denied') this.server.denied(error);
    else if (error === null || error.responseCode) this.server.worked();
    await this.settle(mail, error, fault, work, performance.now() - startedAt).catch((failure: Error) =>
      this.log.warn(`Mail ${mail.id} was sent, but its result could not be stored, so it is sent again: ${failure.message}`),
    );
  }

  private async filesOf({ organization_id, files }: Due): Promise<{ filename: string; contentType: string; content: Buffer }[]> {
    if (files === null) return [];
    const { rows } = await poolOf(this.dataSource).query<FileOf<'content'> & { sha256: string }>(
      'SELECT sha256, content, content_object_id FROM mail_files WHERE organization_id = $1 AND sha256 = ANY ($2)',
      [organization_id, files.map(({ sha256 }) => sha256)],
    );
    const ctx = systemContext(organization_id, 'live');
    const contents = new Map(await Promise.all(rows.map(async (row) => [row.sha256, await this.files.read(ctx, row, 'content')] as const)));
    return files.map(({ sha256, file_name: filename, media_type: contentType }) => {
      const content = contents.get(sha256);
      if (!content) throw new Error(`The file ${filename} is no longer stored`);
      return { filename, contentType, content };
    });
  }

  /** Part of the mail, because programs hide images of other servers until their reader asks for them. */
  private async logoOf({ organization_id, html }: Due): Promise<{ cid: string; contentType: string; filename: string; content: Buffer }[]> {
    const id = logoIn(html);
    if (id === null || this.unreadable.has(id)) return [];
    const read = this.looks.logo(systemContext(organization_id, 'live'), id).catch((error: unknown) => {
      if (error instanceof FileUnavailable) return undefined;
      throw error;
    });
    const logo = await Promise.race([read, sleep(LOGO_TIMEOUT_MS, undefined, { ref: false })]);
    if (logo === undefined) this.unreadable.set(id, true);
    return logo ? [{ cid: cidOf(id), contentType: 'image/png', filename: 'logo.png', content: logo.png }] : [];
  }

  private pause(error: SmtpError): void {
    const pause = this.server.failed(error);
    setTimeout(() => this.worker.notify(this.name), pause + 1).unref();
  }

  private async settle(
    { id, tries, give_up_at }: Due,
    error: SmtpError | null,
    fault: FaultKind | null,
    work: TaskWork,
    milliseconds: number,
  ): Promise<void> {
    const isGivenUp = error !== null && fault !== 'refused' && give_up_at <= new Date();
    const status = error === null ? 'sent' : fault === 'refused' || isGivenUp ? 'failed' : 'queued';
    this.metrics.workEnded('mail', { outcome: status }, milliseconds);
    this.lines.ended(work, status, milliseconds);
    work.endSpan({ 'work_suite.outcome': status }, error);
    if (error && fault !== 'server' && fault !== 'denied') this.log.warn(`Mail ${id}, attempt ${tries}: ${error.message}`);
    const longest = fault === 'server' ? LONGEST_WAIT_FOR_SERVER_MS : LONGEST_WAIT_MS;
    const wait = Math.min(FIRST_WAIT_MS * WAIT_FACTOR ** (tries - 1), longest);
    const shown = error && `${isGivenUp ? 'Given up; send it again once the cause is removed. ' : ''}${error.message}`;
    await poolOf(this.dataSource).query(
      `UPDATE mails SET status = $3, error = $4, leased_until = NULL, leased_by = NULL, due_at = now() + $5 * interval '1 millisecond',
         text = CASE WHEN confidential AND $7 THEN '' ELSE text END,
         html = CASE WHEN confidential AND $7 THEN NULL ELSE html END,
         calendar = CASE WHEN confidential AND $7 THEN NULL ELSE calendar END,
         sent_at = CASE WHEN $3 = 'sent' THEN now() END, refused = $8,
         denied_fault = CASE WHEN $10 THEN denied_fault ELSE $9 END,
         denied_since = CASE WHEN $10 THEN denied_since WHEN $9::text IS NOT NULL THEN coalesce(denied_since, now()) END,
         updated_at = now(), version = version + 1
       WHERE id = $1 AND tries = $2 AND status = 'queued' AND leased_by = $6`,
      [
        ...[id, tries, status, shown?.slice(0, 500) ?? null, status === 'queued' ? wait : 0, this.worker.id],
        error === null || fault === 'refused',
        fault === 'refused',
        // a server that fails says nothing about the recipient
        error !== null && fault === 'denied' ? serverFaultOf(error) : null,
        fault === 'server',
      ],
    );
    if (status === 'queued') return;
    await this.jobs
      .runMailFollowers()
      .catch((failure: Error) => this.log.warn(`What follows mail ${id} waits for its next time: ${failure.message}`));
  }
}

/** Only the name may differ: the mail server is authorized to send for this address only. */
function senderOf({ sender_name }: Due, from: string): string | { name: string; address: string } {
  return sender_name === null ? from : { name: sender_name, address: addressOf(from) };
}

function addressOf(from: string): string {
  return /<([^<>]*)>\s*$/.exec(from)?.[1] ?? from;
}

/** Exchange replies automatically unless its own header is set; reports that a mail was not delivered (NDR) must still come. */
function headersOf({ auto_submitted }: Due): Record<string, string> {
  return auto_submitted === null ? {} : { 'Auto-Submitted': auto_submitted, 'X-Auto-Response-Suppress': 'DR, RN, NRN, OOF, AutoReply' };
}

async function connect({ smtpUrl }: MailSettings, own: MailTransport | null): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  if (own) return createTransport(ownTransport(own));
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: AT_ONCE,
    // the pool would send a mail again by itself when a connection closes
    maxRequeues: 0,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: RESPONSE_TIMEOUT_MS,
  } as never);
}
