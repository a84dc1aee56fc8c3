import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { FileUnavailable, type Actor, type JobHandler, type Mode } from '../../kit/index.js';
import { inWork, jobOf, type JobOptions } from '../../kit/internal.js';
import { TaskWork } from '../logging/task-work.js';
import { WorkLines } from '../logging/work-lines.js';
import { Metrics } from '../metrics/metrics.js';
import { CallContext } from '../persistence/transactions/call-context.js';
import { isOpen } from '../persistence/rows/open-organizations.js';
import { OutboundSwitch } from '../outbound/outbound-switch.js';
import { poolOf } from '../persistence/database/pool.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { CLAIM_JOBS } from './claim-jobs.sql.js';
import { JOB_QUEUE } from './job-table.js';
import { Lease, LEASE_MS } from './lease.js';
import { QueueWorker, type WorkQueue } from './queue-worker.js';
import { leaseIsOver } from './worker-presence.js';

/** The most jobs that run at once on a worker: in total, and of each kind. */
const AT_ONCE = 6;
const SLOTS_PER_KIND = 3;
const DEFAULT_ATTEMPTS = 10;
const FIRST_WAIT_MS = 5_000;
const WAIT_FACTOR = 3;
const LONGEST_WAIT_MS = 60 * 60_000;
/** Of a job whose file cannot be read, which has not failed, however long that lasts. */
const LONGEST_WAIT_FOR_FILE_MS = 10 * 60_000;
/** A job that was interrupted more often than this is delayed. */
const PROMPT_INTERRUPTIONS = 20;
/** By the index of the claims. */
const DUE_JOBS = `
  SELECT 'job' AS queue, name AS kind, count(*) AS depth, extract(epoch FROM now() - min(due_at))::float AS oldest_due_seconds
  FROM jobs WHERE status = 'due' AND leased_until IS NULL AND due_at <= now() AND ${isOpen('organization_id')} GROUP BY name`;
const NONE: ReadonlySet<string> = new Set();

interface JobRow {
  id: string;
  name: string;
  /** All runs: identifies the claim together with the id. */
  attempts: number;
  /** Runs that failed: interrupted ones do not count. */
  failures: number;
  organization_id: string;
  project_id: string | null;
  mode: Mode;
  actor: Actor;
  member_id: string | null;
  payload: object;
  traceparent: string | null;
}

/** Runs the modules' jobs, each under a lease that is renewed while the job runs. */
@Injectable()
export class JobRunner implements WorkQueue, OnModuleInit {
  readonly name = JOB_QUEUE;
  private readonly log = new Logger('Jobs');
  private readonly handlers = new Map<string, { options: JobOptions; handler: () => JobHandler<object> }>();
  private readonly running = new Map<Promise<void>, string>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    private readonly modules: ModuleRegistry,
    private readonly moduleRef: ModuleRef,
    private readonly worker: QueueWorker,
    private readonly metrics: Metrics,
    private readonly outbound: OutboundSwitch,
    private readonly lines: WorkLines,
  ) {}

  onModuleInit(): void {
    for (const job of this.modules.jobs()) {
      const options = jobOf(job);
      if (this.handlers.has(options.name)) throw new Error(`The job ${options.name} is declared twice.`);
      this.handlers.set(options.name, { options, handler: () => this.moduleRef.get<JobHandler<object>>(job, { strict: false }) });
    }
    if (this.handlers.size > 0) this.worker.register(this);
    this.metrics.backlog(DUE_JOBS);
  }

  async runBatch(): Promise<boolean> {
    const free = AT_ONCE - this.running.size;
    if (free <= 0) return false;
    const claimedAt = performance.now();
    const kinds = [...this.handlers].filter(([, { options }]) => this.outbound.isOpen || !options.outbound).map(([name]) => name);
    const { rows } = await poolOf(this.dataSource).query<JobRow>({
      name: 'claim_jobs',
      text: CLAIM_JOBS,
      values: [LEASE_MS, kinds, kinds.map((kind) => SLOTS_PER_KIND - this.runningOf(kind)), free, this.worker.id],
    });
    for (const row of rows) {
      const work = workOf(row);
      const run = inWork(work, () => this.run(row, claimedAt, work)).finally(() => {
        this.running.delete(run);
        this.worker.notify(this.name);
      });
      this.running.set(run, row.name);
    }
    return false;
  }

  async maintain(): Promise<void> {
    // a job that crashes every worker that runs it must not keep all workers from other work
    await poolOf(this.dataSource).query(
      `UPDATE jobs j SET leased_until = NULL, leased_by = NULL,
         due_at = CASE WHEN attempts - failures > $1 THEN now() + interval '1 minute' ELSE due_at END
       WHERE status = 'due' AND leased_until IS NOT NULL AND ${leaseIsOver('j')}`,
      [PROMPT_INTERRUPTIONS],
    );
  }

  async drain(): Promise<void> {
    this.stopping.abort(new Error('The worker is stopping.'));
    await Promise.all(this.running.keys());
  }

  private runningOf(kind: string): number {
    return [...this.running.values()].filter((name) => name === kind).length;
  }

  private async run(row: JobRow, claimedAt: number, work: TaskWork): Promise<void> {
    const known = this.handlers.get(row.name) as NonNullable<ReturnType<typeof this.handlers.get>>;
    const ctx = new CallContext(null, row.organization_id, row.project_id, row.mode, row.actor, row.member_id, NONE, NONE);
    const lease = new Lease(() => this.renew(row), claimedAt);
    ctx.requireLease = () => lease.requireHeld();
    const signal = AbortSignal.any([this.stopping.signal, lease.signal]);
    let error: Error | null = null;
    const startedAt = performance.now();
    try {
      await known.handler().run(ctx, row.payload, { id: row.id, attempt: row.failures + 1, signal });
    } catch (thrown) {
      error = thrown as Error;
      if (!signal.aborted) this.log.warn(`${row.name} ${row.id}, attempt ${row.failures + 1}: ${error.message}`);
    } finally {
      lease.end();
    }
    const outcome = error === null ? 'done' : signal.aborted ? 'interrupted' : 'failed';
    const milliseconds = performance.now() - startedAt;
    this.metrics.workEnded('job', { name: row.name, outcome }, milliseconds);
    this.lines.ended(work, outcome, milliseconds);
    work.endSpan({ 'work_suite.outcome': outcome }, outcome === 'failed' ? error : null);
    await this.settle(row, error, known.options).catch((failure: Error) =>
      this.log.warn(`${row.name} ${row.id} ended, but its result could not be stored, so it runs again: ${failure.message}`),
    );
  }

  private async renew({ id, attempts }: JobRow): Promise<boolean> {
    const { rowCount } = await poolOf(this.dataSource).query(
      `UPDATE jobs SET leased_until = now() + $3 * interval '1 millisecond' WHERE id = $1 AND attempts = $2 AND leased_until IS NOT NULL`,
      [id, attempts, LEASE_MS],
    );
    return rowCount === 1;
  }

  /** A run that the shutdown interrupted, or that waits for a file, has not failed. The first is due at once, for another worker. */
  private settle(row: JobRow, error: Error | null, options: JobOptions): Promise<unknown> {
    const interrupted = error !== null && this.stopping.signal.aborted;
    const waits = error instanceof FileUnavailable;
    const failures = error === null || interrupted || waits ? row.failures : row.failures + 1;
    const isLast = !interrupted && !waits && failures >= (options.attempts ?? DEFAULT_ATTEMPTS);
    const status = error === null ? 'done' : isLast ? 'failed' : 'due';
    const [runs, longest] = waits ? [row.attempts, LONGEST_WAIT_FOR_FILE_MS] : [failures, LONGEST_WAIT_MS];
    const wait = status !== 'due' || interrupted ? 0 : Math.min(FIRST_WAIT_MS * WAIT_FACTOR ** (runs - 1), longest);
    return poolOf(this.dataSource).query(
      `UPDATE jobs SET status = $3, last_error = $4, failures = $6, leased_until = NULL, leased_by = NULL,
         due_at = now() + $5 * interval '1 millisecond'
       WHERE id = $1 AND attempts = $2 AND status = 'due'`,
      [row.id, row.attempts, status, error?.message ?? null, wait, failures],
    );
  }
}

function workOf({ id, name, failures, organization_id, traceparent }: JobRow): TaskWork {
  const fields = { job: name, job_id: id, attempt: failures + 1, organization_id };
  return new TaskWork(`job ${name}`, fields).beginSpan({ parent: traceparent, kind: 'consumer' });
}
