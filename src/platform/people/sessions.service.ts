import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Tx } from '../../kit/index.js';
import { sessionEnd } from './session-reader.js';
import { SessionTokens } from './session-tokens.js';
import type { Authenticated } from './sign-in.js';

@Injectable()
export class SessionsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tokens: SessionTokens,
  ) {}

  /** Makes a session and returns its token, which is known to the client only. */
  async open(member: Authenticated): Promise<string> {
    const token = this.tokens.generate();
    const now = new Date();
    await this.dataSource.query(`DELETE FROM sessions WHERE expires_at <= $1`, [now]);
    await this.dataSource.query(
      `INSERT INTO sessions (token_hash, organization_id, member_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
      [this.tokens.hashOf(token), member.organization_id, member.id, now, sessionEnd(now, now)],
    );
    return token;
  }

  async close(token: string): Promise<void> {
    await this.dataSource.query(`DELETE FROM sessions WHERE token_hash = $1`, [this.tokens.hashOf(token)]);
  }

  /** Ends all sessions of a member, together with the change that asks for it. */
  async closeAllOf(tx: Tx, memberId: string): Promise<void> {
    await tx.manager.query(`DELETE FROM sessions WHERE member_id = $1`, [memberId]);
  }
}
