import { Injectable } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { InjectDataSource } from '@nestjs/typeorm';
import { Strategy } from 'passport-local';
import { DataSource } from 'typeorm';
import type { Request } from '../../request/request-state.js';
import { poolOf } from '../../persistence/database/pool.js';
import { isOpen } from '../../persistence/rows/open-organizations.js';
import { run } from '../../persistence/rows/reader.js';
import { normalizeEmail } from '../model/member.dto.js';
import { passwordMatches } from '../model/passwords.js';
import { PeopleErrors } from '../model/people.errors.js';
import { FailureNotes } from '../failures/failure-notes.js';
import { SignInFailures } from '../failures/sign-in-failures.js';

/** The account whose password was correct. */
export interface Authenticated {
  id: string;
  organization_id: string;
  /** The hash that the password matched. */
  password_hash: string;
  has_second_factor: boolean;
}

/** A person can be a member of several organizations, with a password in each. */
const MOST_MEMBERSHIPS = 10;

/** Passport's local strategy with the e-mail address and password of the validated body. */
@Injectable()
export class EmailPasswordStrategy extends PassportStrategy(Strategy, 'email-password') {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly failures: SignInFailures,
    private readonly notes: FailureNotes,
  ) {
    super({ usernameField: 'email', passReqToCallback: true });
  }

  async validate(request: Request, email: string, password: string): Promise<Authenticated | false> {
    const { address } = request.state;
    const account = normalizeEmail(email);
    const failures = await this.failures.charge(address, account);
    const { rows } = await run<Authenticated & { status: string }>(poolOf(this.dataSource), {
      text: `SELECT id, organization_id, password_hash, status, second_factor_at IS NOT NULL AS has_second_factor
             FROM members WHERE email = $1 AND ${isOpen('organization_id')} ORDER BY status, created_at, id LIMIT ${MOST_MEMBERSHIPS}`,
      values: [account],
    });
    const matching = await Promise.all(
      (rows.length > 0 ? rows : [null]).map((member) => passwordMatches(password, member?.password_hash ?? null)),
    );
    // the oldest of several memberships with the same password: a later one must not divert a sign-in
    const member = rows.find(({ status }, index) => matching[index] && status === 'active');
    if (!member) {
      this.notes.signIn(rows, request.state.requestId, request.state, failures);
      return false;
    }
    await this.failures.forgive(address, account, { isOnlyAccount: rows.length === 1 });
    const { id, organization_id, password_hash, has_second_factor } = member;
    return { id, organization_id, password_hash, has_second_factor };
  }
}

@Injectable()
export class EmailPasswordGuard extends AuthGuard('email-password') {
  override handleRequest<U>(error: unknown, user: U): U {
    if (error) throw error;
    if (!user) throw PeopleErrors.invalidCredentials();
    return user;
  }

  override getAuthenticateOptions() {
    return { session: false };
  }
}
