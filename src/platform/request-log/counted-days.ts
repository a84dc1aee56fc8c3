import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DAY_MS, firstIdAt, HOUR_MS } from '../../kit/index.js';
import { modulesWithOwnKeys } from '../keys/key-permissions.js';
import { ScopeCatalog } from '../keys/scope-catalog.js';
import { ScheduledJobRunner, type ScheduledWork } from '../scheduled-jobs/scheduled-job-runner.js';
import { stepSql } from './latency-histogram.js';

/** A day is counted once its entries have been written, also those that waited for the database. */
const AFTER_END_MS = HOUR_MS;

/** How far back the first run begins. */
const MOST_DAYS = 400;

/** The columns by which calls are counted. Analytics reads either these counts, or the entries grouped in the same way. */
export const GROUPINGS = {
  interval: ['start_at'],
  route: ['method', 'route', 'operation', 'status', 'code', 'tool'],
  key: ['api_key_id'],
} as const;

export type Grouping = keyof typeof GROUPINGS;

/** Counts the log's entries of each whole day once. The counts are kept as long as the entries. */
@Injectable()
export class CountedDays implements ScheduledWork {
  readonly name = 'request_log.count_days';
  readonly everySeconds = 10 * 60;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly catalog: ScopeCatalog,
    runner: ScheduledJobRunner,
  ) {
    runner.register(this);
  }

  async run(now: Date, signal: AbortSignal): Promise<void> {
    const end = startOfDay(now.getTime() - AFTER_END_MS);
    for (let day = await this.firstUncounted(); day !== null && day < end; day += DAY_MS) {
      signal.throwIfAborted();
      await this.count(day);
    }
  }

  /** The days within the span that are counted, as one span; null if there are none. */
  async within(manager: EntityManager, from: Date, to: Date): Promise<{ from: Date; to: Date } | null> {
    const [{ first, last, days }] = await manager.query<{ first: Date | null; last: Date | null; days: number }[]>(
      `SELECT min(start_at) AS first, max(start_at) AS last, count(*)::int AS days FROM request_log_days
       WHERE start_at >= $1 AND start_at <= $2::timestamptz - interval '1 day'`,
      [from, to],
    );
    if (first === null || last === null) return null;
    const end = new Date(last.getTime() + DAY_MS);
    return end.getTime() - first.getTime() === days * DAY_MS ? { from: first, to: end } : null;
  }

  /** Null if the log is empty. */
  private async firstUncounted(): Promise<number | null> {
    const [{ counted, oldest }] = await this.dataSource.query<{ counted: Date | null; oldest: Date | null }[]>(
      `SELECT (SELECT max(start_at) FROM request_log_days) AS counted,
              (SELECT created_at FROM request_logs ORDER BY id LIMIT 1) AS oldest`,
    );
    if (counted) return counted.getTime() + DAY_MS;
    return oldest && startOfDay(Math.max(oldest.getTime(), Date.now() - MOST_DAYS * DAY_MS));
  }

  private async count(day: number): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const counted = await manager.query<unknown[]>(`INSERT INTO request_log_days VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1`, [
        new Date(day),
      ]);
      if (counted.length === 0) return;
      await hashOnly(manager);
      // without a time limit, a day that takes too long would keep all later ones from being counted
      await manager.query(`SET LOCAL statement_timeout = '10min'`);
      for (const [grouping, columns] of Object.entries(GROUPINGS)) {
        const names = ['organization_id', 'plane', 'mode', 'of_lead_key', ...columns].join(', ');
        // an entry is written after its call, so its id is of the same time or a later one
        await manager.query(
          `INSERT INTO request_log_counts (day, "grouping", ${names}, errors, steps)
           SELECT $1, $2, ${names}, sum(errors), string_agg(step || ':' || calls, ',')
           FROM (SELECT ${names}, step, sum(calls) AS calls, coalesce(sum(calls) FILTER (WHERE result >= 400), 0) AS errors
                 FROM (SELECT t.organization_id, t.plane, t.mode, coalesce(k.module = ANY ($5::text[]), false) AS of_lead_key,
                         date_bin('1 hour', t.created_at, 'epoch') AS start_at, t.method, t.route, t.operation, t.status,
                         t.status AS result, t.calls, t.code, t.tool, t.api_key_id, ${stepSql('t.latency_ms')} AS step
                       FROM request_logs t LEFT JOIN api_keys k ON k.id = t.api_key_id
                       WHERE t.id >= $3 AND t.created_at >= $1 AND t.created_at < $1::timestamptz + interval '1 day'
                         AND t.id < $4 AND t.organization_id IS NOT NULL) AS entries
                 GROUP BY ${names}, step) AS counted
           GROUP BY ${names}`,
          [new Date(day), grouping, firstIdAt(day), firstIdAt(day + DAY_MS + AFTER_END_MS), modulesWithOwnKeys(this.catalog)],
        );
      }
    });
  }
}

/** The planner overestimates the groups of an expression, and would sort millions of rows on disk. */
export async function hashOnly(manager: EntityManager): Promise<void> {
  await manager.query(`SET LOCAL enable_sort = off`);
  await manager.query(`SET LOCAL work_mem = '64MB'`);
}

function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}
