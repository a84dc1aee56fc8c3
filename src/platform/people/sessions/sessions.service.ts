import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { CommonErrors, sql, Store, type Ctx, type ListQuery, type Page } from '../../../kit/index.js';
import { platformSql } from '../../../kit/internal.js';
import { poolOf } from '../../persistence/database/pool.js';
import { isOpen } from '../../persistence/rows/open-organizations.js';
import { run } from '../../persistence/rows/reader.js';
import { CallContext, type CallOrigin } from '../../persistence/transactions/call-context.js';
import { PeopleErrors } from '../model/people.errors.js';
import { sessionEnd } from './session-reader.js';
import { SessionTokens } from './session-tokens.js';
import { Session } from './session.entity.js';
import type { Authenticated } from './sign-in.js';

/** The request with which a member signs in or out. */
export interface Arrival {
  requestId: string;
  origin: CallOrigin;
}

interface SignedInMember {
  id: string;
  organization_id: string;
  email: string;
}

const NONE: ReadonlySet<string> = new Set();

const USER_AGENT_BOUND = 200;

@Injectable()
export class SessionsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: Store,
    private readonly tokens: SessionTokens,
  ) {}

  /** Creates a session and returns its token, which is not stored. */
  async open({ id, password_hash }: Authenticated, { requestId, origin }: Arrival): Promise<string> {
    const token = this.tokens.generate();
    const device = origin.userAgent?.slice(0, USER_AGENT_BOUND).toWellFormed() ?? null;
    const { rows: members } = await run<SignedInMember>(poolOf(this.dataSource), {
      text: 'SELECT id, organization_id, email FROM members WHERE id = $1',
      values: [id],
    });
    if (members.length === 0) throw PeopleErrors.invalidCredentials();
    await this.store.write(contextOf(members[0], requestId, origin), async (tx) => {
      const now = new Date();
      const session = uuidv7();
      // The conditions prevent a session if the member is deactivated or the password changed concurrently. The row is locked by its
      // update: two sign-ins that lock it for share before they update it deadlock.
      const opened = await tx.sql(
        platformSql(
          `WITH member AS (
             UPDATE members SET last_sign_in_at = $2
             WHERE id = $4 AND status = 'active' AND password_hash = $5 AND ${isOpen('organization_id')}
             RETURNING id, organization_id
           )
           INSERT INTO sessions (id, token_hash, organization_id, member_id, created_at, updated_at, confirmed_at, expires_at,
                                 address, user_agent)
           SELECT $6, $1, organization_id, id, $2, $2, $2, $3, $7, $8 FROM member RETURNING 1`,
          [this.tokens.hashOf(token), now, sessionEnd(now, now), id, password_hash, session, origin.address, device],
        ),
      );
      if (opened.length === 0) throw PeopleErrors.invalidCredentials();
      tx.advanced.audit({ objectType: 'session', objectId: session, action: 'signed_in' });
    });
    return token;
  }

  async close(token: string, { requestId, origin }: Arrival): Promise<void> {
    const { rows } = await run<SignedInMember & { session: string }>(poolOf(this.dataSource), {
      text: `SELECT s.id AS session, m.id, m.organization_id, m.email FROM sessions s JOIN members m ON m.id = s.member_id
             WHERE s.token_hash = $1`,
      values: [this.tokens.hashOf(token)],
    });
    for (const { session, ...member } of rows)
      await this.store.write(contextOf(member, requestId, origin), async (tx) => {
        await tx.sql(platformSql('DELETE FROM sessions WHERE id = $1', [session]));
        tx.advanced.audit({ objectType: 'session', objectId: session, action: 'signed_out' });
      });
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

function contextOf({ id, organization_id, email }: SignedInMember, requestId: string, origin: CallOrigin): CallContext {
  const ctx = new CallContext(requestId, organization_id, null, 'live', { type: 'user', id, email }, id, NONE, NONE);
  ctx.origin = origin;
  return ctx;
}
