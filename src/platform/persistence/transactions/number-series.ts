import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'pg';
import { dedicatedPool } from '../database/dedicated-pool.js';
import { run } from '../rows/reader.js';

/** A number, and the database's time when it was reserved. */
export interface ReservedNumber {
  number: number;
  now: Date;
}

/** The requests for numbers of one series that wait for the next statement. */
interface Series {
  organizationId: string;
  /** The organization's id for a series of the organization. */
  projectId: string;
  mode: string;
  name: string;
  /** In the order of the requests. */
  waiting: PromiseWithResolvers<ReservedNumber>[];
}

const INSERT = 'INSERT INTO counters AS c (organization_id, project_id, mode, series, last)';
const ADD = 'ON CONFLICT (organization_id, project_id, mode, series) DO UPDATE SET last = c.last + excluded.last';
const ASYNCHRONOUSLY = `set_config('synchronous_commit', 'off', true)`;
const NOW = 'now()::timestamptz(3) AS now';

/** Most batches contain one series: arrays would take PostgreSQL longer than the update itself. */
const RESERVE_ONE = `
  ${INSERT} SELECT $1::uuid, $2::uuid, $3, $4, $5::integer FROM ${ASYNCHRONOUSLY} ${ADD} RETURNING 1 AS ordinal, last, ${NOW}`;
const RESERVE_MANY = `
  WITH reserved AS (
    ${INSERT}
    SELECT s.* FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::integer[]) AS s, ${ASYNCHRONOUSLY}
    ${ADD}
    RETURNING organization_id, project_id, mode, series, last
  )
  SELECT s.ordinal::integer, reserved.last, ${NOW}
  FROM reserved
  JOIN unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY AS s (organization_id, project_id, mode, series, ordinal)
  USING (organization_id, project_id, mode, series)`;

export const ADVANCE = `
  ${INSERT} VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (organization_id, project_id, mode, series) DO UPDATE SET last = greatest(c.last, excluded.last)`;

/**
 * Reserves numbers regardless of whether the requesting transaction commits, so that no transaction waits for the end of another.
 * Requests that arrive while a statement runs share the next one.
 *
 * The statement has its own connection, because the requester already holds one of the pool. It commits asynchronously, which is
 * safe: its commit precedes that of any change that uses the numbers, so a crash that loses it loses those changes too.
 */
@Injectable()
export class NumberSeries implements OnApplicationShutdown {
  private readonly pool: Pool;
  private requested = new Map<string, Series>();
  private running = false;

  constructor(url: string) {
    this.pool = dedicatedPool({ url, name: 'numbers' });
  }

  next(organizationId: string, projectId: string, mode: string, name: string): Promise<ReservedNumber> {
    const key = `${organizationId}${projectId}${mode}${name}`;
    let series = this.requested.get(key);
    if (!series) this.requested.set(key, (series = { organizationId, projectId, mode, name, waiting: [] }));
    const number = Promise.withResolvers<ReservedNumber>();
    series.waiting.push(number);
    if (!this.running) void this.reserveWaiting();
    return number.promise;
  }

  /** Continues a series after `last` at least. */
  async advance(organizationId: string, projectId: string, mode: string, name: string, last: number): Promise<void> {
    await run(this.pool, { text: ADVANCE, values: [organizationId, projectId, mode, name, last] });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  private async reserveWaiting(): Promise<void> {
    this.running = true;
    while (this.requested.size > 0) {
      // requests that arrived together share a statement
      await nextTurn();
      // in a fixed order, so that processes lock the rows in the same order
      const batch = [...this.requested].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, series]) => series);
      this.requested = new Map();
      try {
        await this.reserve(batch);
      } catch (error) {
        for (const { waiting } of batch) for (const { reject } of waiting) reject(error);
      }
    }
    this.running = false;
  }

  private async reserve(batch: readonly Series[]): Promise<void> {
    const columns = [
      batch.map((s) => s.organizationId),
      batch.map((s) => s.projectId),
      batch.map((s) => s.mode),
      batch.map((s) => s.name),
      batch.map((s) => s.waiting.length),
    ];
    const statement = batch.length === 1 ? { text: RESERVE_ONE, values: columns.flat() } : { text: RESERVE_MANY, values: columns };
    const { rows } = await run<{ ordinal: number; last: number; now: Date }>(this.pool, statement);
    for (const { ordinal, last, now } of rows) {
      const { waiting } = batch[ordinal - 1];
      waiting.forEach(({ resolve }, index) => resolve({ number: last - waiting.length + 1 + index, now }));
    }
  }
}
