import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, type Type } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource, QueryFailedError } from 'typeorm';
import {
  Store,
  type BaseEntity,
  type Condition,
  type Ctx,
  type ListQuery,
  type Page,
  type Sql,
  type SqlReader,
  type Tx,
} from '../../../kit/index.js';
import { currentWork, type Where } from '../../../kit/internal.js';
import { AuditTrail } from './audit-trail.js';
import { isDryRun, type CallContext, type CallTransaction } from './call-context.js';
import { requireLiveRun } from './change-runs.js';
import { Cursors } from '../rows/cursors.js';
import { GroupCommit } from './group-commit.js';
import { NumberSeries } from './number-series.js';
import { OutboxWriter } from './outbox-writer.js';
import { toDomainError } from '../database/pg-errors.js';
import { poolOf } from '../database/pool.js';
import { ReadBatches } from '../database/read-batches.js';
import { requireReadOnly } from '../rows/read-only-text.js';
import type { Queryable } from '../rows/queryable.js';
import { Reader, run } from '../rows/reader.js';
import { UnitOfWork } from './unit-of-work.js';
import { WriteConnections } from './write-connections.js';
import { WriteHooks } from './write-hooks.js';

const NESTED =
  'A write was started inside a write of another context: it would commit on its own and could wait for its own locks. ' +
  'Use the context of the surrounding write, derive one with Contexts.systemWithin, or write after it has ended.';

/** Implements the kit's `Store` on PostgreSQL. */
@Injectable()
export class PgStore extends Store {
  private readonly rows: Reader;
  private readonly pool: Pool;
  private readonly shortReads: ReadBatches;
  private readonly writeConnections: WriteConnections;
  /** The write that the executing code is part of. */
  private readonly surrounding = new AsyncLocalStorage<{ owner: CallContext; unit: CallTransaction }>();

  constructor(
    dataSource: DataSource,
    cursors: Cursors,
    private readonly numbers: NumberSeries,
    private readonly outbox: OutboxWriter,
    private readonly trail: AuditTrail,
    private readonly groups: GroupCommit,
    private readonly hooks: WriteHooks,
  ) {
    super();
    this.rows = new Reader(dataSource, cursors);
    this.pool = poolOf(dataSource);
    this.shortReads = new ReadBatches(this.pool);
    this.writeConnections = new WriteConnections(this.pool);
  }

  get<E extends BaseEntity>(ctx: Ctx, entity: Type<E>, id: string): Promise<E> {
    return this.rows.get(this.rowReader(ctx, entity), ctx, entity, id);
  }

  find<E extends BaseEntity>(ctx: Ctx, entity: Type<E>, id: string): Promise<E | null> {
    return this.rows.find(this.rowReader(ctx, entity), ctx, entity, id);
  }

  page<E extends BaseEntity>(ctx: Ctx, entity: Type<E>, query: ListQuery, ...conditions: Condition<NoInfer<E>>[]): Promise<Page<E>> {
    return this.rows.page(this.connection(ctx), ctx, entity, query, conditions);
  }

  list<E extends BaseEntity>(ctx: Ctx, entity: Type<E>, where?: Where<E>, ...conditions: Condition<NoInfer<E>>[]): Promise<E[]> {
    return this.rows.list(this.connection(ctx), ctx, entity, where, conditions);
  }

  isDryRun(ctx: Ctx): boolean {
    return isDryRun(ctx);
  }

  reader(ctx: Ctx): SqlReader {
    return {
      sql: async <R extends object>(statement: Sql): Promise<R[]> => {
        const { text, values } = this.rows.statement(ctx, statement);
        requireReadOnly(text);
        return (await run<R>(this.connection(ctx), { text, values })).rows;
      },
    };
  }

  async write<R>(ctx: Ctx, change: (tx: Tx) => Promise<R>): Promise<R> {
    requireWritingRoute();
    const call = ctx as CallContext;
    const joined = this.unitOf(call);
    const around = this.surrounding.getStore();
    if (around && around.unit !== joined && !around.unit.hasEnded) throw new Error(NESTED);
    if (joined) return this.run(call, joined, change);
    const unit = this.begin(call);
    return unit.execute(() => this.run(call, unit, change));
  }

  private async run<R>({ owner }: CallContext, unit: CallTransaction, change: (tx: Tx) => Promise<R>): Promise<R> {
    const tx = await unit.open();
    try {
      return await this.surrounding.run({ owner, unit }, () => change(tx));
    } catch (error) {
      throw error instanceof QueryFailedError ? toDomainError(error.driverError) : error;
    }
  }

  /** Within a write, reads use its connection: they see the change, and no request waits for a second connection. */
  private connection(ctx: Ctx, outside: Queryable = this.pool): Queryable {
    return this.unitOf(ctx as CallContext)?.connection ?? outside;
  }

  /** For a row by id, which takes PostgreSQL no time if nothing is computed from other rows. */
  private rowReader(ctx: Ctx, entity: Type<BaseEntity>): Queryable {
    return this.connection(ctx, this.rows.plan(entity).isShort ? this.shortReads : this.pool);
  }

  /** The unit of work that the context's writes join; null when they open one. */
  private unitOf({ owner }: CallContext): CallTransaction | null {
    requireLiveRun(owner);
    if (owner.unitOfWork) return owner.unitOfWork;
    const around = this.surrounding.getStore();
    return around?.owner === owner ? around.unit : null;
  }

  /** A unit of work for a call; the pipeline attaches it to the context and ends it. */
  begin(call: CallContext): UnitOfWork {
    return new UnitOfWork(this.writeConnections, this.rows, this.numbers, call, this.outbox, this.trail, this.groups, this.hooks);
  }
}

/** A GET may be repeated, prefetched and called by keys that only read, so it writes nothing by accident. */
function requireWritingRoute(): void {
  const route = currentWork()?.readingRoute;
  if (route == null) return;
  throw new Error(
    `${route} only reads, so it can write nothing. Read with the store or store.reader(ctx), make the route a POST, ` +
      'or say in writesOnGet of its @Endpoint or @Public what it writes.',
  );
}
