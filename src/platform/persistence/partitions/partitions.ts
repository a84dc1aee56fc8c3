import type { Pool } from 'pg';
import { DAY_MS } from '../../../kit/index.js';

/** How many partitions share the time for which rows are kept: fewer keep rows longer, more make every list slower. */
const PARTITIONS = 10;

/** A partition of a table; by the functions of the schema `partitions`, see the migration platform-partitions. */
export interface Partition {
  name: string;
  /** Null for the one with everything before partitions were made ahead, and for the one that takes what no other does. */
  begins_at: Date | null;
  ends_at: Date | null;
}

/** Of a partitioned table; none of any other, or of one that does not exist. */
export async function partitionsOf(pool: Pool, table: string): Promise<Partition[]> {
  const { rows } = await pool.query<Partition>(
    'SELECT partition::text AS name, begins_at, ends_at FROM partitions.list(to_regclass($1)) ORDER BY begins_at NULLS FIRST, ends_at',
    [table],
  );
  return rows;
}

/** The tables with their partitions, and those that have none as themselves: a ctid identifies a row of one of them only. */
export async function storedTables(pool: Pool, tables: readonly string[]): Promise<{ table: string; stored_as: string }[]> {
  const { rows } = await pool.query<{ table: string; stored_as: string }>(
    `SELECT t.name AS table, coalesce(p.partition::text, t.name) AS stored_as
     FROM unnest($1::text[]) AS t (name) LEFT JOIN LATERAL partitions.list(to_regclass(t.name)) AS p ON true`,
    [tables],
  );
  return rows;
}

/** The days of one partition of a table whose rows are kept so long. */
export function daysOfPartition(keepDays: number, partitions = PARTITIONS): number {
  return Math.max(1, Math.ceil(keepDays / partitions));
}

/** Makes the partitions of the next days, so that rows are never written without one of their own. */
export async function makePartitions(pool: Pool, table: string, keepDays: number, now: Date, partitions = PARTITIONS): Promise<void> {
  await pool.query('SELECT partitions.make_ahead($1::regclass, $2, $3)', [table, daysOfPartition(keepDays, partitions), now]);
}

/**
 * Drops the partitions all of whose rows are older than the time, each in a transaction of its own: a drop locks the whole table, and waits
 * for a second at most for those who read it or the partition.
 * @throws the first failure, after all have been tried
 */
export async function dropPartitions(pool: Pool, table: string, before: Date): Promise<void> {
  const failures: unknown[] = [];
  for (const { name, ends_at: end } of await partitionsOf(pool, table)) {
    if (end === null || end > before) continue;
    try {
      await pool.query('SELECT partitions.drop_one($1::regclass, to_regclass($2), $3)', [table, name, before]);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Drops the partitions that end before the time and have no rows, unless somebody reads the table. */
export async function dropEmptyPartitions(pool: Pool, table: string, before: Date): Promise<void> {
  await pool.query('SELECT partitions.drop_empty($1::regclass, $2)', [table, before]);
}

/** Whether rows of the partition go one by one, because it spans more time than rows are kept beyond their time. */
export function isLong({ begins_at, ends_at }: Partition, keepDays: number, partitions = PARTITIONS): boolean {
  return begins_at === null || ends_at === null || ends_at.getTime() - begins_at.getTime() > daysOfPartition(keepDays, partitions) * DAY_MS;
}
