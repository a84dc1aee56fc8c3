import { Injectable, Logger } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { CallLog, Maintenance, type AnsweredCall, type Ctx, type Tx } from '../../../kit/index.js';
import { bodyText } from './body-text.js';
import { LeadWebhookLogRow, type LogResult } from './lead-webhook-log.entity.js';

const FLUSH_EVERY_MS = 250;
const ROWS_PER_INSERT = 500;
/** Rows are up to 64 KiB: while the database is away, so much may wait. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
const ROW_BYTES = 500;
const LONGEST_PAUSE_MS = 5_000;
const LONGEST_TEXT = 500;

/** What the submission itself knows of its row. */
export interface Outcome {
  id: string;
  result: LogResult;
  lead_id: string;
  project_id: string;
  candidate_ids: string[];
}

type Row = Omit<LeadWebhookLogRow, 'version' | 'body_masked' | 'created_at' | 'updated_at'> & { time: number };

const INSERT = `
  INSERT INTO lead_webhook_logs (id, organization_id, project_id, mode, api_key_id, request_id, address, user_agent, status, code, result, lead_id,
                                 candidate_ids, duration_ms, body, body_bytes, created_at, updated_at)
  SELECT id, organization_id, project_id, mode, api_key_id, request_id, address, user_agent, status, code, result, lead_id,
         candidate_ids, duration_ms, body, body_bytes, to_timestamp("time" / 1000.0), to_timestamp("time" / 1000.0)
  FROM json_to_recordset($1::json) AS r (
    "time" numeric, id uuid, organization_id uuid, project_id uuid, mode text, api_key_id uuid, request_id text, address text, user_agent text,
    status smallint, code text, result text, lead_id uuid, candidate_ids uuid[], duration_ms real, body text, body_bytes integer)
  ON CONFLICT (id) DO NOTHING`;

/**
 * Keeps the webhook's requests. The row of an accepted one is named in its answer, so it is written with the lead; all
 * others are collected and written in batches.
 */
@Injectable()
export class LeadWebhookLog extends CallLog {
  private readonly logger = new Logger('Lead webhook');
  private readonly outcomes = new WeakMap<Ctx, Outcome>();
  private rows: Row[] = [];
  private waitingBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | null = null;
  private failures = 0;

  constructor(private readonly maintenance: Maintenance) {
    super();
  }

  /** Remembers a submission's outcome until it is written. */
  note(ctx: Ctx, outcome: Outcome): void {
    this.outcomes.set(ctx, outcome);
  }

  override async keep(tx: Tx, call: AnsweredCall): Promise<void> {
    const outcome = call.ctx && this.outcomes.get(call.ctx);
    if (!outcome) return;
    const { time: _time, ...row } = rowOf(call, outcome);
    await tx.insert(LeadWebhookLogRow, { ...row, body_masked: false }, { pipelined: true });
  }

  override record(call: AnsweredCall): void {
    if (call.status < 400 && call.ctx && this.outcomes.has(call.ctx)) return;
    const row = rowOf(call, undefined);
    const bytes = sizeOf(row);
    if (this.waitingBytes + bytes > MOST_WAITING_BYTES) {
      this.logger.error('A row of the lead webhook log is lost: the database does not take them fast enough.');
      return;
    }
    this.waitingBytes += bytes;
    this.rows.push(row);
    this.writeLater();
  }

  override async flush(): Promise<void> {
    await this.writing;
    await this.write();
  }

  private write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    return (this.writing ??= this.writeAll().finally(() => (this.writing = null)));
  }

  private async writeAll(): Promise<void> {
    try {
      while (this.rows.length > 0) {
        const batch = this.rows.slice(0, ROWS_PER_INSERT);
        await this.insert(batch);
        this.rows.splice(0, batch.length);
        for (const row of batch) this.waitingBytes -= sizeOf(row);
      }
      this.failures = 0;
    } catch (error) {
      // the same ids again are ignored, so a batch that was written although its answer got lost is not doubled
      this.failures++;
      this.logger.warn(
        `The lead webhook log could not be written and will be tried again, ${this.rows.length} rows: ${(error as Error).message}`,
      );
      this.writeLater();
    }
  }

  private async insert(batch: readonly Row[]): Promise<void> {
    try {
      await this.maintenance.query(INSERT, [JSON.stringify(batch)]);
    } catch (error) {
      if (!isDataError(error)) throw error;
      // one row that PostgreSQL refuses must not keep the others out
      if (batch.length > 1) for (const row of batch) await this.insert([row]);
      else this.logger.error(`A row of the lead webhook log is lost: ${(error as Error).message}`);
    }
  }

  private writeLater(): void {
    this.timer ??= setTimeout(() => void this.write(), Math.min(FLUSH_EVERY_MS * 2 ** this.failures, LONGEST_PAUSE_MS)).unref();
  }
}

function rowOf(call: AnsweredCall, outcome: Outcome | undefined): Row {
  const { time, requestId, organizationId, projectId, mode, apiKeyId, address, userAgent, status, code, replay, durationMs, body } = call;
  return {
    time: time.getTime(),
    id: outcome?.id ?? uuidv7(),
    organization_id: organizationId,
    project_id: outcome?.project_id ?? projectId,
    mode,
    api_key_id: apiKeyId,
    request_id: requestId,
    address,
    user_agent: userAgent?.slice(0, LONGEST_TEXT) ?? null,
    status,
    code,
    result: status >= 500 ? 'failed' : status >= 400 ? 'refused' : replay ? 'replayed' : (outcome?.result ?? 'failed'),
    lead_id: outcome?.lead_id ?? leadOfAnswer(replay?.body ?? null),
    candidate_ids: outcome?.candidate_ids ?? [],
    duration_ms: Math.round(durationMs * 1000) / 1000,
    body: body && bodyText(body),
    body_bytes: body?.length ?? null,
  };
}

/** The lead that an accepted submission's answer names. */
function leadOfAnswer(answer: string | null): string | null {
  return answer === null ? null : ((JSON.parse(answer) as { lead?: { id: string } }).lead?.id ?? null);
}

function sizeOf({ body }: Row): number {
  return ROW_BYTES + (body?.length ?? 0);
}

/** SQLSTATE classes 22 and 23: the row is at fault, and would be again. */
function isDataError(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string }).code ?? '');
}
