import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { canEnter, give, postgresAccount } from '../../src/platform/persistence/embedded-postgres/account.js';
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

/** The shortest limit of all platforms for the path of a socket. */
const LONGEST_SOCKET = 103;

/**
 * A folder for the server's Unix socket, through which a query costs a quarter less CPU time than over TCP; undefined if the server
 * could not use one.
 */
export function makeSocketFolder(dataDir: string): string | undefined {
  const folder = join(dataDir, 'socket');
  const account = postgresAccount(join(dataDir, 'postgres'));
  const longest = Buffer.byteLength(join(folder, '.s.PGSQL.65535'));
  if (process.platform === 'win32' || longest > LONGEST_SOCKET || !canEnter(dataDir, account)) return undefined;
  mkdirSync(folder);
  give(folder, account);
  return folder;
}

/** The address through the server's socket. It contains the host and port for TCP as well, see `overTcp`. */
export function throughSocket(url: string, folder: string | undefined): string {
  return folder ? withParameter(url, 'host', folder) : url;
}

/** The same address without the socket, for tests that put a proxy before the server. */
export function overTcp(url: string): URL {
  const tcp = new URL(url);
  tcp.searchParams.delete('host');
  return tcp;
}

export function withParameter(url: string, name: string, value: string): string {
  const changed = new URL(url);
  changed.searchParams.set(name, value);
  return changed.href;
}
