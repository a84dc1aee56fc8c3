// Idempotency-Key: a repeated write is not executed again, and gets the stored response.

import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommonErrors, type Tx } from '../../kit/index.js';
import { platformSql } from '../../kit/internal.js';
import type { CallContext } from '../persistence/transactions/call-context.js';
import { run, type Queryable } from '../persistence/rows/reader.js';

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

/**
 * Stored responses by operation. The record is written in the transaction of the change itself, so neither exists without the
 * other. Only an operation with transactions of its own has a record from its start, under a lease (operation-leases.ts).
 */
@Injectable()
export class Idempotency {
  private readonly retentionSeconds: number;

  /** Keyed with a secret: a body may contain a password, which could be guessed from a plain hash. */
  constructor(
    retentionHours: number,
    private readonly secret: string,
  ) {
    this.retentionSeconds = retentionHours * 3600;
  }

  /** `caller` is the id of the API key or the member, which does not change when the key is rolled. */
  operationOf(ctx: CallContext, caller: string, method: string, path: string, body: unknown): Operation {
    const mac = (text: string) => createHmac('sha256', this.secret).update(text).digest();
    return {
      scope: mac([ctx.organizationId, ctx.mode, caller, method, path, ctx.idempotencyKey].join('\n')),
      fingerprint: mac(canonical(body)),
    };
  }

  /** Locks the operation for this transaction. Resolves to its stored response, or to null if it is to be executed. */
  async claim(client: Queryable, { scope, fingerprint }: Operation): Promise<StoredResponse | null> {
    // two statements: the second sees what was committed before the lock was acquired
    const lock = run<{ locked: boolean }>(client, {
      text: 'SELECT pg_try_advisory_xact_lock($1) AS locked',
      values: [scope.readBigInt64BE(0)],
    });
    const record = run<StoredResponse & { fingerprint: Buffer }>(client, {
      text: `SELECT fingerprint, status, body, headers
             FROM idempotency_records
             WHERE scope = $1 AND created_at > now() - make_interval(secs => $2)`,
      values: [scope, this.retentionSeconds],
    });
    const [{ rows: locks }, { rows }] = await Promise.all([lock, record]);
    if (rows.length > 0) {
      if (!rows[0].fingerprint.equals(fingerprint)) throw CommonErrors.idempotencyKeyReused({ param: 'Idempotency-Key' });
      return rows[0];
    }
    if (!locks[0].locked) throw CommonErrors.idempotencyInProgress({ param: 'Idempotency-Key', headers: { 'Retry-After': '1' } });
    return null;
  }

  /** Part of the transaction that made the change. */
  store(tx: Pick<Tx, 'send'>, { scope, fingerprint }: Operation, { status, body, headers }: StoredResponse): void {
    tx.send(
      platformSql(
        `INSERT INTO idempotency_records (scope, fingerprint, status, body, headers) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (scope) DO UPDATE SET fingerprint = $2, status = $3, body = $4, headers = $5, created_at = now()`,
        [scope, fingerprint, status, body, JSON.stringify(headers)],
      ),
    );
  }
}

/** JSON with sorted members, so that the order of members does not matter. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
    ) ?? ''
  );
}
