import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbstractLogger, type DataSourceOptions, type MigrationInterface } from 'typeorm';
import { Contexts, RowKeys, Store } from '../../kit/index.js';
import { ManifestCheck } from './database/manifest-check.js';
import { CallContexts } from './transactions/call-contexts.js';
import { Cursors } from './rows/cursors.js';
import { GroupCommit } from './transactions/group-commit.js';
import { NumberSeries } from './transactions/number-series.js';
import { OutboxWriter } from './transactions/outbox-writer.js';
import { PgStore } from './transactions/pg-store.js';
import { WriteHooks } from './transactions/write-hooks.js';
import { PooledClient } from './database/pooled-client.js';
import { DRIVER } from './database/work-pool.js';
import { CONNECTION_LIMITS, LOCK_TIMEOUT_MS, QUERY_TIMEOUT_MS, sessionSettings, STATEMENT_TIMEOUT_MS } from './database/pool.js';
import { surviveLoss } from './connections/survive-loss.js';

export interface PersistenceOptions {
  url: string;
  /** A pooler in transaction mode in front of the database, for what needs no session of its own. */
  poolerUrl?: string | undefined;
  poolSize: number;
  /** What the process does, as PostgreSQL shows it; all if missing. */
  role?: string;
  cursorSecret: string;
  /** Only where they are run. */
  migrations?: readonly (new () => MigrationInterface)[];
}

/**
 * PostgreSQL behind the kit's Store. Needs OutboxWriter and AuditTrail from global modules.
 * - `database/` the pool, migrations, notifications, errors
 * - `connections/` one statement on a connection of its own, and what every connection needs
 * - `embedded-postgres/` the server that runs when DATABASE_URL is unset
 * - `rows/` the SQL of reads and writes, restricted to the caller's organization, project and mode
 * - `transactions/` the transaction of a call and its commit
 * - `batches/` bulk inserts outside of transactions
 * - `partitions/` the partitions of tables whose old rows are dropped
 */
@Global()
@Module({})
export class PersistenceModule {
  static register(options: PersistenceOptions): DynamicModule {
    return {
      module: PersistenceModule,
      imports: [TypeOrmModule.forRoot({ ...dataSourceOptions(options), autoLoadEntities: true, retryAttempts: 0 })],
      providers: [
        { provide: Cursors, useFactory: () => new Cursors(options.cursorSecret) },
        { provide: NumberSeries, useFactory: () => new NumberSeries(options.url) },
        { provide: GroupCommit, inject: [OutboxWriter], useFactory: (outbox: OutboxWriter) => new GroupCommit(options.url, outbox) },
        WriteHooks,
        PgStore,
        ManifestCheck,
        { provide: Store, useExisting: PgStore },
        RowKeys,
        { provide: Contexts, useClass: CallContexts },
      ],
      exports: [Contexts, Cursors, PgStore, RowKeys, Store],
    };
  }
}

class SilentLogger extends AbstractLogger {
  protected writeLog(): void {}
}

export function dataSourceOptions(
  {
    url,
    poolerUrl,
    poolSize,
    role = 'all',
    migrations = [],
    queryTimeoutMs = QUERY_TIMEOUT_MS,
  }: Omit<PersistenceOptions, 'cursorSecret'> & { queryTimeoutMs?: number },
  entities: readonly Type[] = [],
): DataSourceOptions {
  return {
    type: 'postgres',
    // TypeORM requires it by a variable name; in the bundle that would be a second copy, without the type parsers of pool.ts
    driver: DRIVER,
    url: poolerUrl ?? url,
    entities: [...entities],
    migrations: [...migrations],
    migrationsTableName: 'migrations',
    // TypeORM's own would print failures past the log; they are reported by what ran the statement
    logger: new SilentLogger(),
    applicationName: role === 'all' ? 'work-suite' : `work-suite ${role}`,
    extra: {
      ...CONNECTION_LIMITS,
      max: poolSize,
      // statements that do not wait for each other share a round trip
      pipeline: true,
      // off for migrations, which may take long
      query_timeout: queryTimeoutMs,
      ...(poolerUrl === undefined ? { options: sessionSettings(LOCK_TIMEOUT_MS, STATEMENT_TIMEOUT_MS) } : { sharesSessions: true }),
      onConnect: surviveLoss,
      Client: PooledClient,
    },
  };
}
