import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../persistence/database/pool.js';

/**
 * The transaction of an event that drew its sequence earlier had begun earlier. Only transactions that write have an id. The limit keeps
 * a forgotten transaction from holding events back for ever; no transaction of a request takes 10 minutes.
 */
const OLDEST_WRITER = `
  SELECT greatest(least(min(xact_start), now()), now() - interval '10 minutes')::text AS time
  FROM pg_stat_activity
  WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()`;

/**
 * Sequences are drawn before their transactions commit, so an event can appear after others with later sequences. A reader who continues
 * after the last one would miss it. So only events up to the last settled one are read: once the time of `before` has been read, every
 * event with an earlier sequence than one that was drawn before that time has been committed, or never will be.
 */
@Injectable()
export class SettledEvents {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Ask before the statement that reads the events: what commits between the two is seen then. The time is a parameter of a statement. It
   * moves on from page to page, so it is no part of what makes a list the same for its cursors.
   */
  async before(): Promise<{ toPostgres(): string; toJSON(): null }> {
    const { rows } = await poolOf(this.dataSource).query<{ time: string }>(OLDEST_WRITER);
    return { toPostgres: () => rows[0].time, toJSON: () => null };
  }
}
