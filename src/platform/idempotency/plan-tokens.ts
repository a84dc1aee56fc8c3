// Svc-Plan-Token: a call that does what a dry run has shown, and nothing else.

import { createHmac, hash, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CallContext } from '../persistence/transactions/call-context.js';
import type { PgTx } from '../persistence/transactions/pg-tx.js';
import { run } from '../persistence/rows/reader.js';
import { canonical } from './idempotency.js';

export const PLAN_MINUTES = 10;

const PREFIX = 'plan_';
const LAYOUT = { issued: 4, nonce: 8, summary: 16, mac: 16 };
const UNSIGNED = LAYOUT.issued + LAYOUT.nonce + LAYOUT.summary;

/** The call that a plan is for; everything that decides what it does. */
export type PlannedCall = readonly [
  context: Pick<CallContext, 'organizationId' | 'mode'>,
  caller: string,
  method: string,
  url: string,
  body: unknown,
];

/** Why a token is not accepted, in words for the caller. */
export class PlanRefused extends Error {}

/**
 * A token is signed, not stored: it contains the time of the dry run and a hash of what the run found and would do. What is stored is its
 * use, in the transaction of the call, so that a token is used once and a call that failed has not used it.
 */
@Injectable()
export class PlanTokens {
  constructor(private readonly secret: KeyObject) {}

  issue(call: PlannedCall, summary: string, now = Date.now()): string {
    const issued = Buffer.alloc(LAYOUT.issued);
    issued.writeUInt32BE(Math.floor(now / 1000));
    const unsigned = Buffer.concat([issued, randomBytes(LAYOUT.nonce), hashOf(summary)]);
    return PREFIX + Buffer.concat([unsigned, this.mac(call, unsigned)]).toString('base64url');
  }

  /** Throws unless the token was issued for the call within the last minutes. */
  check(token: string, call: PlannedCall, now = Date.now()): void {
    const bytes = bytesOf(token);
    if (bytes.length !== UNSIGNED + LAYOUT.mac || !token.startsWith(PREFIX)) throw new PlanRefused('This is not a plan token.');
    const unsigned = bytes.subarray(0, UNSIGNED);
    if (!timingSafeEqual(this.mac(call, unsigned), bytes.subarray(UNSIGNED)))
      throw new PlanRefused('The plan token is for another call, other arguments or another key.');
    if (now / 1000 - unsigned.readUInt32BE() > PLAN_MINUTES * 60) throw new PlanRefused(`The plan is older than ${PLAN_MINUTES} minutes.`);
  }

  /** In the transaction of the call, which waits for another call with the same token. Throws if the token has been used. */
  async use(tx: PgTx, token: string): Promise<void> {
    const used = createHmac('sha256', this.secret).update(`used ${token}`).digest();
    const text = `INSERT INTO idempotency_records AS r (scope, fingerprint, status) VALUES ($1, $1, 200)
                  ON CONFLICT (scope) DO NOTHING RETURNING true AS taken`;
    const { rows } = await run(tx.on, { text, values: [used] });
    if (rows.length === 0) throw new PlanRefused('The plan token has been used.');
  }

  /** Throws unless the call has found and done what the dry run had. */
  requireSame(token: string, summary: string): void {
    const planned = bytesOf(token).subarray(LAYOUT.issued + LAYOUT.nonce, UNSIGNED);
    if (!planned.equals(hashOf(summary))) throw new PlanRefused('What the call would change has changed since the plan was made.');
  }

  private mac([{ organizationId, mode }, caller, method, url, body]: PlannedCall, unsigned: Buffer): Buffer {
    const text = ['plan', organizationId, mode, caller, method, url, canonical(body)].join('\n');
    return createHmac('sha256', this.secret).update(text).update(unsigned).digest().subarray(0, LAYOUT.mac);
  }
}

function bytesOf(token: string): Buffer {
  return Buffer.from(token.slice(PREFIX.length), 'base64url');
}

function hashOf(summary: string): Buffer {
  return hash('sha256', summary, 'buffer').subarray(0, LAYOUT.summary);
}
