import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  CsvLocale,
  CustomFieldCatalog,
  DomainError,
  dryRun,
  Files,
  FileUnavailable,
  Job,
  Jobs,
  own,
  readCsv,
  sql,
  Store,
  table,
  type CsvRows,
  type Ctx,
  type FileOf,
  type JobHandler,
  type JobRun,
  type Tx,
  currentTime,
} from '../../../kit/index.js';
import { CrmConfig, leadFieldsOf, LeadsService } from '../../crm/crm.public.js';
import { storeIssues, type Issue } from './import-issues.js';
import { readRow, unreadableRow, type ReadRow } from './lead-import-row.js';
import { LeadImport } from './lead-import.entity.js';
import { deleteKeys, keysOf, storeKeys, type RowKey } from './duplicate-rows.js';

const ROWS_PER_CHUNK = 250;
const ATTEMPTS = 5;
/** The number of bytes that are decoded at once. */
const PIECE_SIZE = 256 * 1024;
/** An import that takes longer yields its slot to waiting jobs and continues later. */
const SLOT_MS = 10_000;

interface Chunk {
  rows: ReadRow[];
  keys: RowKey[];
  /** Where the next chunk begins in the file. */
  end: number;
}

/** Another worker has continued the import. */
class TakenOver extends Error {}

/** Processes an import, one chunk of rows per transaction. */
@Job({
  name: 'lead_webhook.import_leads',
  attempts: ATTEMPTS,
})
export class ImportLeads implements JobHandler<{ import_id: string }> {
  constructor(
    private readonly store: Store,
    private readonly leads: LeadsService,
    private readonly config: CrmConfig,
    private readonly jobs: Jobs,
    private readonly customFields: CustomFieldCatalog,
    private readonly files: Files,
  ) {}

  async run(ctx: Ctx, { import_id }: { import_id: string }, { attempt, signal }: JobRun): Promise<void> {
    try {
      await this.process(ctx, import_id, signal);
    } catch (error) {
      if (error instanceof TakenOver) return;
      // a run that was interrupted, or that waits for the file, has not failed
      if (attempt >= ATTEMPTS && !signal.aborted && !(error instanceof FileUnavailable)) await this.fail(ctx, import_id);
      throw error;
    }
  }

  private async process(ctx: Ctx, id: string, signal: AbortSignal): Promise<void> {
    const row = await this.start(ctx, id);
    if (!row) return;
    const since = performance.now();
    const file = await this.read(ctx, id);
    const csv = await readCsv((offset) => Promise.resolve(file.subarray(offset, offset + PIECE_SIZE)));
    for await (const chunk of this.chunks(ctx, row, csv)) {
      signal.throwIfAborted();
      await this.importChunk(ctx, id, chunk);
      if (performance.now() - since > SLOT_MS) return this.continueLater(ctx, id);
      await yieldToEventLoop();
    }
    await this.store.write(ctx, async (tx) => {
      const ended = await tx.lock(LeadImport, id);
      if (ended.state !== 'running') return;
      await tx.update(ended, { state: 'completed', finished_at: currentTime(), content: null, content_object_id: null });
      await deleteKeys(tx, id);
    });
  }

  private start(ctx: Ctx, id: string): Promise<LeadImport | null> {
    return this.store.write(ctx, async (tx) => {
      if (!(await tx.find(LeadImport, id))) return null;
      const row = await tx.lock(LeadImport, id);
      if (row.finished_at !== null) return null;
      return row.state === 'queued' ? tx.update(row, { state: 'running', started_at: row.started_at ?? currentTime() }) : row;
    });
  }

  /** All of it, which is of a limited size: a storage has no cheap pieces. */
  private async read(ctx: Ctx, id: string): Promise<Buffer> {
    const [row] = await this.store.write(ctx, (tx) =>
      tx.sql<FileOf<'content'>>(
        sql`SELECT i.content, i.content_object_id FROM ${table(LeadImport)} i
          WHERE ${own('i')} AND i.id = ${id} AND (i.content IS NOT NULL OR i.content_object_id IS NOT NULL)`,
      ),
    );
    // another worker has ended the import
    if (!row) throw new TakenOver();
    return this.files.read(ctx, row, 'content');
  }

  private continueLater(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, (tx) => this.jobs.add(ctx, tx, ImportLeads, { import_id: id }, { key: id }));
  }

  /** The rows that are not done yet. */
  private async *chunks(ctx: Ctx, row: LeadImport, { headings, rows }: CsvRows): AsyncGenerator<Chunk> {
    const configured = await this.config.read(ctx, row.project_id);
    const columns = { headings, mapping: row.mapping, definitions: await leadFieldsOf(this.customFields, ctx, row.project_id) };
    const locale = CsvLocale.of(row.locale ?? undefined);
    // imports that began before their bytes were counted
    let number = row.bytes_done === 0 ? 0 : row.rows_done;
    let chunk: Chunk = { rows: [], keys: [], end: 0 };
    for await (const { cells, problem, end } of rows(row.bytes_done)) {
      if (++number <= row.rows_done) continue;
      const read = problem === null ? readRow(number, cells, columns, locale) : unreadableRow(number, problem);
      chunk.rows.push(read);
      chunk.keys.push(...keysOf(number, read.input, configured.defaultCountry));
      chunk.end = end;
      if (chunk.rows.length === ROWS_PER_CHUNK) {
        yield chunk;
        chunk = { rows: [], keys: [], end };
      }
    }
    if (chunk.rows.length > 0) yield chunk;
  }

  /** Creates all leads at once, since the database rarely rejects a row; if it does, again with a savepoint for each row. */
  private async importChunk(ctx: Ctx, id: string, chunk: Chunk): Promise<void> {
    try {
      await this.store.write(ctx, (tx) => this.writeChunk(tx, id, chunk, (rows, row) => this.createAtOnce(ctx, tx, row, rows)));
    } catch (error) {
      if (error instanceof TakenOver) throw error;
      await this.store.write(ctx, (tx) => this.writeChunk(tx, id, chunk, (rows, row) => this.createOneByOne(ctx, tx, row, rows)));
    }
  }

  private async writeChunk(
    tx: Tx,
    id: string,
    { rows, keys, end }: Chunk,
    create: (rows: readonly ReadRow[], row: LeadImport) => Promise<Issue[]>,
  ): Promise<void> {
    const row = await tx.lock(LeadImport, id);
    if (row.state !== 'running' || row.rows_done !== rows[0].number - 1) throw new TakenOver();
    const invalid = rows.flatMap(({ number, problems }) =>
      problems.map(({ param, code, message }): Issue => ({ row_number: number, severity: 'error', code, param, message })),
    );
    const valid = rows.filter(({ problems }) => problems.length === 0);
    const rejected = row.dry_run ? await dryRun(tx, () => create(valid, row)) : await create(valid, row);
    const failedRows = rows.length - valid.length + rejected.length;
    const skipped = new Set([...invalid, ...rejected].map(({ row_number }) => row_number));
    const warnings = (await storeKeys(tx, id, keys)).filter(({ key }) => !skipped.has(key.row_number)).map(repeatOf);
    const issues = [...invalid, ...rejected, ...warnings].sort((a, b) => a.row_number - b.row_number);
    await storeIssues(tx, row, issues);
    await tx.update(row, {
      rows_done: row.rows_done + rows.length,
      bytes_done: end,
      created_count: row.created_count + rows.length - failedRows,
      error_count: row.error_count + failedRows,
      warning_count: row.warning_count + warnings.length,
    });
  }

  private async createAtOnce(ctx: Ctx, tx: Tx, { project_id }: LeadImport, rows: readonly ReadRow[]): Promise<Issue[]> {
    const results = await Promise.allSettled(rows.map(({ input }) => this.leads.createIn(ctx, tx, project_id, input)));
    return results.flatMap((result, index) => (result.status === 'rejected' ? [issueOf(rows[index].number, result.reason)] : []));
  }

  private async createOneByOne(ctx: Ctx, tx: Tx, { project_id }: LeadImport, rows: readonly ReadRow[]): Promise<Issue[]> {
    const issues: Issue[] = [];
    for (const { number, input } of rows) {
      await tx
        .attempt(() => this.leads.createIn(ctx, tx, project_id, input))
        .catch((error: unknown) => issues.push(issueOf(number, error)));
    }
    return issues;
  }

  private fail(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const row = await tx.lock(LeadImport, id);
      if (row.finished_at !== null) return;
      await tx.update(row, {
        state: 'failed',
        finished_at: currentTime(),
        content: null,
        content_object_id: null,
        failure: failureOf(row),
      });
      // only an import that can be continued needs them
      if (row.fingerprint === null) await deleteKeys(tx, id);
    });
  }
}

/** Only an import with a fingerprint is found again, and continued, when its file is sent again. */
function failureOf({ dry_run, fingerprint, rows_done }: LeadImport): string {
  if (dry_run) return 'The dry run could not be completed. Nothing was imported; send the file again to repeat it.';
  if (fingerprint !== null) return 'The import could not be completed; the rows done so far are imported. Send the file again to continue.';
  if (rows_done === 0) return 'The import could not be completed. No row was imported; send the file again.';
  return `The import could not be completed. Rows 1 to ${rows_done} are done: send only later rows, to create no lead twice.`;
}

function repeatOf({ key: { row_number, param }, first }: { key: RowKey; first: number }): Issue {
  const message = `${param} is the same as in row ${first}; an import does not match leads`;
  return { row_number, severity: 'warning', code: 'repeated', param, message };
}

function issueOf(row_number: number, error: unknown): Issue {
  if (!(error instanceof DomainError) || error.spec.status >= 500) throw error;
  const { param = null } = error.occurrence;
  return { row_number, severity: 'error', code: error.spec.code, param, message: error.message };
}
