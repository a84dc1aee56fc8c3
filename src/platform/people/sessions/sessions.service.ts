import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { CommonErrors, sql, Store, type Ctx, type ListQuery, type Page } from '../../../kit/index.js';
import { platformSql } from '../../../kit/internal.js';
import { poolOf } from '../../persistence/database/pool.js';
import { run } from '../../persistence/rows/reader.js';
import type { CallContext } from '../../persistence/transactions/call-context.js';
import { PeopleErrors } from '../model/people.errors.js';
import { sessionEnd } from './session-reader.js';
import { SessionTokens } from './session-tokens.js';
import { Session } from './session.entity.js';
import type { Authenticated } from './sign-in.js';

/** Where a member signs in from. */
export interface Device {
  address: string;
  userAgent: string | null;
}

const USER_AGENT_BOUND = 200;

@Injectable()
export class SessionsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: Store,
    private readonly tokens: SessionTokens,
  ) {}

  /** Creates a session and returns its token, which is not stored. */
  async open({ id, password_hash }: Authenticated, { address, userAgent }: Device): Promise<string> {
    const token = this.tokens.generate();
    const now = new Date();
    const device = userAgent?.slice(0, USER_AGENT_BOUND).toWellFormed() ?? null;
    // the lock and the conditions prevent a session if the member is deactivated or the password changed concurrently
    const { rowCount } = await run(poolOf(this.dataSource), {
      text: `INSERT INTO sessions (id, token_hash, organization_id, member_id, created_at, updated_at, confirmed_at, expires_at,
                                   address, user_agent)
             SELECT $6, $1, organization_id, id, $2, $2, $2, $3, $7, $8 FROM members
             WHERE id = $4 AND status = 'active' AND password_hash = $5 FOR SHARE`,
      values: [this.tokens.hashOf(token), now, sessionEnd(now, now), id, password_hash, uuidv7(), address, device],
    });
    if (rowCount === 0) throw PeopleErrors.invalidCredentials();
    await run(poolOf(this.dataSource), { text: `UPDATE members SET last_sign_in_at = $2 WHERE id = $1`, values: [id, now] });
    return token;
  }

  async close(token: string): Promise<void> {
    await run(poolOf(this.dataSource), { text: `DELETE FROM sessions WHERE token_hash = $1`, values: [this.tokens.hashOf(token)] });
  }

  /** The sessions of the signed-in member that have not expired. */
  page(ctx: Ctx, query: ListQuery): Promise<Page<Session>> {
    return this.store.page(ctx, Session, query, sql`t.member_id = ${ctx.memberId} AND t.expires_at > now()`);
  }

  /** Notes that the signed-in member has just given their password; returns when. */
  async confirm(ctx: Ctx): Promise<Date> {
    const now = new Date();
    await this.store.write(ctx, (tx) =>
      tx.sql(platformSql(`UPDATE sessions SET confirmed_at = $2 WHERE id = $1`, [(ctx as CallContext).session?.id, now])),
    );
    return now;
  }

  /** Ends one session of the signed-in member. */
  end(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const session = await tx.target(Session, id);
      if (session.member_id !== ctx.memberId) throw CommonErrors.notFound();
      await tx.delete(session);
    });
  }
}
