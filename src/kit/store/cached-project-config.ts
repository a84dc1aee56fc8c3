import type { Ctx } from '../callers/ctx.js';
import { DomainError } from '../errors/errors.js';
import type { Store, Tx } from './store.js';

const MAX_CACHED_PROJECTS = 10_000;

/** What reads rows: a `Tx`, or the store with a context. */
export type RowReader = Pick<Tx, 'list'>;

/**
 * Caches the configuration of projects, which nearly every write of a module needs. The database's constraints must catch stale reads.
 * `name` is unique among the modules.
 *
 * @example
 * ```ts
 * import { Injectable } from '@nestjs/common';
 * import { CachedProjectConfig, Store, type RowReader } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * @Injectable()
 * export class FleetConfig extends CachedProjectConfig<{ codes: (string | null)[] }> {
 *   constructor(store: Store) {
 *     super(store, 'fleet');
 *   }
 *
 *   protected async load(rows: RowReader, project_id: string) {
 *     return { codes: (await rows.list(Trip, { project_id })).map(({ code }) => code) };
 *   }
 * }
 * ```
 */
export abstract class CachedProjectConfig<C> {
  /** How long another process may use the old configuration after a change; this process sees a change at once. */
  readonly staleMs = 5_000;
  private readonly cache = new Map<string, { config: C; expiresAt: number }>();
  /** The configuration that a transaction has read, at first or after a rejection. */
  private readonly reads = new WeakMap<object, { projectId: string; changes: number; afterRejection: boolean; config: Promise<C> }>();
  /** Incremented by `invalidate`, so that a read that began before a change does not cache the old rows. */
  private changes = 0;

  constructor(
    private readonly store: Store,
    private readonly name: string,
  ) {}

  protected abstract load(rows: RowReader, projectId: string): Promise<C>;

  /** Outside a transaction. */
  read(ctx: Ctx, projectId: string): Promise<C> {
    return this.of({ list: (entity, where) => this.store.list(ctx, entity, where) }, projectId);
  }

  /** Reads on the transaction's connection: waiting for a second one while holding the first could starve the pool. */
  async of(rows: RowReader, projectId: string): Promise<C> {
    const cached = this.cache.get(projectId);
    return cached && cached.expiresAt > Date.now() ? cached.config : this.readOnce(rows, projectId);
  }

  /**
   * Runs the decision with the cached configuration. The cache may be stale, so a rejection is decided again with the
   * current configuration. A transaction reads that only once, because every row of an import may be invalid.
   */
  async decide<R>(rows: RowReader, projectId: string, decision: (config: C) => R): Promise<R> {
    const config = await this.of(rows, projectId);
    try {
      return decision(config);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const fresh = await this.readOnce(rows, projectId, true);
      if (fresh === config) throw error;
      return decision(fresh);
    }
  }

  /** A change of the configuration; changes of one project run one at a time, so that each sees the one before. */
  change<R>(ctx: Ctx, projectId: string, change: (tx: Tx) => Promise<R>): Promise<R> {
    return this.store.write(ctx, async (tx) => {
      await tx.advanced.mutex(`${this.name} ${projectId}`);
      // now for the rest of this transaction, and after the commit for all others
      tx.afterCommit(() => this.invalidate(projectId));
      const changed = await change(tx);
      this.invalidate(projectId);
      return changed;
    });
  }

  /** A transaction that creates many rows at once reads it for all of them; after a rejection, once more. */
  private readOnce(rows: RowReader, projectId: string, afterRejection = false): Promise<C> {
    const known = this.reads.get(rows);
    const isUsable = known?.projectId === projectId && known.changes === this.changes && (known.afterRejection || !afterRejection);
    if (isUsable) return known.config;
    const config = this.readNow(rows, projectId);
    this.reads.set(rows, { projectId, changes: this.changes, afterRejection, config });
    config.catch(() => this.reads.delete(rows));
    return config;
  }

  private async readNow(rows: RowReader, projectId: string): Promise<C> {
    const before = { changes: this.changes, expiresAt: Date.now() + this.staleMs };
    const config = await this.load(rows, projectId);
    if (before.changes !== this.changes) return config;
    if (this.cache.size >= MAX_CACHED_PROJECTS) this.cache.clear();
    this.cache.set(projectId, { config, expiresAt: before.expiresAt });
    return config;
  }

  private invalidate(projectId: string): void {
    this.changes++;
    this.cache.delete(projectId);
  }
}
