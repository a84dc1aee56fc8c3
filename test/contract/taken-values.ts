import { expect } from '@jest/globals';
import type { Client } from '../harness/client.js';
import { eventually } from '../harness/eventually.js';
import type { TestApp } from '../harness/test-app.js';

export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the response as it came
  body: any;
}

/** A request that wants a value, and the row that gets it at the same moment. */
export interface Race {
  id: string;
  send: () => PromiseLike<Answer>;
}

interface Case {
  /** The table of that row, and its value. */
  table: string;
  value: Record<string, string>;
  ready: () => Promise<Race>;
}

/** What a module has that must be unique. */
export interface TakenValues {
  /** By the name of the test. */
  requests: Readonly<Record<string, Case>>;
  /** Each file has two rows, and the value is that of the second. */
  imports?: Readonly<Record<string, Case>>;
}

/**
 * Sends the request while another transaction gives the value to the row: the request finds it free and waits for that transaction at the
 * unique index, which then refuses it.
 */
export async function race(app: TestApp, table: string, value: Record<string, string>, { id, send }: Race): Promise<Answer> {
  const other = await app.sql.connect();
  try {
    await other.query('BEGIN');
    // rows of some tables never change otherwise
    await other.query('SET LOCAL session_replication_role = replica');
    const [[column, wanted]] = Object.entries(value);
    const { rows } = await other.query<{ pid: number }>(
      `UPDATE ${table} SET ${column} = $2 WHERE id = $1 RETURNING pg_backend_pid() AS pid`,
      [id, wanted],
    );
    const answer = Promise.resolve(send());
    const waiting = () => app.sql.query('SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [rows[0].pid]);
    expect((await eventually(waiting, ({ rowCount }) => rowCount === 1)).rowCount).toBe(1);
    await other.query('COMMIT');
    return await answer;
  } finally {
    other.release(true);
  }
}

/** Sends a CSV file. */
export const upload = (client: Client, path: string, project: string, rows: readonly string[]) =>
  client.send('post', `${path}?project_id=${project}`, rows.join('\n'), { 'content-type': 'text/csv' });
