import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Client } from 'pg';
import type { SqlReader } from '../../kit/index.js';
import { platformSql } from '../../kit/internal.js';
import type { DefinedField } from '../persistence/rows/custom-field-definitions.js';
import { comparedAs, comparedValue, hasValue, type ComparedAs } from '../persistence/rows/custom-field-sql.js';
import { CustomFieldResources } from './custom-field-resources.js';

export const DATABASE_URL = Symbol('database url');

/** Of one table. Each makes writes of rows that have a value slower, and planning a little. */
const MOST_INDEXES = 200;
const LOCK = `hashtext('custom field indexes')`;
const WAIT_MS = 250;

type Field = Pick<DefinedField, 'resource' | 'key' | 'type' | 'filterable'>;

interface WantedIndex {
  name: string;
  table: string;
  as: ComparedAs;
  key: string;
}

interface ExistingIndex {
  name: string;
  table: string;
  is_valid: boolean;
}

const EXISTING = `
  SELECT c.relname AS name, t.relname AS table, i.indisvalid AND i.indisready AS is_valid
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
  WHERE c.relnamespace = current_schema()::regnamespace AND t.relname = ANY($1) AND c.relname LIKE '%\\_custom\\_%\\_fidx'`;

/**
 * The indexes of filterable fields. Organizations whose fields have the same key and are compared alike share one: it contains the rows
 * that have a value, and begins with the organization and the mode.
 */
@Injectable()
export class CustomFieldIndexes {
  private readonly log = new Logger('Custom fields');

  constructor(
    private readonly resources: CustomFieldResources,
    @Inject(DATABASE_URL) private readonly url: string,
  ) {}

  /** How far the index of each field is. */
  async states(reader: SqlReader, fields: readonly Field[]): Promise<string[]> {
    const wanted = fields.map((field) => (field.filterable ? this.indexOf(field) : null));
    if (wanted.every((index) => index === null)) return fields.map(() => 'none');
    const existing = await reader.sql<ExistingIndex>(platformSql(EXISTING, [this.tables()]));
    return wanted.map((index) => {
      if (!index) return 'none';
      const state = existing.find(({ name }) => name === index.name);
      if (state) return state.is_valid ? 'ready' : 'building';
      return existing.filter(({ table }) => table === index.table).length >= MOST_INDEXES ? 'unavailable' : 'building';
    });
  }

  /** Creates the indexes that are missing and drops those that no field has any more. One process at a time does it. */
  async reconcile(signal: AbortSignal): Promise<void> {
    const client = new Client({
      connectionString: this.url,
      application_name: 'work-suite custom-field-indexes',
      options: '-c statement_timeout=0 -c lock_timeout=0',
      keepAlive: true,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      // a statement that waits for the lock would be one for which CREATE INDEX CONCURRENTLY waits
      while (!(await client.query<{ is_mine: boolean }>(`SELECT pg_try_advisory_lock(${LOCK}) AS is_mine`)).rows[0].is_mine)
        await sleep(WAIT_MS, undefined, { signal });
      await this.bringAbout(client, await this.wanted(client), signal);
    } finally {
      await client.end();
    }
  }

  private async bringAbout(client: Client, wanted: readonly WantedIndex[], signal: AbortSignal): Promise<void> {
    const { rows: existing } = await client.query<ExistingIndex>(EXISTING, [this.tables()]);
    for (const { name, table, is_valid } of existing) {
      const isWanted = wanted.some((index) => index.name === name);
      if (isWanted && is_valid) continue;
      signal.throwIfAborted();
      await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`);
      await client.query(`DROP STATISTICS IF EXISTS "${statisticsName(name)}"`);
      if (!isWanted) this.log.log(`No custom field of ${table} needs ${name} any more; it was dropped.`);
    }
    const kept = new Map(existing.filter(({ is_valid }) => is_valid).map(({ name, table }) => [name, table]));
    for (const index of wanted) {
      if (kept.has(index.name)) continue;
      if ([...kept.values()].filter((table) => table === index.table).length >= MOST_INDEXES) continue;
      signal.throwIfAborted();
      await client.query(createText(index));
      if (index.as !== 'list') await client.query(statisticsText(index));
      // the distribution of the values is unknown until then
      await client.query(`ANALYZE "${index.table}"`);
      kept.set(index.name, index.table);
    }
  }

  /** Of all organizations, the oldest first; those of deleted fields stay, so that a restored one is fast at once. */
  private async wanted(client: Client): Promise<WantedIndex[]> {
    const { rows } = await client.query<Field>(
      `SELECT resource, key, type, true AS filterable FROM custom_fields WHERE filterable
       GROUP BY resource, key, type ORDER BY min(created_at), key`,
    );
    const wanted = rows.flatMap((field) => this.indexOf(field) ?? []);
    return [...new Map(wanted.map((index) => [index.name, index])).values()];
  }

  private tables(): string[] {
    return this.resources.all().map(({ table }) => table);
  }

  private indexOf(field: Field): WantedIndex | null {
    const resource = this.resources.find(field.resource);
    if (!resource) return null;
    const [{ table }, { key }, as] = [resource, field, comparedAs(field)];
    return { name: indexName(table, as, key), table, as, key };
  }
}

function indexName(table: string, as: ComparedAs, key: string): string {
  const name = `${table}_custom_${as}_${key}_fidx`;
  if (name.length <= 63) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `${table.slice(0, 30)}_custom_${digest}_fidx`;
}

function createText({ name, table, as, key }: WantedIndex): string {
  const value = comparedValue(as, key, '');
  const on = as === 'list' ? `USING gin (${value})` : `(organization_id, mode, (${value}), created_at, id)`;
  return `CREATE INDEX CONCURRENTLY IF NOT EXISTS "${name}" ON "${table}" ${on} WHERE ${hasValue(key, '')}`;
}

/** PostgreSQL does not use the statistics of a partial index: without these, it guesses how many rows a range has. */
function statisticsText({ name, table, as, key }: WantedIndex): string {
  return `CREATE STATISTICS IF NOT EXISTS "${statisticsName(name)}" ON (${comparedValue(as, key, '')}) FROM "${table}"`;
}

function statisticsName(index: string): string {
  return index.replace(/_fidx$/, '_fstx');
}
