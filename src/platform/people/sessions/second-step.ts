import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CommonErrors, isUuid } from '../../../kit/index.js';
import { poolOf } from '../../persistence/database/pool.js';
import { isOpen } from '../../persistence/rows/open-organizations.js';
import { run } from '../../persistence/rows/reader.js';
import { SessionTokens } from './session-tokens.js';
import type { Authenticated } from './sign-in.js';

/** Time between the password and the code. */
const VALID_MS = 5 * 60_000;

/** The token that leads from the password of a sign-in to the code of the second factor. Nothing is stored for it. */
@Injectable()
export class SecondStep {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tokens: SessionTokens,
  ) {}

  tokenFor({ id, password_hash }: Authenticated): string {
    return this.tokens.secondFactorTokenOf(id, Date.now() + VALID_MS, password_hash);
  }

  /** The member whose password was right; throws `validation_failed` if the token is invalid or too old. */
  async read(token: string): Promise<Authenticated> {
    const [id, until] = token.split('.');
    if (isUuid(id) && Number(until) > Date.now()) {
      const { rows } = await run<Authenticated>(poolOf(this.dataSource), {
        text: `SELECT id, organization_id, password_hash, second_factor_at IS NOT NULL AS has_second_factor
               FROM members WHERE id = $1 AND status = 'active' AND ${isOpen('organization_id')}`,
        values: [id],
      });
      const expected = rows.length > 0 ? Buffer.from(this.tokens.secondFactorTokenOf(id, Number(until), rows[0].password_hash)) : null;
      const given = Buffer.from(token);
      if (expected && expected.length === given.length && timingSafeEqual(expected, given)) return rows[0];
    }
    throw CommonErrors.validationFailed({
      param: 'second_factor_token',
      message: 'second_factor_token is not valid or older than five minutes; sign in again',
    });
  }
}
