import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../persistence/database/pool.js';
import { queryOnce } from '../persistence/connections/query-once.js';
import type { AppConfig } from '../config/settings.js';
import { Draining } from './draining.js';
import { Preparation } from './preparation.js';
import { Progress } from './progress.js';
import { Release } from './release.js';
import { Watchdog } from './watchdog.js';

const CHECK_EVERY_MS = 10_000;
const STUCK_AFTER_MS = 90_000;

/** What runs in this process, and whether it makes progress. Needs persistence. */
@Global()
@Module({})
export class HealthModule {
  static register(config: Pick<AppConfig, 'sourceCommit'>, databaseUrl: string): DynamicModule {
    return {
      module: HealthModule,
      providers: [
        Draining,
        Preparation,
        Progress,
        { provide: Release, useFactory: () => Release.of(config) },
        {
          provide: Watchdog,
          inject: [Progress, DataSource],
          useFactory: (progress: Progress, dataSource: DataSource) =>
            new Watchdog({
              progress,
              askPool: () => poolOf(dataSource).query('SELECT 1'),
              askAfresh: () => askAfresh(databaseUrl),
              end: endProcess,
              everyMs: CHECK_EVERY_MS,
              stuckAfterMs: STUCK_AFTER_MS,
            }),
        },
      ],
      exports: [Draining, Preparation, Progress, Release, Watchdog],
    };
  }
}

async function askAfresh(connectionString: string): Promise<void> {
  await queryOnce({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 5_000 }, 'SELECT 1');
}

/** Exits as a failure, so that a supervisor restarts the process. Running work is completed, or taken over when its leases expire. */
function endProcess(): void {
  process.exitCode = 1;
  process.kill(process.pid, 'SIGINT');
}
