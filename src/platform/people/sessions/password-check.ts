import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CommonErrors, type Ctx } from '../../../kit/index.js';
import { poolOf } from '../../persistence/database/pool.js';
import { run } from '../../persistence/rows/reader.js';
import { passwordMatches } from '../model/passwords.js';
import type { CallContext } from '../../persistence/transactions/call-context.js';
import { FailureNotes } from '../failures/failure-notes.js';
import { SignInFailures } from '../failures/sign-in-failures.js';

/** Asks a signed-in member for their password again, with the limits of a sign-in. */
@Injectable()
export class PasswordCheck {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly failures: SignInFailures,
    private readonly notes: FailureNotes,
  ) {}

  /** Throws `validation_failed` that names `param` if it is not the password of the signed-in member. */
  async require(ctx: Ctx, password: string, address: string, param: string): Promise<void> {
    const { rows } = await run<{ email: string; password_hash: string }>(poolOf(this.dataSource), {
      text: `SELECT email, password_hash FROM members WHERE id = $1`,
      values: [ctx.memberId],
    });
    const { email, password_hash } = rows[0];
    const failures = await this.failures.charge(address, email);
    if (!(await passwordMatches(password, password_hash))) {
      this.notes.confirmation(ctx as CallContext, 'password', failures);
      throw CommonErrors.validationFailed({ param, message: `${param} is not your password` });
    }
    // otherwise a member of another organization with the same address would gain further guesses
    await this.failures.forgive(address, email, { isOnlyAccount: false });
  }
}
