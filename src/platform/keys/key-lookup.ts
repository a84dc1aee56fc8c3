import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Mode } from '../../kit/index.js';
import type { AppConfig } from '../config/settings.js';
import { poolOf } from '../persistence/database/pool.js';
import { run } from '../persistence/rows/reader.js';
import type { Bucket } from '../rate-limit/limiter.js';
import { compileAllowlist } from '../net/address.js';
import type { KeyStatus } from './api-key.entity.js';
import type { KeyRecord } from './key-record.js';
import { LEAD_WEBHOOK } from './key-permissions.js';
import { ScopeCatalog, scopePermissionsOf } from './scope-catalog.js';

/** The default limits of keys. */
export type KeyLimits = Pick<AppConfig, 'rateLimitPerKey' | 'rateLimitPerOrganization'>;
export const KEY_LIMITS = Symbol('key limits');

const WINDOW_SECONDS = 60;
const LEAD_WEBHOOK_PER_MINUTE = 120;

interface KeyRow {
  id: string;
  organization_id: string;
  module: string;
  mode: Mode;
  scopes: string[];
  project_id: string | null;
  status: KeyStatus;
  expires_at: Date | null;
  secret_expires_at: Date | null;
  active_member_id: string | null;
  member_permissions: string[] | null;
  allowed_ips: string[];
  rate_limit_per_minute: number | null;
}

/** Loads everything a guard needs by the hash of a secret, in one prepared statement. */
@Injectable()
export class KeyLookup {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(KEY_LIMITS) private readonly limits: KeyLimits,
    private readonly catalog: ScopeCatalog,
  ) {}

  async byHash(hash: Buffer): Promise<KeyRecord | null> {
    const { rows } = await run<KeyRow>(poolOf(this.dataSource), {
      text: `SELECT k.id, k.organization_id, k.module, k.mode, k.scopes, k.project_id, k.status, k.expires_at, k.allowed_ips,
                    k.rate_limit_per_minute, s.expires_at AS secret_expires_at, m.id AS active_member_id,
                    r.permissions AS member_permissions
             FROM api_key_secrets s JOIN api_keys k ON k.id = s.api_key_id
             LEFT JOIN members m ON m.id = k.actor_member_id AND m.status = 'active'
             LEFT JOIN roles r ON r.id = m.role_id
             WHERE s.hash = $1`,
      values: [hash],
    });
    return rows.length > 0 ? this.toRecord(rows[0]) : null;
  }

  private toRecord(row: KeyRow): KeyRecord {
    const withheld = this.withheldOf(row);
    return Object.freeze({
      id: row.id,
      organizationId: row.organization_id,
      module: row.module,
      mode: row.mode,
      scopes: new Set(row.scopes.filter((scope) => !withheld.has(scope))),
      withheld,
      projectId: row.project_id,
      status: row.status,
      expiresAt: row.expires_at?.getTime() ?? null,
      secretExpiresAt: row.secret_expires_at?.getTime() ?? null,
      actor: { type: 'api_key' as const, id: row.id, email: null },
      memberId: row.active_member_id,
      admits: row.allowed_ips.length > 0 ? compileAllowlist(row.allowed_ips) : null,
      buckets: this.bucketsOf(row),
    });
  }

  /** A key without an active member keeps its scopes: calls that need the member fail with `key_missing_actor`. */
  private withheldOf({ module, scopes, active_member_id, member_permissions }: KeyRow): ReadonlyMap<string, string> {
    const required = active_member_id === null ? {} : scopePermissionsOf(this.catalog, module);
    return new Map(
      Object.entries(required).filter(([scope, permission]) => scopes.includes(scope) && !member_permissions?.includes(permission)),
    );
  }

  /** Test calls have a separate organization bucket, so that they never use up the live quota. */
  private bucketsOf({ id, organization_id, mode, module, rate_limit_per_minute }: KeyRow): readonly Bucket[] {
    const perKey = rate_limit_per_minute ?? (module === LEAD_WEBHOOK ? LEAD_WEBHOOK_PER_MINUTE : this.limits.rateLimitPerKey);
    return Object.freeze([
      { name: 'key', id, limit: perKey, windowSeconds: WINDOW_SECONDS },
      { name: 'org', id: `${organization_id}:${mode}`, limit: this.limits.rateLimitPerOrganization, windowSeconds: WINDOW_SECONDS },
    ]);
  }
}
