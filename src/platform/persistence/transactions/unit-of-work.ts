import { CommonErrors, inSpan } from '../../../kit/index.js';
import pLimit, { type LimitFunction } from 'p-limit';
import type { AuditTrail } from './audit-trail.js';
import type { CallContext, CallTransaction } from './call-context.js';
import { ChangeRuns } from './change-runs.js';
import type { NumberSeries } from './number-series.js';
import type { FrozenEvent } from './frozen-event.js';
import type { OutboxWriter } from './outbox-writer.js';
import { PgTx } from './pg-tx.js';
import type { GroupCommit } from './group-commit.js';
import type { Queryable } from '../rows/queryable.js';
import type { Reader } from '../rows/reader.js';
import { TxConnection } from './tx-connection.js';
import type { WriteConnections } from './write-connections.js';
import type { WriteHooks } from './write-hooks.js';

/** Changes that may wait for one gapless series in this process. */
const MAX_WAITING = 200;
const serialQueues = new Map<string, LimitFunction>();

/** Errors of actions that run after a commit. */
const afterCommit = new WeakSet<object>();

/** Whether the change of which this is the error has been committed. */
export function isAfterCommit(error: unknown): boolean {
  return typeof error === 'object' && error !== null && afterCommit.has(error);
}

/** The single transaction of a write: opened when it is first needed, ended once by the creator of the unit of work. */
export class UnitOfWork implements CallTransaction {
  private tx: PgTx | null = null;
  private opening: Promise<PgTx> | null = null;
  private ended = false;
  private readonly runs = new ChangeRuns();

  constructor(
    private readonly connections: WriteConnections,
    private readonly reader: Reader,
    private readonly numbers: NumberSeries,
    private readonly ctx: CallContext,
    private readonly outbox: OutboxWriter,
    private readonly trail: AuditTrail,
    private readonly groups: GroupCommit,
    private readonly hooks: WriteHooks,
  ) {}

  /** Concurrent calls get the same transaction. */
  open(): Promise<PgTx> {
    if (this.ended) return Promise.reject(new Error('This unit of work has ended; its transaction cannot be opened again.'));
    return (this.opening ??= this.begin());
  }

  private async begin(): Promise<PgTx> {
    this.ctx.owner.requireLease?.();
    await this.ctx.owner.renewLease?.();
    const connection = new TxConnection(this.connections.of(this.ctx.organizationId), this.groups, () => this.ctx.owner.requireLease?.());
    return (this.tx = new PgTx(connection, this.reader, this.numbers, this.ctx, this.outbox, this.trail, this.runs, this.hooks));
  }

  get hasEnded(): boolean {
    return this.ended;
  }

  /** Runs a change and commits it with its events; if that fails, nothing was written. */
  async execute<R>(change: () => Promise<R>): Promise<R> {
    const { result, tx } = await inSpan('transaction', () => this.committed(change));
    await tx?.runAfterCommit().catch((error: unknown) => {
      if (typeof error === 'object' && error !== null) afterCommit.add(error);
      throw error;
    });
    return result;
  }

  /**
   * Runs a change as `execute` does, and rolls it back instead: nothing is written, no number is used, and nothing runs after it. Resolves
   * to the events that it would emit.
   */
  async tryOut<R>(change: () => Promise<R>): Promise<{ result: R; events: readonly FrozenEvent[] }> {
    return this.untilAccepted(async () => {
      const result = await this.run(() => {
        this.ctx.effects?.begin();
        return change();
      });
      const events = (await (await this.opening)?.check()) ?? [];
      await this.rollback();
      return { result, events };
    });
  }

  private committed<R>(change: () => Promise<R>): Promise<{ result: R; tx: PgTx | null }> {
    return this.untilAccepted(async () => {
      const result = await this.run(change);
      const { tx } = this;
      await this.commit();
      return { result, tx };
    });
  }

  /** Repeats an attempt that failed because of what others have written, if the change asked for that. */
  private async untilAccepted<R>(attempt: () => Promise<R>): Promise<R> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        await this.rollback();
        if (!this.runs.runsAgainAfter(error)) throw error;
        this.ended = false;
      }
    }
  }

  /**
   * Runs a change, and runs it again after each piece of long work that it requests with `AdvancedTx.prepared`. The work runs while no
   * transaction is open. It does not matter whether the change catches the error that ended its run.
   */
  private async run<R>(change: () => Promise<R>, serial = false): Promise<R> {
    for (;;) {
      try {
        const result = await this.runs.run(this.ctx.owner, change);
        if (!this.runs.needsWork) return result;
      } catch (error) {
        if (!this.runs.needsWork) throw error;
      }
      this.runs.abandon();
      await this.rollback();
      const { gaplessSeries } = this.runs;
      if (gaplessSeries !== null && !serial) return this.runSerially(gaplessSeries, change);
      await this.runs.work();
      this.ended = false;
    }
  }

  /**
   * Work that prints a gapless number is wasted if another change takes the number meanwhile, so such changes run one after the
   * other within a process. A change in another process causes another run.
   */
  private runSerially<R>(series: string, change: () => Promise<R>): Promise<R> {
    let queue = serialQueues.get(series);
    if (!queue) serialQueues.set(series, (queue = pLimit(1)));
    if (queue.pendingCount >= MAX_WAITING) {
      const message = 'Too many changes are waiting for a number of this series; nothing was written. Retry the request shortly.';
      return Promise.reject(CommonErrors.unavailable({ message, headers: { 'Retry-After': '30' } }));
    }
    return queue(() => {
      this.runs.forgetWork();
      this.ended = false;
      return this.run(change, true);
    }).finally(() => {
      if (queue.activeCount + queue.pendingCount === 0) serialQueues.delete(series);
    });
  }

  /** The transaction, if open. */
  get current(): PgTx | null {
    return this.tx;
  }

  get connection(): Queryable | null {
    return this.tx?.connection.reads ?? null;
  }

  private async commit(): Promise<void> {
    this.ended = true;
    await this.opening?.catch(() => undefined);
    await this.tx?.commit();
    this.forget();
  }

  async rollback(): Promise<void> {
    this.ended = true;
    await this.opening?.catch(() => undefined);
    await this.tx?.connection.rollback();
    this.forget();
  }

  private forget(): void {
    this.tx = null;
    this.opening = null;
  }
}
