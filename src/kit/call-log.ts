import type { Ctx, Mode } from './ctx.js';
import type { Tx } from './store.js';

/** A call with a recognised key once it is answered; refused ones too. */
export interface AnsweredCall {
  time: Date;
  requestId: string;
  organizationId: string;
  projectId: string | null;
  mode: Mode;
  apiKeyId: string;
  /** The context that the handler had; undefined where the key itself was refused. */
  ctx: Ctx | undefined;
  address: string;
  userAgent: string | null;
  status: number;
  /** The error's code; null for a success. */
  code: string | null;
  /** The earlier answer that was given again by its Idempotency-Key; null where the call was worked. */
  replay: { body: string | null } | null;
  durationMs: number;
  /** The body as it came in; null where it was too large to be read. */
  body: Buffer | null;
}

/** A log of a route's own, beside the request log: a provider that the route names as `callLog`. */
export abstract class CallLog {
  /**
   * Called in the transaction of a change that succeeded, before its commit, with what is known by then: what the answer
   * says of the log must stand there with the change. `record` is called for that call as for every other.
   */
  abstract keep(tx: Tx, call: AnsweredCall): Promise<void>;
  /** Called after the answer has gone out; must neither throw nor wait. */
  abstract record(call: AnsweredCall): void;
  /** Stores what was recorded; called once the last request is answered, while the database is still there. */
  abstract flush(): Promise<void>;
}
