import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Mode } from '../../kit/index.js';
import { BaseUrl } from '../config/base-url.js';
import { mcpAddress } from '../config/mcp-address.js';
import type { AppConfig } from '../config/settings.js';
import { poolOf } from '../persistence/database/pool.js';
import { run } from '../persistence/rows/reader.js';
import { EVERY_KEY } from '../key-changes/key-changes.js';
import type { Bucket } from '../rate-limit/limiter.js';
import { compileAllowlist } from '../net/address.js';
import type { KeyStatus } from './api-key.entity.js';
import type { KeyRecord } from './key-record.js';
import { scopePermissionsOf } from './connection-scopes.js';
import { ScopeCatalog } from './scope-catalog.js';

/** The default limits of keys. */
export type KeyLimits = Pick<AppConfig, 'rateLimitPerKey' | 'rateLimitPerOrganization'>;
export const KEY_LIMITS = Symbol('key limits');

const WINDOW_SECONDS = 60;

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
  token_expires_at: Date | null;
  /** The scopes of an access token, which can be fewer than the connection's. */
  token_scope: string | null;
  is_bound: boolean;
  active_member_id: string | null;
  member_permissions: string[] | null;
  allowed_ips: string[];
  rate_limit_per_minute: number | null;
  requires_plan: boolean;
  kept_bodies: KeyRecord['keptBodies'];
}

const KEY_COLUMNS = `k.id, k.organization_id, k.module, k.mode, k.scopes, k.project_id, k.status, k.expires_at, k.allowed_ips,
                    k.rate_limit_per_minute, k.requires_plan, k.actor_member_id IS NOT NULL AS is_bound, m.id AS active_member_id,
                    r.permissions AS member_permissions, o.kept_bodies`;
const KEY_JOINS = `JOIN organizations o ON o.id = k.organization_id AND o.closed_at IS NULL
             LEFT JOIN members m ON m.id = k.actor_member_id AND m.status = 'active'
             LEFT JOIN roles r ON r.id = m.role_id`;

/** Loads everything a guard needs by the hash of a secret or of an access token, in one prepared statement. */
@Injectable()
export class KeyLookup {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(KEY_LIMITS) private readonly limits: KeyLimits,
    private readonly catalog: ScopeCatalog,
    private readonly baseUrl: BaseUrl,
  ) {}

  byHash(hash: Buffer): Promise<KeyRecord | null> {
    return this.read(
      `SELECT ${KEY_COLUMNS}, s.expires_at AS secret_expires_at, NULL AS token_expires_at, NULL AS token_scope
             FROM api_key_secrets s JOIN api_keys k ON k.id = s.api_key_id ${KEY_JOINS}
             WHERE s.hash = $1`,
      [hash],
    );
  }

  /** The connection to which an access token was issued. A token for another resource is unknown here. */
  byToken(hash: Buffer): Promise<KeyRecord | null> {
    return this.read(
      `SELECT ${KEY_COLUMNS}, NULL AS secret_expires_at, t.expires_at AS token_expires_at,
                    t.payload ->> 'scope' AS token_scope
             FROM oauth_records t JOIN api_keys k ON k.id = t.api_key_id ${KEY_JOINS}
             WHERE t.model = 'AccessToken' AND t.id = $1 AND t.payload ->> 'aud' = $2`,
      [hash, mcpAddress(this.baseUrl.value)],
    );
  }

  private async read(text: string, values: unknown[]): Promise<KeyRecord | null> {
    const { rows } = await run<KeyRow>(poolOf(this.dataSource), { text, values });
    return rows.length > 0 ? this.toRecord(rows[0]) : null;
  }

  private toRecord(row: KeyRow): KeyRecord {
    const withheld = this.withheldOf(row);
    const ofToken = row.token_scope?.split(' ');
    return Object.freeze({
      id: row.id,
      organizationId: row.organization_id,
      module: row.module,
      mode: row.mode,
      scopes: new Set(row.scopes.filter((scope) => !withheld.has(scope) && ofToken?.includes(scope) !== false)),
      withheld,
      projectId: row.project_id,
      status: row.status,
      expiresAt: row.expires_at?.getTime() ?? null,
      secretExpiresAt: row.secret_expires_at?.getTime() ?? null,
      tokenExpiresAt: row.token_expires_at?.getTime() ?? null,
      isConnection: row.token_expires_at !== null,
      actor: { type: 'api_key' as const, id: row.id, email: null },
      memberId: row.active_member_id,
      admits: row.allowed_ips.length > 0 ? compileAllowlist(row.allowed_ips) : null,
      keptBodies: row.kept_bodies,
      requiresPlan: row.requires_plan,
      buckets: this.bucketsOf(row),
      subjects: Object.freeze([EVERY_KEY, row.organization_id, row.id]),
    });
  }

  /** A bound key never does more than its member may do; an inactive member has no permissions. An unbound key keeps its scopes. */
  private withheldOf({ module, scopes, is_bound, member_permissions }: KeyRow): ReadonlyMap<string, string> {
    if (!is_bound) return new Map();
    const isLacking = (permission: string) => !member_permissions?.includes(permission);
    const grant = this.catalog
      .modules()
      .find(({ name }) => name === module)
      ?.grants?.find(isLacking);
    if (grant !== undefined) return new Map(scopes.map((scope) => [scope, grant]));
    const required = Object.entries(scopePermissionsOf(this.catalog, module));
    return new Map(required.filter(([scope, permission]) => scopes.includes(scope) && isLacking(permission)));
  }

  /** Test calls have a separate organization bucket, so that they never use up the live quota. */
  private bucketsOf({ id, organization_id, mode, module, rate_limit_per_minute }: KeyRow): readonly Bucket[] {
    const perKey =
      rate_limit_per_minute ??
      this.catalog.modules().find(({ name }) => name === module)?.keys?.ratePerMinute ??
      this.limits.rateLimitPerKey;
    return Object.freeze([
      { name: 'key', id, limit: perKey, windowSeconds: WINDOW_SECONDS },
      { name: 'org', id: `${organization_id}:${mode}`, limit: this.limits.rateLimitPerOrganization, windowSeconds: WINDOW_SECONDS },
    ]);
  }
}
