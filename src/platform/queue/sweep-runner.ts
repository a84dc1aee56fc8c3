import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { sweepOf, type SweepHandler, type SweepOptions } from '../../kit/index.js';
import { poolOf } from '../persistence/pool.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { WorkLoops, type DueWork } from './work-loops.js';

const LEASE_MS = 20_000;
const RENEW_EVERY_MS = 5_000;

/** A run that this process has taken; `runs` tells it from the run of a process that took over. */
interface Claim {
  name: string;
  runs: number;
  now: Date;
}

interface Known {
  options: SweepOptions;
  handler: () => SweepHandler;
}

/** Runs the modules' sweeps, each under a lease that is renewed while it runs. */
@Injectable()
export class SweepRunner implements DueWork, OnModuleInit {
  readonly name = 'sweeps.run';
  private readonly log = new Logger('Sweeps');
  private readonly sweeps = new Map<string, Known>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();
  private announced = false;

  constructor(
    private readonly dataSource: DataSource,
    modules: ModuleRegistry,
    moduleRef: ModuleRef,
    private readonly loops: WorkLoops,
  ) {
    for (const sweep of modules.manifests.flatMap(({ sweeps }) => sweeps ?? [])) {
      const options = sweepOf(sweep);
      if (this.sweeps.has(options.name)) throw new Error(`The sweep ${options.name} is declared twice.`);
      this.sweeps.set(options.name, { options, handler: () => moduleRef.get<SweepHandler>(sweep, { strict: false }) });
    }
  }

  onModuleInit(): void {
    if (this.sweeps.size > 0) this.loops.register(this);
  }

  /** Runs a sweep at once, whether or not it is due; after a run of this process that is under way. Its error is thrown on. */
  async run(name: string, now = new Date()): Promise<void> {
    const known = this.sweeps.get(name);
    if (!known) throw new Error(`There is no sweep ${name}; there are ${[...this.sweeps.keys()].join(', ')}.`);
    while (this.running.has(name)) await this.running.get(name);
    await this.track(name, known.handler().run(now, this.stopping.signal));
  }

  async turn(): Promise<boolean> {
    const idle = [...this.sweeps.keys()].filter((name) => !this.running.has(name));
    if (idle.length === 0) return false;
    await this.announce();
    const { rows } = await poolOf(this.dataSource).query<Claim>(
      `UPDATE sweeps s SET leased_until = now() + $1 * interval '1 millisecond', runs = runs + 1
       FROM (SELECT name FROM sweeps WHERE name = ANY($2) AND due_at <= now() AND (leased_until IS NULL OR leased_until < now()) FOR UPDATE SKIP LOCKED) AS due
       WHERE s.name = due.name
       RETURNING s.name, s.runs, now()`,
      [LEASE_MS, idle],
    );
    for (const claim of rows) void this.track(claim.name, this.runClaimed(claim));
    return false;
  }

  async drain(): Promise<void> {
    this.stopping.abort(new Error('The worker is stopping.'));
    await Promise.allSettled(this.running.values());
  }

  /** A new sweep is due at once; one whose interval became shorter does not wait out the old one. */
  private async announce(): Promise<void> {
    if (this.announced) return;
    const all = [...this.sweeps.values()].map(({ options }) => options);
    await poolOf(this.dataSource).query(
      `INSERT INTO sweeps (name, due_at) SELECT name, now() FROM unnest($1::text[]) AS name ON CONFLICT (name) DO NOTHING`,
      [all.map(({ name }) => name)],
    );
    await poolOf(this.dataSource).query(
      `UPDATE sweeps s SET due_at = now() + every * interval '1 second' FROM unnest($1::text[], $2::integer[]) AS given(name, every)
       WHERE s.name = given.name AND s.due_at > now() + every * interval '1 second'`,
      [all.map(({ name }) => name), all.map(({ everySeconds }) => everySeconds)],
    );
    this.announced = true;
  }

  /** Resolves for the waiting ones whatever comes of the run; the caller's promise keeps its error. */
  private track(name: string, run: Promise<void>): Promise<void> {
    const ended = run.catch(() => undefined).finally(() => this.running.delete(name));
    this.running.set(name, ended);
    return ended.then(() => run);
  }

  private async runClaimed(claim: Claim): Promise<void> {
    const { options, handler } = this.sweeps.get(claim.name) as Known;
    const renewing = setInterval(() => void this.renew(claim).catch(() => undefined), RENEW_EVERY_MS);
    let error: Error | null = null;
    try {
      await handler().run(claim.now, this.stopping.signal);
    } catch (thrown) {
      error = thrown as Error;
      this.log.warn(`${claim.name}: ${error.message}`);
    } finally {
      clearInterval(renewing);
    }
    await this.settle(claim, options, error).catch((failure: Error) =>
      this.log.warn(`${claim.name} could not be settled, so it runs again: ${failure.message}`),
    );
  }

  private renew({ name, runs }: Claim): Promise<unknown> {
    return poolOf(this.dataSource).query(
      `UPDATE sweeps SET leased_until = now() + $3 * interval '1 millisecond' WHERE name = $1 AND runs = $2 AND leased_until IS NOT NULL`,
      [name, runs, LEASE_MS],
    );
  }

  /** What a stop cut short stays due, for another process. */
  private settle({ name, runs, now }: Claim, { everySeconds }: SweepOptions, error: Error | null): Promise<unknown> {
    const next = error && this.stopping.signal.aborted ? now : new Date(now.getTime() + everySeconds * 1_000);
    return poolOf(this.dataSource).query(
      `UPDATE sweeps SET leased_until = NULL, due_at = $3, last_error = $4 WHERE name = $1 AND runs = $2`,
      [name, runs, next, error?.message ?? null],
    );
  }
}
