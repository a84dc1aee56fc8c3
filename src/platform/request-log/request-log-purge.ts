import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { firstIdAt } from '../../kit/index.js';
import { Purge } from '../persistence/purge.js';

export const REQUEST_LOG_RETENTION_DAYS = Symbol('request log retention days');

const DAY_MS = 24 * 60 * 60_000;
const EVERY_MS = 60 * 60_000;

/** Deletes old rows of the request log. */
@Injectable()
export class RequestLogPurge extends Purge {
  constructor(
    @InjectDataSource() dataSource: DataSource,
    @Inject(REQUEST_LOG_RETENTION_DAYS) private readonly days: number,
  ) {
    super(dataSource, EVERY_MS);
  }

  protected outlived(now: number) {
    return [{ table: 'request_logs', where: 'id < $1', values: [firstIdAt(now - this.days * DAY_MS)] }];
  }
}
