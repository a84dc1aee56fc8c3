import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { poolOf } from '../persistence/pool.js';
import { bounded, type RequestLogEntry } from './request-log-entry.js';

const FLUSH_EVERY_MS = 250;
const FLUSH_AT_ROWS = 500;
const TOUCH_KEYS_EVERY_MS = 1_000;
const ROWS_PER_INSERT = 1_000;
const CAPACITY = 50_000;
const LONGEST_PAUSE_MS = 5_000;
const ATTEMPTS_AT_SHUTDOWN = 3;

export type { RequestLogEntry };

interface Row extends Omit<RequestLogEntry, 'time'> {
  /** Milliseconds since 1970: a Date among the members makes JSON.stringify three times as slow. */
  time: number;
  /** Given when the row is first tried to be written, and kept when it is tried again. */
  id?: string;
}

// One JSON parameter: making it costs this process half of what pg's own arrays would.
const INSERT = `
  INSERT INTO request_logs (id, organization_id, project_id, mode, api_key_id, member_id, plane, method, route, operation, tool, via,
                            status, code, latency_ms, address, request_id, idempotent_replay, user_agent, created_at, updated_at)
  SELECT id, organization_id, project_id, mode, api_key_id, member_id, plane, method, route, operation, tool, via,
         status, code, latency_ms, address, request_id, idempotent_replay, user_agent, to_timestamp("time" / 1000.0), to_timestamp("time" / 1000.0)
  FROM json_to_recordset($1::json) AS r (
    "time" numeric, id uuid, organization_id uuid, project_id uuid, mode text, api_key_id uuid, member_id uuid, plane text, method text, route text,
    operation text, tool text, via text, status smallint, code text, latency_ms real, address text, request_id text, idempotent_replay boolean, user_agent text)
  ON CONFLICT (id) DO NOTHING`;

const TOUCH_KEYS = `
  UPDATE api_keys SET last_used_at = used.at
  FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at)
  WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`;

/** Collects the requests and writes them in batches, so that logging costs a request next to nothing. */
@Injectable()
export class RequestLog implements OnApplicationShutdown {
  private readonly logger = new Logger(RequestLog.name);
  private rows: Row[] = [];
  /** Keys whose last use is not in the database yet. */
  private readonly lastUses = new Map<string, number>();
  private touchedAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | null = null;
  private failures = 0;
  private lostRows = 0;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Rows that were thrown away because the database could not take them in time. */
  get lost(): number {
    return this.lostRows;
  }

  /** Takes the entry over: the caller must not use it afterwards. */
  record(entry: RequestLogEntry): void {
    if (this.rows.length >= CAPACITY) this.drop(this.rows.splice(0, ROWS_PER_INSERT).length, 'the database does not take them fast enough');
    const row = entry as unknown as Row;
    row.time = entry.time.getTime();
    row.tool = bounded(row.tool);
    row.user_agent = bounded(row.user_agent);
    row.latency_ms = Math.round(row.latency_ms * 1000) / 1000;
    this.rows.push(row);
    if (this.rows.length === FLUSH_AT_ROWS && this.failures === 0) setImmediate(() => void this.write());
    else this.writeLater();
  }

  /** Writes everything that was recorded before; resolves when it stands in the database or has to be tried again later. */
  async flush(): Promise<void> {
    await this.writing;
    this.touchedAt = 0;
    await this.write();
  }

  async onApplicationShutdown(): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS_AT_SHUTDOWN && this.rows.length + this.lastUses.size > 0; attempt++) await this.flush();
    clearTimeout(this.timer);
    if (this.rows.length > 0) this.drop(this.rows.length, 'the database could not be reached at the shutdown');
  }

  private write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    return (this.writing ??= this.writeAll().finally(() => (this.writing = null)));
  }

  private async writeAll(): Promise<void> {
    let batch: Row[] = [];
    try {
      while (this.rows.length > 0) {
        batch = this.rows.splice(0, ROWS_PER_INSERT);
        giveIds(batch);
        await this.insert(batch);
        this.noteUses(batch);
        batch = [];
      }
      if (Date.now() - this.touchedAt >= TOUCH_KEYS_EVERY_MS) await this.touchKeys();
      this.failures = 0;
    } catch (error) {
      // the same ids again are ignored, so a batch that was written although its answer got lost is not doubled
      this.rows = batch.concat(this.rows);
      this.failures++;
      this.logger.warn(
        `The request log could not be written and will be tried again, ${this.rows.length} rows: ${(error as Error).message}`,
      );
    }
    if (this.rows.length + this.lastUses.size > 0) this.writeLater();
  }

  private async insert(batch: readonly Row[]): Promise<void> {
    try {
      await poolOf(this.dataSource).query({ name: 'insert_request_logs', text: INSERT, values: [JSON.stringify(batch)] });
    } catch (error) {
      if (!isDataError(error)) throw error;
      if (batch.length === 1) return this.drop(1, (error as Error).message);
      // one row that PostgreSQL refuses must not keep the others out
      for (const row of batch) await this.insert([row]);
    }
  }

  private noteUses(batch: readonly Row[]): void {
    for (const { api_key_id, time } of batch) {
      if (api_key_id === null) continue;
      const known = this.lastUses.get(api_key_id);
      if (known === undefined || time > known) this.lastUses.set(api_key_id, time);
    }
  }

  /** Marks the keys as used, without raising their version: a use is no change. */
  private async touchKeys(): Promise<void> {
    if (this.lastUses.size === 0) return;
    // in a fixed order, so that two processes lock the keys' rows alike
    const uses = [...this.lastUses].sort(([one], [other]) => (one < other ? -1 : 1));
    await poolOf(this.dataSource).query({
      name: 'touch_api_keys',
      text: TOUCH_KEYS,
      values: [uses.map(([id]) => id), uses.map(([, at]) => new Date(at))],
    });
    this.lastUses.clear();
    this.touchedAt = Date.now();
  }

  private writeLater(): void {
    this.timer ??= setTimeout(() => void this.write(), this.pause()).unref();
  }

  private pause(): number {
    return Math.min(FLUSH_EVERY_MS * 2 ** this.failures, LONGEST_PAUSE_MS);
  }

  private drop(count: number, reason: string): void {
    this.lostRows += count;
    this.logger.error(`${count} rows of the request log are lost (${this.lostRows} since the start): ${reason}`);
  }
}

/** One UUID v7 for a batch, whose last 16 bits count its rows: a fraction of the cost of one per row. */
function giveIds(batch: readonly Row[]): void {
  const stem = uuidv7().slice(0, -4);
  batch.forEach((row, index) => (row.id ??= stem + index.toString(16).padStart(4, '0')));
}

/** SQLSTATE classes 22 and 23: the row is at fault, and would be again. */
function isDataError(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string }).code ?? '');
}
