import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'pg';
import { outsideOfWork } from '../../../kit/internal.js';
import { dedicatedPool } from '../database/dedicated-pool.js';
import type { Queryable } from '../rows/queryable.js';
import { run } from '../rows/reader.js';

/** A number, and the database's time when it was reserved. */
export interface ReservedNumber {
  number: number;
  now: Date;
}

/** A series of numbers. */
export interface Series {
  organizationId: string;
  /** The organization's id for a series of the organization. */
  projectId: string;
  mode: string;
  name: string;
}

/** The requests for numbers of one series that wait for the next statement. */
interface RequestedSeries extends Series {
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

const DRAW_GAPLESS = `${INSERT} VALUES ($1, $2, $3, $4, 1) ${ADD} RETURNING last`;

const ADVANCE = `
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
  readonly pool: Pool;
  private requested = new Map<string, RequestedSeries>();
  private running = false;

  constructor(url: string) {
    this.pool = dedicatedPool({ url, name: 'numbers' });
  }

  next(series: Series): Promise<ReservedNumber> {
    const key = keyOf(series);
    let requested = this.requested.get(key);
    if (!requested) this.requested.set(key, (requested = { ...series, waiting: [] }));
    const number = Promise.withResolvers<ReservedNumber>();
    requested.waiting.push(number);
    if (!this.running) void outsideOfWork(() => this.reserveWaiting());
    return number.promise;
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

  private async reserve(batch: readonly RequestedSeries[]): Promise<void> {
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

/** The series as a text. */
export function keyOf(series: Series): string {
  return valuesOf(series).join(' ');
}

/** Draws the next number of a gapless series, which is locked until the end of the transaction. */
export async function drawGapless(client: Queryable, series: Series): Promise<number> {
  return (await run<{ last: number }>(client, { text: DRAW_GAPLESS, values: valuesOf(series) })).rows[0].last;
}

/** Continues a series after `last` at least. */
export async function advance(client: Queryable, series: Series, last: number): Promise<void> {
  await run(client, { text: ADVANCE, values: [...valuesOf(series), last] });
}

function valuesOf({ organizationId, projectId, mode, name }: Series): string[] {
  return [organizationId, projectId, mode, name];
}
