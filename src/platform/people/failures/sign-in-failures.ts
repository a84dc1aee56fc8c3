import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CommonErrors } from '../../../kit/index.js';
import { limitKeyOf } from '../../net/address.js';
import { poolOf } from '../../persistence/database/pool.js';
import { run } from '../../persistence/rows/reader.js';
import { PEOPLE_SETTINGS, type PeopleSettings } from '../model/people-settings.js';

const ADDRESS_WINDOW_SECONDS = 60;
const EMAIL_WINDOW_SECONDS = 15 * 60;
const FAILURES_PER_PAIR = 10;
const WRONG_CODES = 5;
const CODE_WINDOW_SECONDS = 15 * 60;
/** Far above normal use, because anyone can exhaust it and lock out the account's owner. */
const FAILURES_PER_EMAIL = 100;

interface FailureRow {
  subject: Buffer;
  failures: number;
  window_ends_at: Date;
}

interface Count {
  subject: Buffer;
  limit: number;
  windowSeconds: number;
}

/**
 * Limits password guessing per IP address, per account and IP address, and per account. Counted in PostgreSQL, so that all
 * processes share the counts and a restart does not reset them; the cost is negligible compared with argon2id.
 */
@Injectable()
export class SignInFailures {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(PEOPLE_SETTINGS) private readonly settings: PeopleSettings,
  ) {}

  /** Counts a code of a second factor as wrong before it is checked. Resolves to how many were wrong in the window, this one included. */
  async chargeCode(memberId: string): Promise<number> {
    const [{ failures }] = await this.count([codesOf(memberId)], 'Too many wrong codes; try again after the time in Retry-After.');
    return failures;
  }

  async forgiveCode(memberId: string): Promise<void> {
    await run(poolOf(this.dataSource), { text: `DELETE FROM sign_in_failures WHERE subject = $1`, values: [codesOf(memberId).subject] });
  }

  /**
   * Counts an attempt as failed before the password is checked, so that parallel attempts cannot exceed the limit. Resolves to how many
   * failed for the e-mail address in the current window, this one included.
   */
  async charge(address: string, email: string): Promise<number> {
    const counts = this.countsOf(address, email);
    const rows = await this.count(Object.values(counts), 'Too many failed sign-ins; try again after the time in Retry-After.');
    return rows.find(({ subject }) => subject.equals(counts.email.subject))?.failures ?? 0;
  }

  private async count(counts: readonly Count[], message: string): Promise<FailureRow[]> {
    const { rows } = await run<FailureRow>(poolOf(this.dataSource), {
      text: `INSERT INTO sign_in_failures AS f (subject, failures, window_ends_at)
       SELECT subject, 1, now() + make_interval(secs => seconds)
       FROM unnest($1::bytea[], $2::int[]) AS s (subject, seconds) ORDER BY subject
       ON CONFLICT (subject) DO UPDATE SET
         failures = CASE WHEN f.window_ends_at <= now() THEN 1 ELSE f.failures + 1 END,
         window_ends_at = CASE WHEN f.window_ends_at <= now() THEN excluded.window_ends_at ELSE f.window_ends_at END
       RETURNING subject, failures, window_ends_at`,
      values: [counts.map(({ subject }) => subject), counts.map(({ windowSeconds }) => windowSeconds)],
    });
    const exceeded = rows.filter((row) => counts.some(({ subject, limit }) => subject.equals(row.subject) && row.failures > limit));
    if (exceeded.length === 0) return rows;
    const opensAt = Math.max(...exceeded.map((row) => row.window_ends_at.getTime()));
    throw CommonErrors.rateLimited({
      message,
      headers: { 'Retry-After': String(Math.max(1, Math.ceil((opensAt - Date.now()) / 1000))) },
    });
  }

  /**
   * Undoes the charge of a successful attempt, and also deletes the earlier failures for the account from this address if it is the
   * only account with that e-mail address: the sign-ins of one account must not permit more guesses at another one's password.
   */
  async forgive(address: string, email: string, { isOnlyAccount }: { isOnlyAccount: boolean }): Promise<void> {
    const counts = this.countsOf(address, email);
    const pool = poolOf(this.dataSource);
    if (isOnlyAccount) await run(pool, { text: `DELETE FROM sign_in_failures WHERE subject = $1`, values: [counts.pair.subject] });
    await run(pool, {
      text: `UPDATE sign_in_failures SET failures = failures - 1
             WHERE failures > 0
               AND subject IN (SELECT subject FROM sign_in_failures WHERE subject = ANY ($1::bytea[]) ORDER BY subject FOR UPDATE)`,
      values: [Object.values(counts).map(({ subject }) => subject)],
    });
  }

  private countsOf(address: string, email: string): Record<'address' | 'pair' | 'email', Count> {
    const from = limitKeyOf(address);
    return {
      address: {
        subject: subjectOf('address', from),
        limit: this.settings.rateLimitAuthFailuresPerAddress,
        windowSeconds: ADDRESS_WINDOW_SECONDS,
      },
      pair: { subject: subjectOf('pair', `${from} ${email}`), limit: FAILURES_PER_PAIR, windowSeconds: EMAIL_WINDOW_SECONDS },
      email: { subject: subjectOf('email', email), limit: FAILURES_PER_EMAIL, windowSeconds: EMAIL_WINDOW_SECONDS },
    };
  }
}

function codesOf(memberId: string): Count {
  return { subject: subjectOf('code', memberId), limit: WRONG_CODES, windowSeconds: CODE_WINDOW_SECONDS };
}

function subjectOf(kind: 'address' | 'pair' | 'email' | 'code', value: string): Buffer {
  return createHash('sha256').update(`${kind}:${value}`).digest();
}
