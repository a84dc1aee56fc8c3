import { Client as Connection } from 'pg';
import { databaseUrl } from './database-server.js';

/** Lets one process of a run at a time do the work, and none once it is done. */
export async function oncePerRun(
  name: string,
  isDone: (server: Connection) => boolean | Promise<boolean>,
  work: () => Promise<void>,
): Promise<void> {
  const server = new Connection({ connectionString: databaseUrl(process.env.TEST_SERVER_URL as string, 'postgres') });
  await server.connect();
  try {
    await server.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    if (!(await isDone(server))) await work();
  } finally {
    await server.end();
  }
}
