import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { Contexts, type ScheduledJobHandler } from '../../kit/index.js';
import { scheduledJobOf } from '../../kit/internal.js';
import { poolOf } from '../persistence/database/pool.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { DueRows } from './due-rows.js';
import { Lease, LEASE_MS } from '../queue/lease.js';
import { QueueWorker, type WorkQueue } from '../queue/queue-worker.js';
import { leaseIsOver } from '../queue/worker-presence.js';

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
  /**
   * Throws if the run failed. `signal` is aborted when the worker stops or the lease is lost. A requested run
   * has no lease, and may be for some organizations only; work of the platform always concerns all.
   */
  run(now: Date, signal: AbortSignal, lease: Lease | null, organizations?: readonly string[]): Promise<void>;
}

/** Runs scheduled work, each job under a lease that is renewed while it runs. */
@Injectable()
export class ScheduledJobRunner implements WorkQueue, OnModuleInit {
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
  ) {
    for (const job of modules.manifests.flatMap(({ scheduledJobs }) => scheduledJobs ?? [])) {
      const options = scheduledJobOf(job);
      let rows: DueRows | undefined;
      this.register({
        ...options,
        run: (now, signal, lease, organizations) => {
          rows ??= new DueRows(options, moduleRef.get<ScheduledJobHandler>(job, { strict: false }), poolOf(dataSource), contexts);
          return rows.run(now, signal, lease, organizations);
        },
      });
    }
  }

  register(work: ScheduledWork): void {
    if (this.jobs.has(work.name)) throw new Error(`The scheduled job ${work.name} is declared twice.`);
    this.jobs.set(work.name, work);
  }

  onModuleInit(): void {
    if (this.jobs.size > 0) this.worker.register(this);
  }

  /**
   * Runs a job immediately, whether or not it is due, after any run in progress in this process. Rethrows its error. With
   * `organizations`, a module's job handles only their rows.
   */
  async run(name: string, now = new Date(), organizations?: readonly string[]): Promise<void> {
    const job = this.jobs.get(name);
    if (!job) throw new Error(`There is no scheduled job ${name}; there are ${[...this.jobs.keys()].join(', ')}.`);
    while (this.running.has(name)) await this.running.get(name);
    await this.track(name, job.run(now, this.stopping.signal, null, organizations));
  }

  async runBatch(): Promise<boolean> {
    const idle = [...this.jobs.keys()].filter((name) => !this.running.has(name));
    if (idle.length === 0) return false;
    await this.announce();
    const claimedAt = performance.now();
    const { rows } = await poolOf(this.dataSource).query<Claim>(
      `UPDATE scheduled_jobs s SET leased_until = now() + $1 * interval '1 millisecond', leased_by = $3, runs = runs + 1
       FROM (
         SELECT name FROM scheduled_jobs j
         WHERE name = ANY($2) AND due_at <= now() AND (leased_until IS NULL OR ${leaseIsOver('j')}) FOR UPDATE SKIP LOCKED
       ) AS due
       WHERE s.name = due.name
       RETURNING s.name, s.runs, now()`,
      [LEASE_MS, idle, this.worker.id],
    );
    for (const claim of rows) void this.track(claim.name, this.runClaimed(claim, claimedAt));
    return false;
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

  private async runClaimed(claim: Claim, claimedAt: number): Promise<void> {
    const job = this.jobs.get(claim.name) as ScheduledWork;
    const lease = new Lease(() => this.renew(claim), claimedAt);
    const signal = AbortSignal.any([this.stopping.signal, lease.signal]);
    let error: Error | null = null;
    try {
      await job.run(claim.now, signal, lease);
    } catch (thrown) {
      error = thrown as Error;
      // a run that the shutdown interrupted has not failed
      if (!this.stopping.signal.aborted) this.log.warn(`${claim.name}: ${error.message}`);
    } finally {
      lease.end();
    }
    await this.settle(claim, job, error, signal.aborted).catch((failure: Error) =>
      this.log.warn(`${claim.name} ended, but its result could not be stored, so it runs again: ${failure.message}`),
    );
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
  private settle({ name, runs, now }: Claim, { everySeconds }: ScheduledWork, error: Error | null, interrupted: boolean) {
    const next = error && interrupted ? now : new Date(now.getTime() + everySeconds * 1_000);
    return poolOf(this.dataSource).query(
      `UPDATE scheduled_jobs SET leased_until = NULL, leased_by = NULL, due_at = $3, last_error = $4 WHERE name = $1 AND runs = $2`,
      [name, runs, next, error?.message ?? null],
    );
  }
}
