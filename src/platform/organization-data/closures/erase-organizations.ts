import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../../persistence/database/pool.js';
import { ScheduledJobRunner, type ScheduledWork } from '../../scheduled-jobs/scheduled-job-runner.js';
import { LegalHolds } from './legal-holds.js';
import { organizationTables, type OrganizationTable, type OrganizationTables } from '../tables/organization-tables.js';

const ROWS_PER_DELETE = 500;

/** From here on, triggers that keep rows let those of the organization go. */
const BEGIN = `
  INSERT INTO organization_erasures (id, closed_at, closed_by, erase_at, begun_at, deleted, last_audit_sequence, last_audit_hash)
  SELECT o.id, o.closed_at, coalesce(o.closed_by, '{}'), o.erase_at, now(), '{}', coalesce(c.last_sequence, 0), coalesce(c.last_hash, '')
  FROM organizations o LEFT JOIN audit_chains c ON c.organization_id = o.id
  WHERE o.id = $1 AND o.erase_at <= now()
  FOR UPDATE OF o
  ON CONFLICT DO NOTHING`;

/** None if an operator opened the organization again after it was listed. */
const BEGUN = 'SELECT FROM organization_erasures WHERE id = $1 AND erased_at IS NULL';

const COUNT = `
  UPDATE organization_erasures
  SET deleted = jsonb_set(deleted, ARRAY[$2::text], to_jsonb(coalesce((deleted ->> $2)::bigint, 0) + $3::bigint))
  WHERE id = $1`;

/**
 * Erases the data of closed organizations once their grace period is over: every row of every table, in batches, each its own transaction.
 * A run that was interrupted is continued by the next one.
 */
@Injectable()
export class EraseOrganizations implements ScheduledWork {
  readonly name = 'platform.erase_organizations';
  readonly everySeconds = 10 * 60;
  private readonly log = new Logger('Organizations');

  constructor(
    private readonly dataSource: DataSource,
    private readonly holds: LegalHolds,
    runner: ScheduledJobRunner,
  ) {
    runner.register(this);
  }

  /** By the clock of the database: a run as of a later time must not erase what can still be opened again. */
  async run(_now: Date, signal: AbortSignal): Promise<void> {
    const pool = poolOf(this.dataSource);
    const { rows: due } = await pool.query<{ id: string }>(
      `SELECT id FROM organizations WHERE erase_at <= now()
       UNION SELECT id FROM organization_erasures WHERE erased_at IS NULL ORDER BY id`,
    );
    if (due.length === 0) return;
    const tables = await organizationTables(pool);
    const failures: string[] = [];
    for (const { id } of due) {
      try {
        await this.erase(id, tables, signal);
      } catch (error) {
        signal.throwIfAborted();
        failures.push(`${id}: ${(error as Error).message}`);
      }
    }
    if (failures.length > 0) throw new Error(`Organizations could not be erased: ${failures.join('; ')}`);
  }

  private async erase(id: string, all: OrganizationTables, signal: AbortSignal): Promise<void> {
    const pool = poolOf(this.dataSource);
    const held = await this.holds.of(id);
    if (held.length > 0) throw new Error(`a legal hold lies on ${held.join(' and ')}`);
    await pool.query(BEGIN, [id]);
    if ((await pool.query(BEGUN, [id])).rows.length === 0) return;
    // tables that refer to each other take several rounds
    for (let deleted = 1; deleted > 0;) {
      deleted = 0;
      for (const table of all.tables) {
        const rows = await this.deleteFrom(table, all, id, signal);
        if (rows > 0) await pool.query(COUNT, [id, table.name, rows]);
        deleted += rows;
      }
      if (deleted === 0) deleted = await this.deleteCyclic(all, id);
    }
    const left = await this.firstWithRows(all, id);
    if (left !== null) throw new Error(`rows of ${left} are locked, or refer to each other`);
    await pool.query('UPDATE organization_erasures SET erased_at = now() WHERE id = $1', [id]);
    this.log.log(`The organization ${id} was erased.`);
    if (all.unknown.length > 0) this.log.warn(`These tables name no organization and were not looked at: ${all.unknown.join(', ')}.`);
  }

  private async deleteFrom(table: OrganizationTable, all: OrganizationTables, id: string, signal: AbortSignal): Promise<number> {
    // ctid is not unique in a partitioned table, but that has a key
    const key = table.primaryKey.map((column) => `"${column}"`).join(', ') || 'ctid';
    const text = `DELETE FROM "${table.name}" WHERE (${key}) IN (
      SELECT ${key} FROM "${table.name}" r WHERE ${table.owned('r')} AND NOT (${all.isReferred(table, 'r')}) LIMIT ${ROWS_PER_DELETE}
      FOR UPDATE SKIP LOCKED)`;
    let deleted = 0;
    // rows to which others of the table refer go after those
    for (let batch = 1; batch > 0;) {
      signal.throwIfAborted();
      batch = (await poolOf(this.dataSource).query(text, [id])).rowCount ?? 0;
      deleted += batch;
    }
    return deleted;
  }

  /** Rows that refer to each other across tables go in one statement: constraints are checked at its end. */
  private async deleteCyclic({ cyclic }: OrganizationTables, id: string): Promise<number> {
    if (cyclic.length === 0) return 0;
    const deletions = cyclic.map(({ name, owned }, index) => `d${index} AS (DELETE FROM "${name}" r WHERE ${owned('r')} RETURNING 1)`);
    const counts = cyclic.map((_, index) => `(SELECT count(*)::int FROM d${index})`).join(', ');
    const { rows } = await poolOf(this.dataSource).query<{ counts: number[] }>(
      `WITH ${deletions.join(', ')} SELECT ARRAY[${counts}] AS counts`,
      [id],
    );
    const deleted = rows[0].counts;
    for (const [index, { name }] of cyclic.entries())
      if (deleted[index] > 0) await poolOf(this.dataSource).query(COUNT, [id, name, deleted[index]]);
    return deleted.reduce((sum, count) => sum + count, 0);
  }

  private async firstWithRows({ tables }: OrganizationTables, id: string): Promise<string | null> {
    for (const table of tables) {
      const { rows } = await poolOf(this.dataSource).query(`SELECT FROM "${table.name}" r WHERE ${table.owned('r')} LIMIT 1`, [id]);
      if (rows.length > 0) return table.name;
    }
    return null;
  }
}
