import type { Pool } from 'pg';
import { queryOnce } from '../persistence/connections/query-once.js';

/**
 * SQL: identifies this database among all clusters. It stays the same through restarts and failovers, and differs after pg_restore and
 * pg_upgrade. A copy of the cluster's files, and a promoted standby, have that of the original.
 */
const PRESENT = `(SELECT system_identifier || '/' || d.oid FROM pg_control_system(), pg_database d WHERE d.datname = current_database())`;

const MAY_READ = `SELECT has_function_privilege('pg_control_system()', 'EXECUTE') AS may`;

type Ask = <R>(sql: string) => Promise<R[]>;

/** The first start notes the database's identity. Resolves to whether it is that of another database: this one is a copy. */
export async function noteDatabase(connectionString: string): Promise<boolean> {
  const ask: Ask = async <R>(sql: string) => (await queryOnce({ connectionString }, sql)) as R[];
  if (!(await mayRead(ask))) return false;
  await ask(`
    INSERT INTO installation (database_identity) SELECT ${PRESENT}
    ON CONFLICT (is_only) DO UPDATE SET database_identity = excluded.database_identity WHERE installation.database_identity IS NULL`);
  return differs(ask);
}

/** Whether the database is a copy that no operator has confirmed. */
export async function isUnconfirmedCopy(pool: Pool): Promise<boolean> {
  const ask = asking(pool);
  return (await mayRead(ask)) && (await differs(ask));
}

/** Makes this database the noted one. */
export async function confirmDatabase(pool: Pool): Promise<void> {
  if (await mayRead(asking(pool))) await pool.query(`UPDATE installation SET database_identity = ${PRESENT}`);
}

function asking(pool: Pool): Ask {
  return async <R>(sql: string) => (await pool.query(sql)).rows as R[];
}

/** Some providers do not allow it; then only `OUTBOUND` holds back what a copy would send. */
async function mayRead(ask: Ask): Promise<boolean> {
  const [{ may }] = await ask<{ may: boolean }>(MAY_READ);
  return may;
}

async function differs(ask: Ask): Promise<boolean> {
  const [found] = await ask<{ differs: boolean }>(
    `SELECT database_identity IS NOT NULL AND database_identity <> ${PRESENT} AS differs FROM installation`,
  );
  return found?.differs ?? false;
}
