import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { poolOf } from '../persistence/pool.js';

export const REQUEST_LOG_RETENTION_DAYS = Symbol('request log retention days');

const DAY_MS = 24 * 60 * 60_000;
const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 60 * 60_000;
const ROWS_PER_DELETE = 5_000;

/** Deletes old rows of the request log, a few thousand at a time, so that no lock and no transaction lasts. */
@Injectable()
export class RequestLogPurge implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RequestLogPurge.name);
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(REQUEST_LOG_RETENTION_DAYS) private readonly days: number,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule(FIRST_AFTER_MS);
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Deletes what is older than the retention; returns how many rows went. */
  async purge(now = Date.now()): Promise<number> {
    const oldest = firstIdAt(now - this.days * DAY_MS);
    let deleted = 0;
    for (let last = ROWS_PER_DELETE; last === ROWS_PER_DELETE && !this.stopped; deleted += last) {
      // several processes may purge at once: each skips the rows that another holds
      const { rowCount } = await poolOf(this.dataSource).query(
        `DELETE FROM request_logs WHERE id IN (SELECT id FROM request_logs WHERE id < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)`,
        [oldest, ROWS_PER_DELETE],
      );
      last = rowCount ?? 0;
    }
    return deleted;
  }

  private schedule(after: number): void {
    this.timer = setTimeout(() => {
      this.purge()
        .catch((error: Error) => this.logger.warn(`Old rows of the request log could not be deleted: ${error.message}`))
        .finally(() => this.stopped || this.schedule(EVERY_MS));
    }, after).unref();
  }
}

/** The least UUID v7 of a time. Ids begin with their time, so the primary key finds old rows without another index. */
function firstIdAt(time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
