import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { BatchedInserts, CallLog, type CompletedCall, type Ctx, type Tx } from '../../../kit/index.js';
import { bodyText } from './body-text.js';
import { LeadWebhookLogRow, type LogResult } from './lead-webhook-log.entity.js';

const MAX_USER_AGENT_LENGTH = 500;

/** The result of a submission, for its log row. */
export interface Outcome {
  id: string;
  result: LogResult;
  lead_id: string;
  project_id: string;
  candidate_ids: string[];
}

type Row = Omit<LeadWebhookLogRow, 'version'>;

/**
 * Logs the requests to the webhook. The response to an accepted submission names its log row, so that row is written with
 * the lead. All other rows are inserted in batches after the response.
 */
@Injectable()
export class LeadWebhookLog extends CallLog {
  private readonly outcomes = new WeakMap<Ctx, Outcome>();

  constructor(private readonly inserts: BatchedInserts) {
    super();
  }

  /** Remembers a submission's outcome until its row is written. */
  note(ctx: Ctx, outcome: Outcome): void {
    this.outcomes.set(ctx, outcome);
  }

  override async insert(tx: Tx, call: CompletedCall): Promise<void> {
    const outcome = call.ctx && this.outcomes.get(call.ctx);
    if (!outcome) return;
    const { created_at: _created, updated_at: _updated, ...row } = rowOf(call, outcome);
    await tx.advanced.pipelined.insert(LeadWebhookLogRow, row);
  }

  override record(call: CompletedCall): void {
    if (call.status < 400 && call.ctx && this.outcomes.has(call.ctx)) return;
    this.inserts.add(LeadWebhookLogRow, rowOf(call, undefined));
  }
}

function rowOf(call: CompletedCall, outcome: Outcome | undefined): Row {
  const { time, requestId, organizationId, projectId, mode, apiKeyId, address, userAgent, status, code, replay, durationMs, body } = call;
  return {
    id: outcome?.id ?? uuidv7(),
    organization_id: organizationId,
    project_id: outcome?.project_id ?? projectId,
    mode,
    api_key_id: apiKeyId,
    request_id: requestId,
    address,
    user_agent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    status,
    code,
    result: status >= 500 ? 'failed' : status >= 400 ? 'refused' : replay ? 'replayed' : (outcome?.result ?? 'failed'),
    lead_id: outcome?.lead_id ?? leadOfResponse(replay?.body ?? null),
    candidate_ids: outcome?.candidate_ids ?? [],
    duration_ms: Math.round(durationMs * 1000) / 1000,
    body: body && bodyText(body),
    body_bytes: body?.length ?? null,
    body_masked: false,
    created_at: time,
    updated_at: time,
  };
}

/** The lead that the response of an accepted submission names. */
function leadOfResponse(body: string | null): string | null {
  return body === null ? null : ((JSON.parse(body) as { lead?: { id: string } }).lead?.id ?? null);
}
