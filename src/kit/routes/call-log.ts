import type { Ctx, Mode } from '../callers/ctx.js';
import type { Tx } from '../store/store.js';

/**
 * A finished call that sent a known API key, whether it succeeded or failed. Of calls that were refused before they counted against a
 * limit, only the first in a minute with its key and code.
 */
export interface CompletedCall {
  time: Date;
  requestId: string;
  organizationId: string;
  projectId: string | null;
  mode: Mode;
  apiKeyId: string;
  /** The handler's context; undefined if the key itself was rejected. */
  ctx: Ctx | undefined;
  address: string;
  userAgent: string | null;
  status: number;
  /** The error code; null for a success. */
  code: string | null;
  /** The stored response that was replayed for the Idempotency-Key; null if the handler ran. */
  replay: { body: string | null } | null;
  durationMs: number;
  /** The raw request body; null if it exceeded the limit and was not read. */
  body: Buffer | null;
}

/**
 * A route-specific log in addition to the request log; the route names its provider as `callLog`.
 *
 * @example
 * ```ts
 * import { Injectable } from '@nestjs/common';
 * import { CallLog, type CompletedCall, type Tx } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * @Injectable()
 * export class ReceivedCalls extends CallLog {
 *   async insert(tx: Tx, { requestId }: CompletedCall): Promise<void> {
 *     await tx.insert(Trip, { title: `Received with ${requestId}` });
 *   }
 *
 *   record(): void {}
 * }
 * ```
 */
export abstract class CallLog {
  /**
   * Called for a successful change in its transaction, just before the commit, so that a log entry which the response
   * refers to commits with the change. `record` is still called for the same call later.
   */
  abstract insert(tx: Tx, call: CompletedCall): Promise<void>;
  /** Called after the response was sent; must neither throw nor block. */
  abstract record(call: CompletedCall): void;
}
