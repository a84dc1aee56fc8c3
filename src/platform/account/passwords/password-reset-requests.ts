import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { Contexts, Mails, newToken, Store } from '../../../kit/index.js';
import { platformSql } from '../../../kit/internal.js';
import { BaseUrl } from '../../config/base-url.js';
import { CONSOLE_PATHS } from '../../config/console-paths.js';
import { HAS_MAIL_SERVER } from '../../mail/mail-outbox.js';
import { normalizeEmail } from '../../people/model/member.dto.js';
import { Member } from '../../people/model/member.entity.js';
import { poolOf } from '../../persistence/database/pool.js';
import { run } from '../../persistence/rows/reader.js';
import { newPasswordMail } from '../mails/account-mails.js';
import { JobNotifier } from '../../queue/job-notifier.js';
import { QueueWorker, type WorkQueue } from '../../queue/queue-worker.js';

const LINK_MINUTES = 60;
const LINKS_PER_HOUR = 3;
/** A person can be a member of several organizations; each account gets a link of its own. */
const MOST_MEMBERSHIPS = 10;
const BATCH = 10;
/** After this time a request is due again if its worker has died. */
const LEASE_MS = 60_000;

interface Account {
  member_id: string;
  organization_id: string;
  organization: string;
}

/**
 * Requests for a link that sets a new password. A request only writes a row, so the response time does not reveal whether the address is
 * known. A worker looks the address up and mails the links.
 */
@Injectable()
export class PasswordResetRequests implements WorkQueue, OnModuleInit {
  readonly name = 'account.password_resets';
  private readonly log = new Logger('Account');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly mails: Mails,
    private readonly notifier: JobNotifier,
    private readonly worker: QueueWorker,
    private readonly baseUrl: BaseUrl,
    @Inject(HAS_MAIL_SERVER) readonly sendsMail: boolean,
  ) {}

  onModuleInit(): void {
    if (this.sendsMail) this.worker.register(this);
  }

  async add(email: string): Promise<void> {
    // a link in the outbox, which colleagues may read, would let them take over the account
    if (!this.sendsMail) return;
    await run(poolOf(this.dataSource), {
      text: 'INSERT INTO password_reset_requests (id, email) VALUES ($1, $2)',
      values: [uuidv7(), normalizeEmail(email)],
    });
    this.notifier.notify(this.name);
  }

  async runBatch(): Promise<boolean> {
    const pool = poolOf(this.dataSource);
    const { rows } = await run<{ id: string; email: string }>(pool, {
      text: `UPDATE password_reset_requests r SET due_at = now() + $1 * interval '1 millisecond'
             FROM (SELECT id FROM password_reset_requests WHERE due_at <= now() ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS due
             WHERE r.id = due.id RETURNING r.id, r.email`,
      values: [LEASE_MS, BATCH],
    });
    for (const { id, email } of rows) {
      try {
        await this.mailLinks(email);
        await run(pool, { text: 'DELETE FROM password_reset_requests WHERE id = $1', values: [id] });
      } catch (error) {
        this.log.warn(`The links of request ${id} could not be written; they are due again in a minute: ${(error as Error).message}`);
      }
    }
    return rows.length === BATCH;
  }

  /** Mails a link to each active account with the address. */
  private async mailLinks(email: string): Promise<void> {
    const { rows } = await run<Account>(poolOf(this.dataSource), {
      text: `SELECT m.id AS member_id, m.organization_id, o.name AS organization
             FROM members m JOIN organizations o ON o.id = m.organization_id AND o.closed_at IS NULL
             WHERE m.email = $1 AND m.status = 'active' ORDER BY m.created_at, m.id LIMIT ${MOST_MEMBERSHIPS}`,
      values: [email],
    });
    for (const account of rows) await this.mailLink(email, account);
  }

  private mailLink(email: string, { member_id, organization_id, organization }: Account): Promise<void> {
    const ctx = this.contexts.system({ organizationId: organization_id, projectId: null, mode: 'live' });
    const { token, hash } = newToken();
    const link = `${this.baseUrl.value}${CONSOLE_PATHS.reset}?token=${token}`;
    return this.store.write(ctx, async (tx) => {
      // concurrent requests must not exceed the limit
      await tx.lock(Member, member_id);
      const recent = await tx.sql(platformSql(`SELECT 1 FROM password_resets WHERE member_id = $1 AND expires_at > now()`, [member_id]));
      if (recent.length >= LINKS_PER_HOUR) return;
      await tx.sql(
        platformSql(
          `INSERT INTO password_resets (token_hash, organization_id, member_id, expires_at)
         VALUES ($1, $2, $3, now() + $4 * interval '1 minute')`,
          [hash, organization_id, member_id, LINK_MINUTES],
        ),
      );
      await this.mails.send(ctx, tx, newPasswordMail(email, organization, link, LINK_MINUTES));
    });
  }
}
