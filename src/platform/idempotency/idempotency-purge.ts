import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';

const EVERY_MS = 10 * 60_000;
const BATCH = 5_000;

/** Deletes answers that are no longer replayed, a batch at a time so that no lock is held for long. */
@Injectable()
export class IdempotencyPurge implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(IdempotencyPurge.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly retentionHours: number,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.purge().catch((error: Error) => this.log.warn(`purge failed: ${error.message}`)), EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async purge(): Promise<number> {
    let purged = 0;
    for (;;) {
      const [, count] = await this.dataSource.query<[unknown, number]>(
        `DELETE FROM idempotency_records WHERE scope IN (SELECT scope FROM idempotency_records WHERE created_at < now() - make_interval(hours => $1) LIMIT $2)`,
        [this.retentionHours, BATCH],
      );
      purged += count;
      if (count < BATCH) return purged;
    }
  }
}
