import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../persistence/database/pool.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { ScheduledJobRunner, type ScheduledWork } from './scheduled-job-runner.js';

const KEEP_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;
const ROWS_PER_DELETE = 500;

/** A foreign key to a table, with the columns in the order of the key. */
interface Reference {
  referenced: string;
  child: string;
  cascades: boolean;
  /** Whether the child table tells when a row was last changed. */
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
 * stay while one refers to them.
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
    const tables = this.tables();
    const { rows: references } = await poolOf(this.dataSource).query<Reference>(REFERENCES, [tables]);
    const isOwned = (table: string) =>
      references.some(({ child, referenced, cascades }) => cascades && child === table && referenced !== table);
    const statements = tables.filter((table) => !isOwned(table)).map((table) => deletionOf(table, references));
    const values = [new Date(now.getTime() - KEEP_DAYS * DAY_MS), ROWS_PER_DELETE];
    // a row can go only after those that refer to it, so passes are repeated until one deletes nothing
    for (let deleted = 1; deleted > 0;) {
      deleted = 0;
      for (const statement of statements)
        for (let batch = ROWS_PER_DELETE; batch === ROWS_PER_DELETE;) {
          signal.throwIfAborted();
          batch = (await poolOf(this.dataSource).query(statement, values)).rowCount ?? 0;
          deleted += batch;
        }
    }
  }

  /** The tables of all entities of modules that have a mode. */
  private tables(): string[] {
    const entities = this.registry.manifests.flatMap((manifest) => manifest.entities);
    const metadata = [...new Set(entities)].map((entity) => this.dataSource.getMetadata(entity));
    return metadata
      .filter((one) => ['mode', 'updated_at'].every((name) => one.findColumnWithDatabaseName(name)))
      .map(({ tableName }) => tableName);
  }
}

function deletionOf(table: string, references: readonly Reference[]): string {
  const kept = references
    .filter(({ referenced, cascades, dated }) => referenced === table && (!cascades || dated))
    .map(({ child, child_columns, columns, cascades }) => {
      const matches = columns.map((column, place) => `c.${child_columns[place]} = r.${column}`).join(' AND ');
      return `AND NOT EXISTS (SELECT 1 FROM ${child} c WHERE ${matches}${cascades ? ' AND c.updated_at > $1' : ''})`;
    });
  return `DELETE FROM ${table} WHERE mode = 'test' AND ctid = ANY(ARRAY(
    SELECT r.ctid FROM ${table} r WHERE r.mode = 'test' AND r.updated_at <= $1 ${kept.join(' ')} LIMIT $2 FOR UPDATE SKIP LOCKED))`;
}
