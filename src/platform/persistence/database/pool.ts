import type { Duplex } from 'node:stream';
import pg, { type Pool, type PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

const DATE = 1082;
const INT8 = 20;

// calendar days stay text: as a Date they would shift with the process's time zone
pg.types.setTypeParser(DATE, (value) => value);
// counts and sequences are far below 2^53
pg.types.setTypeParser(INT8, Number);

/** The pg pool under a TypeORM data source, for statements that need no mapping. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}

/**
 * Sends all statements of one tick of the event loop in one packet: each write to a socket costs as much as a small statement.
 */
export function sendAsOnePacket(client: PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
