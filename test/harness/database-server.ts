import { queryOnce } from '../../src/platform/persistence/connections/query-once.js';

/** The address of a database on the server of another. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs a statement in the server's database `postgres`. */
export async function onServer(serverUrl: string, sql: string): Promise<void> {
  await queryOnce({ connectionString: databaseUrl(serverUrl, 'postgres') }, sql);
}
