import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { SecretBox } from '../../config/secret-box.js';
import { poolOf } from '../../persistence/database/pool.js';
import { hashed } from './record-adapter.js';

/** As stored by earlier releases. */
const MODEL = 'Answer';
/** As long as an authorization request is valid, so that none is claimed again. */
const CLAIM_SECONDS = 60 * 60;
/** A code is valid for the same time: after that, the address leads to an error in the app. */
const RETURN_MS = 60_000;
const WAIT_MS = 10_000;
const POLL_MS = 50;

/** The outcome of an authorization request. */
export interface ConsentDecision {
  /** The address at which the client waits for the code or the error. */
  location: string;
  organization: string;
  isAuthorized: boolean;
}

interface Settled extends ConsentDecision {
  until: number;
}

/**
 * What members decided on authorization requests. Each request is decided once, although its form may be sent twice, to two processes:
 * the process that claims the request decides it, and the other one shows the same decision.
 */
@Injectable()
export class ConsentDecisions {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly box: SecretBox,
  ) {}

  /** Whether the caller decides the request; it must then `settle` or `release` it. */
  async claim(request: string): Promise<boolean> {
    const { rowCount } = await poolOf(this.dataSource).query(
      `INSERT INTO oauth_records (model, id, payload, expires_at) VALUES ($1, $2, '{}', now() + make_interval(secs => $3))
       ON CONFLICT (model, id) DO NOTHING`,
      [MODEL, hashed(request), CLAIM_SECONDS],
    );
    return rowCount === 1;
  }

  /** `decision` is null if finishing the request failed. */
  async settle(request: string, decision: ConsentDecision | null): Promise<void> {
    const settled: Settled | null = decision && { ...decision, until: Date.now() + RETURN_MS };
    // the address contains the code, which is stored nowhere else
    const sealed = settled && this.box.seal(JSON.stringify(settled), request).toString('base64');
    await poolOf(this.dataSource).query(`UPDATE oauth_records SET payload = $3, consumed_at = now() WHERE model = $1 AND id = $2`, [
      MODEL,
      hashed(request),
      { sealed },
    ]);
  }

  /** For a form that has to be corrected. */
  async release(request: string): Promise<void> {
    await poolOf(this.dataSource).query(`DELETE FROM oauth_records WHERE model = $1 AND id = $2`, [MODEL, hashed(request)]);
  }

  /** The decision, as soon as it is settled: null if it failed or is too old, undefined if the request is not claimed. */
  async of(request: string): Promise<ConsentDecision | null | undefined> {
    for (const end = Date.now() + WAIT_MS; Date.now() < end; await setTimeout(POLL_MS)) {
      const { rows } = await poolOf(this.dataSource).query<{ sealed: string | null; is_settled: boolean }>(
        `SELECT payload ->> 'sealed' AS sealed, consumed_at IS NOT NULL AS is_settled FROM oauth_records WHERE model = $1 AND id = $2`,
        [MODEL, hashed(request)],
      );
      if (rows.length === 0) return undefined;
      const [{ sealed, is_settled }] = rows;
      if (is_settled) return sealed === null ? null : this.opened(sealed, request);
    }
    return null;
  }

  private opened(sealed: string, request: string): ConsentDecision | null {
    const { until, ...decision } = JSON.parse(this.box.open(Buffer.from(sealed, 'base64'), request)) as Settled;
    return until > Date.now() ? decision : null;
  }
}
