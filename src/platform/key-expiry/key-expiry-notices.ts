import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Contexts, Mails, Members, Store } from '../../kit/index.js';
import { platformSql } from '../../kit/internal.js';
import { BaseUrl } from '../config/base-url.js';
import { keyPermissionOf } from '../keys/key-permissions.js';
import { ScopeCatalog } from '../keys/scope-catalog.js';
import { poolOf } from '../persistence/database/pool.js';
import { endingKeyMail, type NamedKey } from './ending-key-mail.js';
import { ScheduledJobRunner, type ScheduledWork } from '../scheduled-jobs/scheduled-job-runner.js';

/** How long before the end of a key mails are sent. */
const DAYS_BEFORE = [14, 2];

interface EndingKey extends NamedKey {
  id: string;
  organization_id: string;
  created_by: string | null;
  /** The notices that are due; more than one if no worker ran in between. */
  days: number[];
}

/** Tells who made a key, and who manages keys, 14 and 2 days before it expires. */
@Injectable()
export class KeyExpiryNotices implements ScheduledWork {
  readonly name = 'keys.announce_end';
  readonly everySeconds = 60 * 60;

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly members: Members,
    private readonly mails: Mails,
    private readonly baseUrl: BaseUrl,
    private readonly catalog: ScopeCatalog,
    runner: ScheduledJobRunner,
  ) {
    runner.register(this);
  }

  async run(now: Date, signal: AbortSignal): Promise<void> {
    // a key that was made for less than the time of a notice needs none
    const { rows } = await poolOf(this.dataSource).query<EndingKey>(
      `SELECT k.id, k.organization_id, k.name, k.module, k.mode, k.last_four, k.created_by, k.expires_at, array_agg(n.days) AS days
       FROM api_keys k CROSS JOIN unnest($2::int[]) AS n (days)
       WHERE k.status = 'active' AND k.expires_at > $1 AND k.expires_at <= $1::timestamptz + n.days * interval '1 day'
         AND k.created_at < k.expires_at - n.days * interval '1 day'
         AND NOT EXISTS (SELECT 1 FROM api_key_end_notices e WHERE e.api_key_id = k.id AND e.expires_at = k.expires_at AND e.days = n.days)
       GROUP BY k.id ORDER BY k.id`,
      [now, DAYS_BEFORE],
    );
    const failures: string[] = [];
    for (const key of rows) {
      signal.throwIfAborted();
      await this.announce(key, now).catch((error: Error) => failures.push(`${key.id}: ${error.message}`));
    }
    if (failures.length > 0) throw new Error(`The end of some keys could not be announced: ${failures.join('; ')}`);
  }

  private announce(key: EndingKey, now: Date): Promise<void> {
    const ctx = this.contexts.system({ organizationId: key.organization_id, projectId: null, mode: 'live' });
    return this.store.write(ctx, async (tx) => {
      const noted = await tx.sql(
        platformSql(
          `INSERT INTO api_key_end_notices (api_key_id, expires_at, days) SELECT $1, $2, unnest($3::smallint[])
         ON CONFLICT DO NOTHING RETURNING days`,
          [key.id, key.expires_at, key.days],
        ),
      );
      if (noted.length === 0) return;
      const permission = keyPermissionOf(this.catalog, key.module, 'create');
      const managers = await this.members.withPermission(ctx, permission);
      const makers = key.created_by === null ? [] : await this.members.byIds(ctx, [key.created_by]);
      const recipients = new Set([...managers, ...makers.filter(({ status }) => status === 'active')].map(({ email }) => email));
      const page = `${this.baseUrl.value}/console/keys/${key.id}`;
      for (const to of recipients) await this.mails.send(ctx, tx, endingKeyMail(to, key, now, page, permission));
    });
  }
}
