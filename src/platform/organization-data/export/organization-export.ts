import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { createTar, type TarFileInput } from 'nanotar';
import { DataSource } from 'typeorm';
import { Files } from '../../../kit/index.js';
import { SUITE_VERSION } from '../../config/suite-version.js';
import { poolOf } from '../../persistence/database/pool.js';
import { systemContext } from '../../persistence/transactions/call-context.js';
import { ModuleRegistry } from '../../registry/module-registry.js';
import { organizationTables } from '../tables/organization-tables.js';
import { exportedTables, OMITTED_TABLES, type ExportedTable } from './exported-tables.js';

const compress = promisify(gzip);

/** The version of the archive's schema: raised when what readers rely on changes. */
const SCHEMA_VERSION = 1;
/** Contents of files, which can be in a storage outside of PostgreSQL. */
const OBJECTS = 'objects';
const ROWS_PER_QUERY = 100;
/** A part ends after the row that exceeds it. */
const BYTES_PER_PART = 4 * 1024 * 1024;
/** Follows the names of all tables. */
const PAST_THE_END = '~';
/** How long the tables are known: migrations change them. */
const TABLES_MS = 60_000;
const TAR_BLOCK = 512;
/** Two empty blocks end a tar archive. */
const END = Buffer.alloc(2 * TAR_BLOCK);

/** Where an export continues. */
export interface ExportCursor {
  started_at: string;
  table: string;
  /** The key of the last row. */
  after: readonly string[] | null;
  /** Parts of the table so far. */
  part: number;
  /** By table that has any: its rows so far. All this is sent in a header, for which proxies have a few kilobytes. */
  rows: Readonly<Record<string, number>>;
}

export interface ExportPart {
  /** gzip; the parts of an export one after the other are a tar.gz archive. */
  content: Buffer;
  /** Null after the last part. */
  next: ExportCursor | null;
}

interface ExportedRow {
  line: string;
  /** With its files. */
  bytes: number;
  key: string[];
  files: { column: string; path: string }[] | null;
}

/**
 * Exports an organization, part by part: its rows as JSON Lines, files as files, a description of both at the end. Each part is read when
 * it is asked for, so memory is bounded by a part and nothing is stored; an export that was interrupted continues with the cursor that it
 * has. Rows that change meanwhile are in the archive as of when their part was read.
 */
@Injectable()
export class OrganizationExport {
  private known: { tables: Promise<readonly ExportedTable[]>; until: number } | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: ModuleRegistry,
    private readonly files: Files,
  ) {}

  async part(organizationId: string, cursor: ExportCursor | null): Promise<ExportPart> {
    const tables = await this.tables();
    let at: ExportCursor = cursor ?? { started_at: new Date().toISOString(), table: tables[0].name, after: null, part: 0, rows: {} };
    const files: TarFileInput[] = [];
    for (let bytes = 0; bytes < BYTES_PER_PART;) {
      const index = tables.findIndex(({ name }) => name >= at.table);
      if (index < 0) return { content: await archive([...files, await this.manifest(organizationId, tables, at)], true), next: null };
      const table = tables[index];
      // a table may have gone with its module since the cursor was made
      const { after, part } = table.name === at.table ? at : { after: null, part: 0 };
      const { rows, isLast } = await this.rowsAfter(table, organizationId, after);
      if (rows.length > 0) {
        const name = `tables/${table.name}/${String(part + 1).padStart(6, '0')}.jsonl`;
        files.push({ name, data: Buffer.from(`${rows.map(({ line }) => line).join('\n')}\n`) });
      }
      for (const row of rows) files.push(...(await this.filesOf(organizationId, table, row)));
      bytes += rows.reduce((sum, row) => sum + row.bytes, 0);
      const count = (at.rows[table.name] ?? 0) + rows.length;
      const counted = count > 0 ? { ...at, rows: { ...at.rows, [table.name]: count } } : at;
      at = isLast
        ? { ...counted, table: tables[index + 1]?.name ?? PAST_THE_END, after: null, part: 0 }
        : { ...counted, table: table.name, after: rows[rows.length - 1].key, part: part + 1 };
    }
    return { content: await archive(files, false), next: at };
  }

  private tables(): Promise<readonly ExportedTable[]> {
    if (this.known && this.known.until > performance.now()) return this.known.tables;
    const tables = organizationTables(poolOf(this.dataSource)).then((found) => exportedTables(found.tables, this.registry.manifests));
    const known = (this.known = { tables, until: performance.now() + TABLES_MS });
    tables.catch(() => (known.until = 0));
    return tables;
  }

  /** The rows of a part: as many as fit, of at least one row. */
  private async rowsAfter(
    table: ExportedTable,
    organizationId: string,
    after: readonly string[] | null,
  ): Promise<{ rows: ExportedRow[]; isLast: boolean }> {
    const rows: ExportedRow[] = [];
    let last = after;
    for (let bytes = 0; bytes < BYTES_PER_PART;) {
      const { rows: batch } = await poolOf(this.dataSource).query<ExportedRow>(selectOf(table, last !== null), [
        organizationId,
        ...(last ?? []),
      ]);
      for (const row of batch) {
        bytes += row.bytes;
        rows.push(row);
        last = row.key;
        if (bytes >= BYTES_PER_PART && row !== batch[batch.length - 1]) return { rows, isLast: false };
      }
      if (batch.length < ROWS_PER_QUERY) return { rows, isLast: true };
    }
    return { rows, isLast: false };
  }

  private async filesOf(organizationId: string, { name, key }: ExportedTable, row: ExportedRow): Promise<TarFileInput[]> {
    const files: TarFileInput[] = [];
    if (name === OBJECTS) {
      const ctx = systemContext(organizationId, 'live');
      for (const { path } of row.files ?? [])
        files.push({ name: path, data: new Uint8Array(await this.files.read(ctx, { content_object_id: row.key[0] }, 'content')) });
      return files;
    }
    const isRow = key.map((column, index) => `"${column.name}" = $${index + 1}::${column.type}`).join(' AND ');
    for (const { column, path } of row.files ?? []) {
      const content = await this.contentOf(name, column, isRow, row.key);
      if (content) files.push({ name: path, data: new Uint8Array(content) });
    }
    return files;
  }

  private async contentOf(table: string, column: string, isRow: string, key: readonly string[]): Promise<Buffer | null> {
    const { rows } = await poolOf(this.dataSource).query<{ content: Buffer | null }>(
      `SELECT "${column}" AS content FROM "${table}" WHERE ${isRow}`,
      [...key],
    );
    return rows.at(0)?.content ?? null;
  }

  private async manifest(
    organizationId: string,
    tables: readonly ExportedTable[],
    { started_at, rows }: ExportCursor,
  ): Promise<TarFileInput> {
    const { rows: found } = await poolOf(this.dataSource).query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
      organizationId,
    ]);
    const description = {
      format: 'work-suite-export',
      version: SCHEMA_VERSION,
      suite_version: SUITE_VERSION,
      organization: { id: organizationId, name: found[0]?.name ?? null },
      started_at,
      finished_at: new Date().toISOString(),
      tables: tables.map(({ name, module, columns, omitted, partly, key }) => ({
        name,
        module,
        rows: rows[name] ?? 0,
        key: key.map((column) => column.name),
        columns: columns.map((column) => ({ name: column.name, type: column.type === 'bytea' ? 'file' : column.type })),
        omitted_columns: { ...omitted, ...partly },
      })),
      omitted_tables: OMITTED_TABLES,
    };
    return { name: 'manifest.json', data: Buffer.from(`${JSON.stringify(description, null, 2)}\n`) };
  }
}

/** `$1` is the organization; the key of the last row follows. */
function selectOf({ name, columns, shownAs, key, owned }: ExportedTable, isContinued: boolean): string {
  const keys = key.map((column) => `t."${column.name}"`);
  const named = keys.filter((_, index) => key[index].name !== 'organization_id');
  // tar has names of 100 bytes
  const path =
    named.length === 1 && key.some(({ name, type }) => name === 'id' && type === 'uuid')
      ? `${named[0]}`
      : `md5(concat_ws('.', ${named.join(', ')}))`;
  const values = columns.map((column) => {
    const value = `t."${column.name}"`;
    if (column.type !== 'bytea') return `${shownAs[column.name] ?? value} AS "${column.name}"`;
    const { exists, bytes, sha256 } = fileIn(name, value);
    return `CASE WHEN ${exists} THEN json_build_object('file', ${pathOf(name, column.name, path)},
      'bytes', ${bytes}, 'sha256', ${sha256}) END AS "${column.name}"`;
  });
  const fileColumns = columns
    .filter(({ type }) => type === 'bytea')
    .map((column) => ({ ...column, ...fileIn(name, `t."${column.name}"`) }));
  const files = fileColumns.map(
    (column) => `(SELECT json_build_object('column', '${column.name}', 'path', ${pathOf(name, column.name, path)}) WHERE ${column.exists})`,
  );
  const bytes = fileColumns.map((column) => `coalesce(${column.bytes}, 0)`);
  const after = key.map((column, index) => `$${index + 2}::${column.type}`).join(', ');
  return `
    SELECT r.line, r.key, r.files, octet_length(r.line) + r.file_bytes AS bytes FROM (
      SELECT row_to_json(shown)::text AS line, t.export_key AS key, t.export_files AS files, t.export_bytes AS file_bytes
      FROM (
        SELECT t.*, ARRAY[${keys.map((column) => `${column}::text`).join(', ')}] AS export_key,
          (SELECT json_agg(f) FROM unnest(ARRAY[${files.join(', ')}]::json[]) AS f WHERE f IS NOT NULL) AS export_files,
          ${bytes.length > 0 ? bytes.join(' + ') : '0'} AS export_bytes
        FROM "${name}" t
        WHERE ${owned('t')} ${isContinued ? `AND (${keys.join(', ')}) > (${after})` : ''}
        ORDER BY ${keys.join(', ')} LIMIT ${ROWS_PER_QUERY}
      ) AS t CROSS JOIN LATERAL (SELECT ${values.join(', ')}) AS shown
    ) AS r`;
}

/** What is known of the file of a column without reading it. */
function fileIn(table: string, value: string): { exists: string; bytes: string; sha256: string } {
  if (table === OBJECTS) return { exists: 'true', bytes: 't.size', sha256: 't.sha256' };
  return { exists: `${value} IS NOT NULL`, bytes: `length(${value})`, sha256: `encode(sha256(${value}), 'hex')` };
}

function pathOf(table: string, column: string, key: string): string {
  return `'files/${table}/${column}/' || ${key}`;
}

async function archive(files: readonly TarFileInput[], isLast: boolean): Promise<Buffer> {
  const named = files.map((file) => ({ ...file, data: file.data as Uint8Array }));
  const size = named.reduce((sum, { data }) => sum + TAR_BLOCK * (1 + Math.ceil(data.byteLength / TAR_BLOCK)), 0);
  // without the padding that would end the archive
  const entries = createTar(named, { attrs: { mode: '644', uid: 0, gid: 0 } }).subarray(0, size);
  return compress(isLast ? Buffer.concat([entries, END]) : entries);
}
