import { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Contexts, DueRow, ScheduledJobHandler, Sql } from '../../kit/index.js';
import type { ScheduledJobOptions } from '../../kit/internal.js';
import { isOpen } from '../persistence/rows/open-organizations.js';
import { renderSql, type TableOf } from '../persistence/rows/render-sql.js';
import { Values } from '../persistence/rows/sql.js';
import type { CallContext } from '../persistence/transactions/call-context.js';
import type { Lease } from '../queue/lease.js';
import { RowBackoff } from './row-backoff.js';

const BATCH = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Runs of a module's scheduled job: fetches its due rows in batches and hands them to the handler one by one. */
export class DueRows {
  private readonly log = new Logger('Scheduled jobs');
  private readonly backoff: RowBackoff;

  constructor(
    private readonly options: ScheduledJobOptions,
    private readonly handler: ScheduledJobHandler,
    private readonly pool: Pool,
    private readonly tableOf: TableOf,
    private readonly contexts: Contexts,
  ) {
    this.backoff = new RowBackoff(options.everySeconds);
  }

  /**
   * Handles all due rows, or those of some organizations; throws at the end if any of them failed. Without a lease, for a run
   * that somebody asked for, also those whose delay is not over.
   */
  async run(now: Date, signal: AbortSignal, lease: Lease | null, organizations?: readonly string[]): Promise<void> {
    let handled = 0;
    let delayed = 0;
    const failures: { id: string; error: Error }[] = [];
    await this.handler.prepare?.({ query: async (statement) => (await this.pool.query(this.render(statement))).rows }, now, signal);
    for await (const row of this.rows(now, organizations)) {
      signal.throwIfAborted();
      if (lease !== null && this.backoff.delays(row.id, now)) {
        delayed++;
        continue;
      }
      handled++;
      try {
        const tenant = { organizationId: row.organization_id, projectId: row.project_id, mode: row.mode };
        const ctx = this.contexts.system(tenant);
        if (lease) (ctx as CallContext).requireLease = () => lease.requireHeld();
        await this.handler.handle(ctx, row, now, signal);
        this.backoff.succeeded(row.id);
      } catch (error) {
        // an interrupted row has not failed: the run stays due for another worker
        signal.throwIfAborted();
        const seconds = this.backoff.failed(row.id, now);
        failures.push({ id: row.id, error: error as Error });
        this.log.warn(`${this.options.name}: row ${row.id} failed and is retried in ${seconds} s: ${(error as Error).message}`);
      }
    }
    this.backoff.forgetBefore(now);
    if (failures.length + delayed > 0) throw failure(handled, failures, delayed);
  }

  private render(statement: Sql): { text: string; values: unknown[] } {
    const values = new Values();
    return { text: renderSql(statement, null, this.tableOf, values), values: values.list };
  }

  /** Batches by id: a row that stays due after it was handled is not selected again in the same run. */
  private async *rows(now: Date, organizations?: readonly string[]): AsyncGenerator<DueRow> {
    const { text: due, values } = this.render(this.handler.due(now));
    const [afterId, ofThese] = [values.length + 1, values.length + 2];
    const filter = organizations ? `AND organization_id = ANY ($${ofThese}::uuid[])` : '';
    // materialized: the planner must find the due rows by the query's own indexes, not by scanning the ids
    const text = `WITH due AS MATERIALIZED (${due}) SELECT * FROM due
      WHERE id > $${afterId} AND ${isOpen('organization_id')} ${filter} ORDER BY id LIMIT ${BATCH}`;
    for (let after = FIRST_ID; ;) {
      const { rows } = await this.pool.query<DueRow>(text, [...values, after, ...(organizations ? [organizations] : [])]);
      yield* rows;
      if (rows.length < BATCH) return;
      after = rows[rows.length - 1].id;
    }
  }
}

function failure(handled: number, failures: readonly { id: string; error: Error }[], delayed: number): Error {
  const parts = [
    ...(failures.length > 0 ? [`${failures.length} of ${handled} rows failed, first ${failures[0].id}: ${failures[0].error.message}`] : []),
    ...(delayed > 0 ? [`${delayed} rows failed before and are retried later`] : []),
  ];
  return new Error(parts.join('; '), { cause: failures[0]?.error });
}
