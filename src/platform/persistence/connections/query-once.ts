import pg, { type ClientConfig, type QueryResultRow } from 'pg';
import { surviveLoss } from './survive-loss.js';

/** Runs one statement on a connection of its own and returns the rows. */
export async function queryOnce<R extends QueryResultRow>(config: ClientConfig, sql: string, values: unknown[] = []): Promise<R[]> {
  const client = new pg.Client({ application_name: 'work-suite', ...config });
  surviveLoss(client);
  try {
    await client.connect();
    return (await client.query<R>(sql, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
