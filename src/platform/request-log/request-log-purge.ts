import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
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

  protected outlived() {
    return { table: 'request_logs', where: 'id < $1', values: [firstIdAt(Date.now() - this.days * DAY_MS)] };
  }
}

/** The least UUID v7 of a time. Ids begin with their time, so the primary key finds old rows without another index. */
function firstIdAt(time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
