import type { Pool } from 'pg';

/**
 * SQL: identifies this database among all clusters. It stays the same through restarts and failovers, and differs after pg_restore and
 * pg_upgrade. A copy of the cluster's files, and a promoted standby, have that of the original.
 */
const PRESENT = `(SELECT system_identifier || '/' || d.oid FROM pg_control_system(), pg_database d WHERE d.datname = current_database())`;

/** The first start notes the database's identity. */
export async function noteDatabase(pool: Pool): Promise<void> {
  if (!(await mayRead(pool))) return;
  await pool.query(`
    INSERT INTO installation (database_identity) SELECT ${PRESENT}
    ON CONFLICT (is_only) DO UPDATE SET database_identity = excluded.database_identity WHERE installation.database_identity IS NULL`);
}

/** Whether the database is a copy that no operator has confirmed. */
export async function isUnconfirmedCopy(pool: Pool): Promise<boolean> {
  if (!(await mayRead(pool))) return false;
  const { rows } = await pool.query<{ differs: boolean }>(
    `SELECT database_identity IS NOT NULL AND database_identity <> ${PRESENT} AS differs FROM installation`,
  );
  return rows[0]?.differs ?? false;
}

/** Makes a copy the noted database. */
export async function confirmDatabase(connection: { query(text: string): Promise<unknown> }): Promise<void> {
  await connection.query(`UPDATE installation SET database_identity = ${PRESENT}`);
}

/** Some providers do not allow it; then only `OUTBOUND` holds back what a copy would send. */
async function mayRead(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ may: boolean }>(`SELECT has_function_privilege('pg_control_system()', 'EXECUTE') AS may`);
  return rows[0].may;
}
