import { Injectable, type Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS, type Tx } from '../../kit/index.js';
import { platformSql } from '../../kit/internal.js';
import { poolOf } from '../persistence/database/pool.js';
import { storedTables } from '../persistence/partitions/partitions.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { ScheduledJobRunner, type ScheduledWork } from './scheduled-job-runner.js';

const KEEP_DAYS = 30;
const ROWS_PER_DELETE = 500;

interface Count {
  module: string;
  rows: number;
}

/** A foreign key to a table, with the columns in the order of the key. */
interface Reference {
  referenced: string;
  child: string;
  cascades: boolean;
  /** Whether the child table has the time of a row's last change. */
  dated: boolean;
  child_columns: string[];
  columns: string[];
}

const REFERENCES = `
  SELECT c.confrelid::regclass::text AS referenced, c.conrelid::regclass::text AS child, c.confdeltype = 'c' AS cascades,
    EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attname = 'updated_at' AND NOT a.attisdropped) AS dated,
    ARRAY(SELECT quote_ident(a.attname) FROM unnest(c.conkey) WITH ORDINALITY k (number, place)
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number ORDER BY k.place) AS child_columns,
    ARRAY(SELECT quote_ident(a.attname) FROM unnest(c.confkey) WITH ORDINALITY k (number, place)
      JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.number ORDER BY k.place) AS columns
  FROM pg_constraint c WHERE c.contype = 'f' AND c.confdeltype IN ('a', 'r', 'c') AND c.confrelid = ANY($1::regclass[])`;

/**
 * Deletes the modules' test rows 30 days after their last change: of every entity with a mode. Rows that are deleted together with
 * another row, such as the signature parties of a document, live as long as that one, and a change of them keeps it. Other rows
 * stay while one refers to them. Also deletes those of one organization on request, and then those that can be restored, too.
 */
@Injectable()
export class PurgeTestRows implements ScheduledWork {
  readonly name = 'platform.purge_test_rows';
  readonly everySeconds = 6 * 60 * 60;

  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: ModuleRegistry,
    runner: ScheduledJobRunner,
  ) {
    runner.register(this);
  }

  async run(now: Date, signal: AbortSignal): Promise<void> {
    await this.delete([new Date(now.getTime() - KEEP_DAYS * DAY_MS), ROWS_PER_DELETE], () => {
      signal.throwIfAborted();
      return true;
    });
  }

  /**
   * Deletes test rows of one organization for a limited time, each batch in its own transaction. Rows remain if the time is up, or if
   * they are locked or referred to.
   */
  async erase(organizationId: string, forMs: number, signal: AbortSignal): Promise<void> {
    const end = Date.now() + forMs;
    await poolOf(this.dataSource).query(`DELETE FROM deleted_records WHERE mode = 'test' AND organization_id = $1`, [organizationId]);
    await this.delete(['infinity', ROWS_PER_DELETE, organizationId], () => {
      signal.throwIfAborted();
      return Date.now() < end;
    });
  }

  /**
   * The number of test rows of one organization by module, of modules that can have some, and of deleted ones that can be restored. `tx` is
   * an open transaction.
   */
  async count(organizationId: string, tx?: Pick<Tx, 'sql'>): Promise<Map<string, number>> {
    const counts = this.registry.manifests.flatMap(({ name, entities }) =>
      this.tables(entities).map(
        (table) => `SELECT '${name}' AS module, count(*) FROM ${table} WHERE mode = 'test' AND organization_id = $1`,
      ),
    );
    counts.push(`SELECT module, count(*) FROM deleted_records WHERE mode = 'test' AND organization_id = $1 GROUP BY module`);
    const text = `SELECT module, sum(count)::int AS rows FROM (${counts.join(' UNION ALL ')}) AS c GROUP BY module ORDER BY module`;
    const rows = tx
      ? await tx.sql<Count>(platformSql(text, [organizationId]))
      : (await poolOf(this.dataSource).query<Count>(text, [organizationId])).rows;
    return new Map(rows.map((row) => [row.module, row.rows]));
  }

  /** `values` are the time of the last change up to which rows go, the size of a batch and, for one organization, its id. */
  private async delete(values: [before: Date | 'infinity', batch: number, organizationId?: string], mayGoOn: () => boolean): Promise<void> {
    const tables = this.tables();
    const stored = await storedTables(poolOf(this.dataSource), tables);
    const { rows: references } = await poolOf(this.dataSource).query<Reference>(REFERENCES, [tables]);
    const isOwned = (table: string) =>
      references.some(({ child, referenced, cascades }) => cascades && child === table && referenced !== table);
    const only = values.length > 2 ? 'AND r.organization_id = $3' : '';
    const statements = stored
      .filter(({ table }) => !isOwned(table))
      .map(({ table, stored_as }) => deletionOf(table, stored_as, references, only));
    // a row can be deleted only after those that refer to it, so passes are repeated until one deletes nothing
    for (let deleted = 1; deleted > 0;) {
      deleted = 0;
      for (const sql of statements)
        for (let batch = ROWS_PER_DELETE; batch === ROWS_PER_DELETE;) {
          if (!mayGoOn()) return;
          batch = (await poolOf(this.dataSource).query(sql, values)).rowCount ?? 0;
          deleted += batch;
        }
    }
  }

  /** The tables of all entities of modules that have a mode. */
  private tables(entities: readonly Type[] = this.registry.manifests.flatMap((manifest) => manifest.entities)): string[] {
    const metadata = [...new Set(entities)].map((entity) => this.dataSource.getMetadata(entity));
    return metadata
      .filter((one) => ['mode', 'updated_at', 'organization_id'].every((name) => one.findColumnWithDatabaseName(name)))
      .map(({ tableName }) => tableName);
  }
}

/** From the table, or from one partition of it. `only` limits the deletion further, by the columns of `r`. */
function deletionOf(table: string, storedAs: string, references: readonly Reference[], only: string): string {
  const kept = references
    .filter(({ referenced, cascades, dated }) => referenced === table && (!cascades || dated))
    .map(({ child, child_columns, columns, cascades }) => {
      const matches = columns.map((column, place) => `c.${child_columns[place]} = r.${column}`).join(' AND ');
      return `AND NOT EXISTS (SELECT 1 FROM ${child} c WHERE ${matches}${cascades ? ' AND c.updated_at > $1' : ''})`;
    });
  return `DELETE FROM ${storedAs} WHERE mode = 'test' AND ctid = ANY(ARRAY(
    SELECT r.ctid FROM ${storedAs} r WHERE r.mode = 'test' AND r.updated_at <= $1 ${only} ${kept.join(' ')}
    LIMIT $2 FOR UPDATE SKIP LOCKED))`;
}
