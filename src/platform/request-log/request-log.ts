import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { newId } from '../../kit/internal.js';
import { BatchWriter } from '../persistence/batches/batch-writer.js';
import { poolOf } from '../persistence/database/pool.js';
import { KeyUses } from './key-uses.js';
import { isUncharged, RefusedCalls, type CountedRow, type Row } from './refused-calls.js';
import { bounded, type RequestLogEntry } from './request-log-entry.js';

const DELAY_MS = 250;
const WRITE_AT_ROWS = 500;
const ROWS_PER_INSERT = 1_000;
const CAPACITY = 50_000;

export type { RequestLogEntry };

interface NewRow extends Row {
  /** Assigned at the first attempt to write the row. */
  id?: string;
}

// One JSON parameter: serializing it takes half the time that arrays of pg take.
const INSERT = `
  INSERT INTO request_logs (id, organization_id, project_id, mode, api_key_id, member_id, plane, method, route, operation, tool, via,
                            status, code, latency_ms, address, request_id, idempotent_replay, dry_run, user_agent, calls,
                            created_at, updated_at)
  SELECT id, organization_id, project_id, mode, api_key_id, member_id, plane, method, route, operation, tool, via,
         status, code, latency_ms, address, request_id, idempotent_replay, dry_run, user_agent, coalesce(calls, 1),
         to_timestamp("time" / 1000.0), to_timestamp("time" / 1000.0)
  FROM json_to_recordset($1::json) AS r (
    "time" numeric, id uuid, organization_id uuid, project_id uuid, mode text, api_key_id uuid, member_id uuid, plane text,
    method text, route text, operation text, tool text, via text, status smallint, code text, latency_ms real, address text,
    request_id text, idempotent_replay boolean, dry_run boolean, user_agent text, calls int)
  ON CONFLICT (id)`;
const INSERT_NEW = `${INSERT} DO NOTHING`;
/** Processes may hold the rows in different orders, so they lock them in that of the ids. */
const COUNT = `${INSERT} DO UPDATE SET calls = request_logs.calls + EXCLUDED.calls`;

/** Writes log entries in batches, so that logging adds almost no cost to a request. */
@Injectable()
export class RequestLog implements OnApplicationShutdown {
  private readonly keyUses: KeyUses;
  private readonly rows: BatchWriter<NewRow>;
  private readonly refused: RefusedCalls;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    this.keyUses = new KeyUses(dataSource);
    this.refused = new RefusedCalls((batch) => this.count(batch));
    this.rows = new BatchWriter<NewRow>({
      items: 'rows of the request log',
      write: (batch) => this.insert(batch),
      maxBatch: ROWS_PER_INSERT,
      delayMs: DELAY_MS,
      writeAt: WRITE_AT_ROWS,
      capacity: CAPACITY,
    });
  }

  /** Rows that were dropped because the database could not take them in time. */
  get lost(): number {
    return this.rows.lost;
  }

  /** Takes the entry over: the caller must not use it afterwards. */
  record(entry: RequestLogEntry): void {
    const row = entry as unknown as Row;
    row.time = entry.time.getTime();
    row.tool = bounded(row.tool);
    row.user_agent = bounded(row.user_agent);
    row.latency_ms = Math.round(row.latency_ms * 1000) / 1000;
    if (isUncharged(row)) this.refused.count(row);
    else this.rows.add(row);
  }

  /** Writes everything that was recorded before. Resolves also if that failed and is retried later. */
  async flush(): Promise<void> {
    await this.rows.flush();
    await this.refused.flush();
    await this.keyUses.flush();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.rows.close();
    await this.refused.close();
    await this.keyUses.close();
  }

  private async insert(batch: readonly NewRow[]): Promise<void> {
    assignIds(batch);
    // if a batch is written again because its response was lost, it has the same ids
    await poolOf(this.dataSource).query({ name: 'insert_request_logs', text: INSERT_NEW, values: [JSON.stringify(batch)] });
    await this.keyUses.note(batch);
  }

  private async count(batch: readonly CountedRow[]): Promise<void> {
    const sorted = [...batch].sort((one, other) => (one.id < other.id ? -1 : 1));
    await poolOf(this.dataSource).query({ name: 'count_request_logs', text: COUNT, values: [JSON.stringify(sorted)] });
    await this.keyUses.note(batch);
  }
}

/** Derives the ids of a batch from one UUID v7, whose last 16 bits count the rows: cheaper than generating one per row. */
function assignIds(batch: readonly NewRow[]): void {
  const stem = newId().slice(0, -4);
  batch.forEach((row, index) => (row.id ??= stem + index.toString(16).padStart(4, '0')));
}
