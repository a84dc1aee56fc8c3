import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Tx } from '../../../kit/index.js';
import { poolOf } from '../../persistence/database/pool.js';
import { run } from '../../persistence/rows/reader.js';
import { PeopleErrors } from '../model/people.errors.js';
import { sessionEnd } from './session-reader.js';
import { SessionTokens } from './session-tokens.js';
import type { Authenticated } from './sign-in.js';

@Injectable()
export class SessionsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tokens: SessionTokens,
  ) {}

  /** Creates a session and returns its token, which is not stored. */
  async open({ id, password_hash }: Authenticated): Promise<string> {
    const token = this.tokens.generate();
    const now = new Date();
    // the lock and the conditions prevent a session if the member is deactivated or the password changed concurrently
    const { rowCount } = await run(poolOf(this.dataSource), {
      text: `INSERT INTO sessions (token_hash, organization_id, member_id, created_at, expires_at)
             SELECT $1, organization_id, id, $2, $3 FROM members WHERE id = $4 AND status = 'active' AND password_hash = $5 FOR SHARE`,
      values: [this.tokens.hashOf(token), now, sessionEnd(now, now), id, password_hash],
    });
    if (rowCount === 0) throw PeopleErrors.invalidCredentials();
    return token;
  }

  async close(token: string): Promise<void> {
    await run(poolOf(this.dataSource), { text: `DELETE FROM sessions WHERE token_hash = $1`, values: [this.tokens.hashOf(token)] });
  }

  /** Ends all sessions of a member in the transaction of the change that requires it. */
  async closeAllOf(tx: Tx, memberId: string): Promise<void> {
    await tx.query(`DELETE FROM sessions WHERE member_id = $1`, [memberId]);
  }
}
