// Idempotency-Key: a repeated write is not executed again, and gets the stored response.

import { createHmac, type KeyObject } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { CommonErrors, DomainError, isObject } from '../../kit/index.js';
import { poolOf } from '../persistence/database/pool.js';
import { describeError, isOutage } from '../persistence/database/pg-errors.js';
import { ReadBatches } from '../persistence/database/read-batches.js';
import type { CallContext } from '../persistence/transactions/call-context.js';
import type { PgTx } from '../persistence/transactions/pg-tx.js';
import { isAfterCommit } from '../persistence/transactions/unit-of-work.js';
import type { Queryable } from '../persistence/rows/queryable.js';
import { run } from '../persistence/rows/reader.js';

/** The response that a repeat of a request receives. */
export interface StoredResponse {
  status: number;
  body: string | null;
  headers: Record<string, string>;
}

/** One logical operation of one caller: who, with which key, where, and with which body. */
export interface Operation {
  scope: Buffer;
  fingerprint: Buffer;
}

/** The response to a request, and whether it is the stored one of an earlier request. */
export interface Answer {
  response: StoredResponse;
  isRepeat: boolean;
}

/**
 * Stored responses by operation. The record is written in the transaction of the change itself, so neither exists without the
 * other, and nothing is locked before: such a change can commit with others. Only an operation with transactions of its own has a record
 * from its start, under a lease (operation-leases.ts).
 */
@Injectable()
export class Idempotency {
  private readonly retentionSeconds: number;
  private readonly log = new Logger('Idempotency');
  private readonly pool: Pool;
  private readonly records: Queryable;
  /** Operations that this process executes now. */
  private readonly running = new Set<string>();

  /** Keyed with a secret: a body may contain a password, which could be guessed from a plain hash. */
  constructor(
    retentionHours: number,
    private readonly secret: KeyObject,
    dataSource: DataSource,
  ) {
    this.retentionSeconds = retentionHours * 3600;
    this.pool = poolOf(dataSource);
    this.records = new ReadBatches(this.pool);
  }

  /** `caller` is the id of the API key or the member, which does not change when the key is rolled. */
  operationOf(ctx: CallContext, caller: string, method: string, path: string, body: unknown): Operation {
    const mac = (text: string) => createHmac('sha256', this.secret).update(text).digest();
    return {
      scope: mac([ctx.organizationId, ctx.mode, caller, method, path, ctx.idempotencyKey].join('\n')),
      fingerprint: mac(canonical(body)),
    };
  }

  /**
   * Executes the operation unless it has been executed. `execute` calls `store` in its transaction, which fails if another process has
   * executed the operation meanwhile: then its response is the answer, and nothing of this execution was written.
   */
  async once(operation: Operation, execute: () => Promise<StoredResponse>): Promise<Answer> {
    const key = operation.scope.toString('base64');
    if (this.running.has(key)) throw inProgress();
    this.running.add(key);
    try {
      const earlier = await this.find(operation);
      return earlier ? { response: earlier, isRepeat: true } : await this.executed(operation, execute);
    } finally {
      this.running.delete(key);
    }
  }

  private async executed(operation: Operation, execute: () => Promise<StoredResponse>): Promise<Answer> {
    try {
      return { response: await execute(), isRepeat: false };
    } catch (error) {
      if (isAfterCommit(error)) throw error;
      // also another error: what the other process has written can be its reason
      const meanwhile = await this.find(operation).catch((other: unknown) => {
        throw other instanceof DomainError && other.spec === CommonErrors.idempotencyKeyReused.spec ? other : error;
      });
      if (!meanwhile) throw violates(error) ? inProgress() : error;
      // the connection may have been lost after the commit
      if (isOutage(error)) this.log.warn(`An operation that failed has been executed, here or elsewhere: ${describeError(error).text}`);
      return { response: meanwhile, isRepeat: true };
    }
  }

  private async find({ scope, fingerprint }: Operation): Promise<StoredResponse | null> {
    const { rows } = await run<StoredResponse & { fingerprint: Buffer; expired: boolean }>(this.records, {
      text: `SELECT fingerprint, status, body, headers, created_at <= now() - make_interval(secs => $2) AS expired
             FROM idempotency_records
             WHERE scope = $1`,
      values: [scope, this.retentionSeconds],
    });
    if (rows.length === 0) return null;
    const [{ expired, ...record }] = rows;
    if (expired) {
      // makes room for the new record
      const text = 'DELETE FROM idempotency_records WHERE scope = $1 AND created_at <= now() - make_interval(secs => $2)';
      await run(this.pool, { text, values: [scope, this.retentionSeconds] });
      return null;
    }
    if (!record.fingerprint.equals(fingerprint)) throw CommonErrors.idempotencyKeyReused({ param: 'Idempotency-Key' });
    return record;
  }

  /** Part of the transaction that made the change; it fails if there is a record. */
  store({ connection }: PgTx, { scope, fingerprint }: Operation, { status, body, headers }: StoredResponse): void {
    const text = 'INSERT INTO idempotency_records AS t (scope, fingerprint, status, body, headers) VALUES ($1, $2, $3, $4, $5)';
    connection.send({ text, values: [scope, fingerprint, status, body, JSON.stringify(headers)] }, 'row');
  }
}

/** Whether another process has written the record, which it may have rolled back or removed since. */
function violates(error: unknown): boolean {
  const { constraint } = ((error instanceof DomainError ? error.cause : error) ?? {}) as { constraint?: string };
  return constraint === 'idempotency_records_pkey';
}

/** Another request executes the operation. */
export function inProgress(): DomainError {
  return CommonErrors.idempotencyInProgress({ param: 'Idempotency-Key', headers: { 'Retry-After': '1' } });
}

/** JSON with sorted members, so that the order of members does not matter. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) =>
      isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
    ) ?? ''
  );
}
