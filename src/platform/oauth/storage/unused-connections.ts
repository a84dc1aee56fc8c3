import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { poolOf } from '../../persistence/database/pool.js';
import { ScheduledJobRunner, type ScheduledWork } from '../../scheduled-jobs/scheduled-job-runner.js';
import { Connections } from './connections.js';

const MOST_AT_ONCE = 500;
/** The code is issued right after the key is made, unless the process ends between the two. */
const WITHOUT_CODE_SECONDS = 120;

/**
 * Revokes connections that no client can use: those whose code was not exchanged, and those whose last refresh token has
 * expired. Without this they would look as if an app had access.
 */
@Injectable()
export class UnusedConnections implements ScheduledWork {
  readonly name = 'oauth.end_unused_connections';
  readonly everySeconds = 60;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly connections: Connections,
    runner: ScheduledJobRunner,
  ) {
    runner.register(this);
  }

  async run(_now: Date, signal: AbortSignal): Promise<void> {
    const { rows } = await poolOf(this.dataSource).query<{ id: string }>(
      `SELECT k.id FROM api_keys k
       WHERE k.origin = 'oauth' AND k.status <> 'revoked' AND (k.expires_at IS NULL OR k.expires_at > now())
         AND k.created_at < now() - make_interval(secs => $1)
         AND NOT EXISTS (SELECT 1 FROM oauth_records r WHERE r.api_key_id = k.id AND r.expires_at > now())
       LIMIT $2`,
      [WITHOUT_CODE_SECONDS, MOST_AT_ONCE],
    );
    for (const { id } of rows) {
      signal.throwIfAborted();
      await this.connections.revoke(id, null);
    }
  }
}
