import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { poolOf } from '../../persistence/database/pool.js';
import { run } from '../../persistence/rows/reader.js';
import { SessionTokens } from './session-tokens.js';
import { PermissionRegistry } from '../../registry/permission-registry.js';
import type { MemberWithRole } from '../model/member.dto.js';

/** A signed-in member, read from the database for the current request. */
export interface SignedIn {
  organizationId: string;
  organizationName: string;
  sessionId: string;
  member: MemberWithRole;
  permissions: ReadonlySet<string>;
  csrfToken: string;
  /** When the member last gave their password. */
  confirmedAt: Date;
  expiresAt: Date;
  /** Whether the organization requires a second factor of the member, who has none. */
  lacksSecondFactor: boolean;
}

/** A session expires this long after its last use. */
const SESSION_IDLE_MS = 24 * 60 * 60_000;
/** A session expires this long after the sign-in at the latest. */
const SESSION_MAX_MS = 7 * 24 * 60 * 60_000;
/** A request notes the use of a session only this long after the last note, so that not every request writes. */
const MIN_EXTENSION_MS = 5 * 60_000;

interface SessionRow extends MemberWithRole {
  permissions: string[];
  requires_second_factor: boolean;
  organization_name: string;
  session_id: string;
  signed_in_at: Date;
  used_at: Date;
  confirmed_at: Date;
  expires_at: Date;
}

/** Reads a session afresh for every request, so a sign-out, a deactivation or a changed role takes effect on the next one. */
@Injectable()
export class SessionReader {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tokens: SessionTokens,
    private readonly known: PermissionRegistry,
  ) {}

  async read(token: string): Promise<SignedIn | null> {
    const hash = this.tokens.hashOf(token);
    const now = new Date();
    const { rows } = await run<SessionRow>(poolOf(this.dataSource), {
      text: `SELECT m.id, m.organization_id, m.email, m.name, m.status, m.manager_id, m.version, m.created_at, m.updated_at,
              m.second_factor_at, m.last_sign_in_at, o.requires_second_factor, o.name AS organization_name,
              r.name AS role, r.permissions, s.id AS session_id, s.created_at AS signed_in_at, s.updated_at AS used_at,
              s.confirmed_at, s.expires_at
       FROM sessions s JOIN members m ON m.id = s.member_id JOIN roles r ON r.id = m.role_id
            JOIN organizations o ON o.id = m.organization_id AND o.closed_at IS NULL
       WHERE s.token_hash = $1 AND s.expires_at > $2 AND m.status = 'active'`,
      values: [hash, now],
    });
    if (rows.length === 0) return null;
    const {
      permissions,
      requires_second_factor,
      organization_name,
      session_id,
      signed_in_at,
      used_at,
      confirmed_at,
      expires_at,
      ...member
    } = rows[0];
    const expiresAt = sessionEnd(now, signed_in_at);
    const noted = Math.max(expiresAt.getTime() - expires_at.getTime(), now.getTime() - used_at.getTime()) > MIN_EXTENSION_MS;
    if (noted)
      await run(poolOf(this.dataSource), {
        text: `UPDATE sessions SET expires_at = $2, updated_at = $3 WHERE token_hash = $1`,
        values: [hash, expiresAt, now],
      });
    return {
      organizationId: member.organization_id,
      organizationName: organization_name,
      sessionId: session_id,
      member,
      permissions: new Set(this.known.declared(permissions)),
      csrfToken: this.tokens.csrfTokenOf(token),
      confirmedAt: confirmed_at,
      expiresAt: noted ? expiresAt : expires_at,
      lacksSecondFactor: requires_second_factor && member.second_factor_at === null && this.known.needSecondFactor(permissions),
    };
  }
}

export function sessionEnd(now: Date, signedInAt: Date): Date {
  return new Date(Math.min(now.getTime() + SESSION_IDLE_MS, signedInAt.getTime() + SESSION_MAX_MS));
}
