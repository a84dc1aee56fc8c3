import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { poolOf } from './pool.js';

const FIRST_AFTER_MS = 60_000;
const ROWS_PER_DELETE = 5_000;

interface Outlived {
  table: string;
  where: string;
  values: unknown[];
}

/** Deletes outlived rows from time to time, a few thousand at a time, so that no lock and no transaction lasts. */
export abstract class Purge implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(this.constructor.name);
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly everyMs: number,
  ) {}

  /** Which rows have outlived their time by now, table by table. */
  protected abstract outlived(now: number): readonly Outlived[];

  onApplicationBootstrap(): void {
    this.schedule(Math.min(FIRST_AFTER_MS, this.everyMs));
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Returns how many rows went. */
  async purge(now = Date.now()): Promise<number> {
    let deleted = 0;
    for (const rows of this.outlived(now)) deleted += await this.delete(rows);
    return deleted;
  }

  private async delete({ table, where, values }: Outlived): Promise<number> {
    let deleted = 0;
    for (let last = ROWS_PER_DELETE; last === ROWS_PER_DELETE && !this.stopped; deleted += last) {
      // several processes may purge at once: each skips the rows that another holds
      const { rowCount } = await poolOf(this.dataSource).query(
        `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${ROWS_PER_DELETE} FOR UPDATE SKIP LOCKED))`,
        values,
      );
      last = rowCount ?? 0;
    }
    return deleted;
  }

  private schedule(after: number): void {
    this.timer = setTimeout(() => {
      this.purge()
        .catch((error: Error) => this.log.warn(`Outlived rows could not be deleted: ${error.message}`))
        .finally(() => this.stopped || this.schedule(this.everyMs));
    }, after).unref();
  }
}
