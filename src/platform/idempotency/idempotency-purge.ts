import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Purge } from '../persistence/purge.js';

const EVERY_MS = 10 * 60_000;

/** Deletes answers that are no longer replayed. */
@Injectable()
export class IdempotencyPurge extends Purge {
  constructor(
    dataSource: DataSource,
    private readonly retentionHours: number,
  ) {
    super(dataSource, EVERY_MS);
  }

  protected outlived() {
    return [{ table: 'idempotency_records', where: 'created_at < now() - make_interval(hours => $1)', values: [this.retentionHours] }];
  }
}
