import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { CommonErrors } from '../../kit/index.js';
import { poolOf } from '../persistence/database/pool.js';
import { run } from '../persistence/rows/reader.js';
import { Lease } from '../queue/lease.js';
import { inProgress, type Operation, type StoredResponse } from './idempotency.js';

const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;

/** An operation that this process executes; another process may take it over once its lease has expired. */
export interface OperationLease {
  /** Renewed while the operation runs. */
  lease: Lease;
  /** Stores the response for repeats. With null nothing is stored, and a repeat executes the operation again. */
  end(response: StoredResponse | null): Promise<void>;
}

/** Leases for operations whose handlers have transactions of their own: a record without a response, committed before the work. */
@Injectable()
export class OperationLeases {
  private readonly pool: Pool;

  constructor(
    dataSource: DataSource,
    private readonly retentionHours: number,
  ) {
    this.pool = poolOf(dataSource);
  }

  /** Takes the operation, or resolves to its stored response. */
  async take({ scope, fingerprint }: Operation): Promise<OperationLease | StoredResponse> {
    const since = performance.now();
    const { rows: taken } = await run<{ taken_at: Date }>(this.pool, {
      text: `INSERT INTO idempotency_records AS r (scope, fingerprint, leased_until) VALUES ($1, $2, now() + $3 * interval '1 millisecond')
             ON CONFLICT (scope) DO UPDATE SET fingerprint = $2, status = NULL, body = NULL, headers = '{}', created_at = now(),
             leased_until = excluded.leased_until
             WHERE r.leased_until < now() OR r.created_at <= now() - make_interval(hours => $4) AND r.leased_until IS NULL
             RETURNING created_at AS taken_at`,
      values: [scope, fingerprint, LEASE_MS, this.retentionHours],
    });
    if (taken.length > 0) return this.held(scope, taken[0].taken_at, since);
    const { rows } = await run<StoredResponse & { fingerprint: Buffer; leased_until: Date | null }>(this.pool, {
      text: 'SELECT fingerprint, status, body, headers, leased_until FROM idempotency_records WHERE scope = $1',
      values: [scope],
    });
    if (rows.length > 0 && !rows[0].fingerprint.equals(fingerprint)) throw CommonErrors.idempotencyKeyReused({ param: 'Idempotency-Key' });
    // no record: the other execution has just ended without a response
    if (rows.length === 0 || rows[0].leased_until !== null) throw inProgress();
    return rows[0];
  }

  /** The time at which it was taken distinguishes a lease from that of a process that took the operation over. */
  private held(scope: Buffer, takenAt: Date, since: number): OperationLease {
    const own = 'scope = $1 AND created_at = $2 AND leased_until IS NOT NULL';
    const renew = async () => {
      const { rowCount } = await run(this.pool, {
        text: `UPDATE idempotency_records SET leased_until = now() + $3 * interval '1 millisecond' WHERE ${own}`,
        values: [scope, takenAt, LEASE_MS],
      });
      return rowCount === 1;
    };
    const lease = new Lease(renew, since, LEASE_MS, RENEW_EVERY_MS);
    return {
      lease,
      end: async (response) => {
        lease.end();
        if (response === null) await run(this.pool, { text: `DELETE FROM idempotency_records WHERE ${own}`, values: [scope, takenAt] });
        else
          await run(this.pool, {
            text: `UPDATE idempotency_records SET status = $3, body = $4, headers = $5, created_at = now(), leased_until = NULL
              WHERE ${own}`,
            values: [scope, takenAt, response.status, response.body, JSON.stringify(response.headers)],
          });
      },
    };
  }
}
