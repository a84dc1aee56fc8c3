import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { Contexts, type ScheduledJobHandler } from '../../kit/index.js';
import { inWork, scheduledJobOf } from '../../kit/internal.js';
import { TaskWork } from '../logging/task-work.js';
import { WorkLines } from '../logging/work-lines.js';
import { Metrics } from '../metrics/metrics.js';
import { poolOf } from '../persistence/database/pool.js';
import { tablesOf } from '../persistence/rows/render-sql.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { DueRows } from './due-rows.js';
import { Lease, LEASE_MS } from '../queue/lease.js';
import { QueueWorker, type WorkQueue } from '../queue/queue-worker.js';
import { leaseIsOver } from '../queue/worker-presence.js';

/**
 * Those that are due, and those whose latest run failed: `last_error` stays until the next one has ended. Rows of jobs that no version has
 * any more stay in the table.
 */
const dueScheduledJobs = (names: readonly string[]) => `
  SELECT s.queue, j.name AS kind, 1 AS depth, s.age AS oldest_due_seconds
  FROM scheduled_jobs j CROSS JOIN LATERAL (
    SELECT 'scheduled_job' AS queue, extract(epoch FROM now() - j.due_at)::float AS age WHERE j.leased_until IS NULL AND j.due_at <= now()
    UNION ALL SELECT 'failed_scheduled_job', 0 WHERE j.last_error IS NOT NULL
  ) AS s
  WHERE j.name IN (${names.map((name) => pg.escapeLiteral(name)).join(', ')})`;

/** A run that this process has claimed; `runs` distinguishes it from the run of a process that took over. */
interface Claim {
  name: string;
  runs: number;
  now: Date;
}

/** Work that runs at intervals. */
export interface ScheduledWork {
  readonly name: string;
  readonly everySeconds: number;
  /** Also runs as soon as a mail was sent, or finally could not be. */
  readonly followsMails?: boolean;
  /**
   * Throws if the run failed. `signal` is aborted when the worker stops or the lease is lost. A requested run
   * has no lease, and may be for some organizations only; work of the platform always concerns all.
   */
  run(now: Date, signal: AbortSignal, lease: Lease | null, organizations?: readonly string[]): Promise<void>;
}

/** Runs scheduled work, each job under a lease that is renewed while it runs. */
@Injectable()
export class ScheduledJobRunner implements WorkQueue, OnModuleInit, OnApplicationBootstrap {
  readonly name = 'scheduled-jobs.run';
  private readonly log = new Logger('Scheduled jobs');
  private readonly jobs = new Map<string, ScheduledWork>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();
  private announced = false;

  constructor(
    private readonly dataSource: DataSource,
    modules: ModuleRegistry,
    moduleRef: ModuleRef,
    contexts: Contexts,
    private readonly worker: QueueWorker,
    private readonly metrics: Metrics,
    private readonly lines: WorkLines,
  ) {
    for (const job of modules.manifests.flatMap(({ scheduledJobs }) => scheduledJobs ?? [])) {
      const options = scheduledJobOf(job);
      let rows: DueRows | undefined;
      this.register({
        ...options,
        run: (now, signal, lease, organizations) => {
          const handler = () => moduleRef.get<ScheduledJobHandler>(job, { strict: false });
          rows ??= new DueRows(options, handler(), poolOf(dataSource), tablesOf(dataSource), contexts);
          return rows.run(now, signal, lease, organizations);
        },
      });
    }
  }

  register(work: ScheduledWork): void {
    if (this.jobs.has(work.name)) throw new Error(`The scheduled job ${work.name} is declared twice.`);
    this.jobs.set(work.name, work);
  }

  /** Of all jobs, sorted. */
  get names(): string[] {
    return [...this.jobs.keys()].sort();
  }

  onModuleInit(): void {
    if (this.jobs.size > 0) this.worker.register(this);
  }

  /** All jobs are registered by now. */
  onApplicationBootstrap(): void {
    if (this.jobs.size > 0) this.metrics.backlog(dueScheduledJobs(this.names));
  }

  /**
   * Runs a job immediately, whether or not it is due, after any run in progress in this process. Rethrows its error. With
   * `organizations`, a module's job handles only their rows.
   */
  async run(name: string, now = new Date(), organizations?: readonly string[]): Promise<void> {
    const job = this.jobs.get(name);
    if (!job) throw new Error(`There is no scheduled job ${name}; there are ${this.names.join(', ')}.`);
    while (this.running.has(name)) await this.running.get(name);
    await this.track(name, job.run(now, this.stopping.signal, null, organizations));
  }

  async runBatch(): Promise<boolean> {
    const idle = [...this.jobs.keys()].filter((name) => !this.running.has(name));
    if (idle.length === 0) return false;
    await this.announce();
    const claimedAt = performance.now();
    const { rows } = await poolOf(this.dataSource).query<Claim>(
      // The next run is due from here on, so that a call of `runMailFollowers` during this one brings it forward.
      `UPDATE scheduled_jobs s SET leased_until = now() + $1 * interval '1 millisecond', leased_by = $3, runs = runs + 1,
         due_at = date_trunc('milliseconds', now()) + every * interval '1 second'
       FROM (
         SELECT name, every FROM scheduled_jobs j JOIN unnest($2::text[], $4::integer[]) AS idle (name, every) USING (name)
         WHERE (due_at <= now() OR leased_until IS NOT NULL) AND (leased_until IS NULL OR ${leaseIsOver('j')}) FOR UPDATE OF j SKIP LOCKED
       ) AS due
       WHERE s.name = due.name
       RETURNING s.name, s.runs, now()`,
      [LEASE_MS, idle, this.worker.id, idle.map((name) => this.jobs.get(name)?.everySeconds)],
    );
    for (const claim of rows) void this.claimed(claim, claimedAt);
    return false;
  }

  /** Makes the jobs with `followsMails` due now; one that is running runs again. */
  async runMailFollowers(): Promise<void> {
    const names = [...this.jobs.values()].filter(({ followsMails }) => followsMails).map(({ name }) => name);
    await poolOf(this.dataSource).query(
      // in a fixed order, so that two calls do not wait for each other
      `UPDATE scheduled_jobs s SET due_at = least(due_at, now())
       FROM (SELECT name FROM scheduled_jobs WHERE name = ANY($1) ORDER BY name FOR UPDATE) AS follower WHERE s.name = follower.name`,
      [names],
    );
    this.worker.notify(this.name);
  }

  async drain(): Promise<void> {
    this.stopping.abort(new Error('The worker is stopping.'));
    await Promise.allSettled(this.running.values());
  }

  /** Adds new jobs, due immediately; a job whose interval became shorter is due earlier. */
  private async announce(): Promise<void> {
    if (this.announced) return;
    const all = [...this.jobs.values()];
    await poolOf(this.dataSource).query(
      `INSERT INTO scheduled_jobs (name, due_at) SELECT name, now() FROM unnest($1::text[]) AS name ON CONFLICT (name) DO NOTHING`,
      [all.map(({ name }) => name)],
    );
    await poolOf(this.dataSource).query(
      `UPDATE scheduled_jobs s SET due_at = now() + every * interval '1 second' FROM unnest($1::text[], $2::integer[]) AS given(name, every)
       WHERE s.name = given.name AND s.due_at > now() + every * interval '1 second'`,
      [all.map(({ name }) => name), all.map(({ everySeconds }) => everySeconds)],
    );
    this.announced = true;
  }

  /** Tracks the run until it has ended; only the returned promise has its error. */
  private track(name: string, run: Promise<void>): Promise<void> {
    const ended: Promise<void> = run
      .catch(() => undefined)
      .finally(() => {
        if (this.running.get(name) === ended) this.running.delete(name);
      });
    this.running.set(name, ended);
    return ended.then(() => run);
  }

  private async claimed(claim: Claim, claimedAt: number): Promise<void> {
    let isDue = false;
    const work = new TaskWork(`scheduled job ${claim.name}`, { scheduled_job: claim.name }).beginSpan();
    const run = inWork(work, () => this.runClaimed(claim, claimedAt, work));
    await this.track(
      claim.name,
      run.then((due) => void (isDue = due)),
    );
    if (isDue) this.worker.notify(this.name);
  }

  /** Resolves to whether the job is due again already. */
  private async runClaimed(claim: Claim, claimedAt: number, work: TaskWork): Promise<boolean> {
    const job = this.jobs.get(claim.name) as ScheduledWork;
    const lease = new Lease(() => this.renew(claim), claimedAt);
    const signal = AbortSignal.any([this.stopping.signal, lease.signal]);
    let error: Error | null = null;
    const startedAt = performance.now();
    try {
      await job.run(claim.now, signal, lease);
    } catch (thrown) {
      error = thrown as Error;
      // a run that the shutdown interrupted has not failed
      if (!this.stopping.signal.aborted) this.log.warn(`${claim.name}: ${error.message}`);
    } finally {
      lease.end();
    }
    const outcome = error === null ? 'done' : signal.aborted ? 'interrupted' : 'failed';
    const milliseconds = performance.now() - startedAt;
    this.metrics.workEnded('scheduled_job', { name: claim.name, outcome }, milliseconds);
    this.lines.ended(work, outcome, milliseconds, { quiet: outcome === 'done' });
    work.endSpan({ 'work_suite.outcome': outcome }, outcome === 'failed' ? error : null);
    return this.settle(claim, error, signal.aborted).catch((failure: Error) => {
      this.log.warn(`${claim.name} ended, but its result could not be stored, so it runs again: ${failure.message}`);
      return false;
    });
  }

  private async renew({ name, runs }: Claim): Promise<boolean> {
    const { rowCount } = await poolOf(this.dataSource).query(
      `UPDATE scheduled_jobs SET leased_until = now() + $3 * interval '1 millisecond' WHERE name = $1 AND runs = $2 AND leased_until
        IS NOT NULL`,
      [name, runs, LEASE_MS],
    );
    return rowCount === 1;
  }

  /** A run that was interrupted, by the shutdown or because its lease was lost, stays due for another worker. */
  private async settle({ name, runs }: Claim, error: Error | null, interrupted: boolean): Promise<boolean> {
    const { rows } = await poolOf(this.dataSource).query<{ is_due: boolean }>(
      `UPDATE scheduled_jobs SET leased_until = NULL, leased_by = NULL, due_at = CASE WHEN $3 THEN least(due_at, now()) ELSE due_at END,
         last_error = $4 WHERE name = $1 AND runs = $2 RETURNING due_at <= now() AS is_due`,
      [name, runs, error !== null && interrupted, error?.message ?? null],
    );
    return rows.length > 0 && rows[0].is_due;
  }
}
