import { Injectable } from '@nestjs/common';
import { activeMember, CommonErrors, HOUR_MS, invalid, sql, Store, type Condition, type Ctx, type Page, type Tx } from '../../kit/index.js';
import { platformSql } from '../../kit/internal.js';
import { Member } from '../people/model/member.entity.js';
import { Project } from '../people/model/project.entity.js';
import { Role } from '../people/model/role.entity.js';
import { requireConfirmation } from '../people/sessions/confirmation.js';
import { CONNECTION, scopePermissionsOf } from './connection-scopes.js';
import { ScopeCatalog } from './scope-catalog.js';
import { ApiKey, type KeyOrigin, type OAuthClientView } from './api-key.entity.js';
import type { ApiKeysQuery, CreateApiKeyDto, UpdateApiKeyDto } from './api-keys.dto.js';
import { allOf, checkAllowedIps, checkExpiry, checkScopes } from './key-rules.js';
import { displayPrefix, generateSecret, hashSecret, lastFour } from './key-secret.js';
import { KeyChanges } from '../key-changes/key-changes.js';
import { MANAGE_KEYS } from './keys.permissions.js';
import { mayManageKeys, modulesWithOwnKeys, requireForModule, type KeyAction } from './key-permissions.js';
import { PermissionRegistry } from '../registry/permission-registry.js';

/** As the DTO of a key says; the name of a client's host can be longer. */
const LONGEST_NAME = 100;

/** What a key can do, and as whom. */
type Grant = Pick<ApiKey, 'module' | 'scopes' | 'actor_member_id'>;

/** What a member chose when they authorized an MCP client. */
export interface NewConnection {
  client: OAuthClientView;
  mode: 'live' | 'test';
  scopes: readonly string[];
  project_id: string | null;
  expires_at: Date | null;
  requires_plan: boolean;
}

export interface KeyWithSecret {
  key: ApiKey;
  /** Returned only once. */
  secret: string;
}

/** API keys. Every change is announced after its commit and before its response, so that it applies to the next call. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly store: Store,
    private readonly catalog: ScopeCatalog,
    private readonly changes: KeyChanges,
    private readonly permissions: PermissionRegistry,
  ) {}

  page(ctx: Ctx, query: ApiKeysQuery): Promise<Page<ApiKey>> {
    return this.store.page(ctx, ApiKey, query, ...this.hiddenFrom(ctx), ...(query.status ? [statusCondition(query.status)] : []));
  }

  async get(ctx: Ctx, id: string): Promise<ApiKey> {
    const key = await this.store.get(ctx, ApiKey, id);
    if (!mayManageKeys(this.catalog, ctx, key.module, 'view')) throw CommonErrors.notFound();
    return key;
  }

  create(ctx: Ctx, body: CreateApiKeyDto, origin: KeyOrigin, secret = generateSecret(body.mode)): Promise<KeyWithSecret> {
    requireForModule(this.catalog, ctx, body.module, 'create');
    if (body.mode === 'live') requireConfirmation(ctx);
    const [scopes, allowed_ips, expires_at] = allOf(
      () => checkScopes(this.catalog, body.module, body.scopes),
      () => checkAllowedIps(body.allowed_ips ?? []),
      () => checkExpiry(body.expires_at ?? null),
    );
    return this.store.write(ctx, async (tx) => {
      await requireProject(tx, body.project_id);
      const actor_member_id = body.actor_user_id ?? null;
      if (actor_member_id !== null) await requireActive(tx, actor_member_id);
      await this.requireGrant(ctx, tx, { module: body.module, scopes, actor_member_id });
      const key = await tx.insert(ApiKey, {
        name: body.name,
        module: body.module,
        mode: body.mode,
        scopes,
        project_id: body.project_id ?? null,
        actor_member_id,
        allowed_ips,
        rate_limit_per_minute: body.rate_limit_per_minute ?? null,
        requires_plan: body.requires_plan ?? false,
        expires_at,
        status: 'active',
        origin,
        oauth_client: null,
        prefix: displayPrefix(secret),
        last_four: lastFour(secret),
        created_by: ctx.actor.type === 'user' ? ctx.memberId : null,
      });
      await addSecret(tx, key.id, secret);
      return { key: await withActor(tx, key), secret };
    });
  }

  /** The connection of an MCP client, which acts for the member who authorized it. It has access tokens instead of a secret. */
  connect(ctx: Ctx, { client, mode, scopes: chosen, project_id, expires_at, requires_plan }: NewConnection): Promise<ApiKey> {
    requireForModule(this.catalog, ctx, CONNECTION, 'create');
    requireConfirmation(ctx);
    const scopes = checkScopes(this.catalog, CONNECTION, chosen);
    return this.store.write(ctx, async (tx) => {
      await requireProject(tx, project_id);
      const actor_member_id = ctx.memberId;
      await this.requireGrant(ctx, tx, { module: CONNECTION, scopes, actor_member_id });
      return tx.insert(ApiKey, {
        name: (client.name ?? client.redirect_host).slice(0, LONGEST_NAME),
        module: CONNECTION,
        mode,
        scopes,
        project_id,
        actor_member_id,
        allowed_ips: [],
        rate_limit_per_minute: null,
        requires_plan,
        expires_at,
        status: 'active',
        origin: 'oauth',
        oauth_client: client,
        prefix: '',
        last_four: '',
        created_by: actor_member_id,
      });
    });
  }

  update(ctx: Ctx, id: string, body: UpdateApiKeyDto): Promise<ApiKey> {
    return this.store.write(ctx, async (tx) => {
      const key = await this.changeable(ctx, tx, id);
      const [scopes, allowed_ips, expires_at] = allOf(
        () => (body.scopes === undefined ? undefined : checkScopes(this.catalog, key.module, body.scopes)),
        () => (body.allowed_ips === undefined ? undefined : checkAllowedIps(body.allowed_ips)),
        () => (body.expires_at === undefined ? undefined : checkExpiry(body.expires_at)),
      );
      if (key.origin === 'oauth' && scopes?.some((scope) => !key.scopes.includes(scope)))
        throw CommonErrors.validationFailed({
          param: 'scopes',
          message: 'scopes of a connection can only be removed here; the app asks a member for more',
          allowed: key.scopes,
        });
      const { name, rate_limit_per_minute, requires_plan, status } = body;
      const change = { name, scopes, allowed_ips, rate_limit_per_minute, requires_plan, expires_at, status };
      if (widens(key, change)) {
        if (key.mode === 'live') requireConfirmation(ctx);
        await this.requireGrant(ctx, tx, { ...key, scopes: scopes ?? key.scopes });
      }
      return withActor(tx, await tx.update(key, change));
    });
  }

  /** Generates a new secret for the key. The previous one remains valid for `overlapHours`, older ones expire now. */
  roll(ctx: Ctx, id: string, overlapHours: number): Promise<KeyWithSecret> {
    return this.store.write(ctx, async (tx) => {
      const key = await this.changeable(ctx, tx, id);
      if (key.mode === 'live') requireConfirmation(ctx);
      if (key.origin === 'oauth')
        throw CommonErrors.resourceConflict({
          message: 'This is the connection of an app, which has no secret; revoke it to disconnect the app.',
        });
      await this.requireGrant(ctx, tx, key);
      const secret = generateSecret(key.mode);
      const now = new Date();
      await tx.sql(
        platformSql(
          `UPDATE api_key_secrets SET expires_at = CASE WHEN expires_at IS NULL THEN $2::timestamptz ELSE $3::timestamptz END
         WHERE api_key_id = $1 AND (expires_at IS NULL OR expires_at > $3)`,
          [id, new Date(now.getTime() + overlapHours * HOUR_MS), now],
        ),
      );
      await addSecret(tx, id, secret);
      const rolled = await tx.update(key, { prefix: displayPrefix(secret), last_four: lastFour(secret) });
      return { key: await withActor(tx, rolled), secret };
    });
  }

  /** Final. Does not change a key that is already revoked. */
  revoke(ctx: Ctx, id: string): Promise<ApiKey> {
    return this.store.write(ctx, async (tx) => withActor(tx, await revokeIn(tx, await this.target(ctx, tx, id, 'delete'))));
  }

  /** Revokes the key. A revoked key counts as deleted, although its row is kept for the log. */
  delete(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const key = await this.target(ctx, tx, id, 'delete');
      if (key.status === 'revoked') throw CommonErrors.notFound();
      await revokeIn(tx, key);
    });
  }

  /** Whoever creates, extends, reactivates or rolls a key must have all permissions that the key grants. */
  private async requireGrant(ctx: Ctx, tx: Tx, { module, scopes, actor_member_id }: Grant): Promise<void> {
    const member = actor_member_id === null ? null : await tx.get(Member, actor_member_id);
    const role = member && (await tx.get(Role, member.role_id));
    if (member && role) this.requirePermissionsOf(ctx, member, role);
    this.requireGrants(ctx, module, role);
    for (const [scope, permission] of Object.entries(scopePermissionsOf(this.catalog, module))) {
      if (!scopes.includes(scope)) continue;
      if (ctx.actor.type !== 'system' && !ctx.permissions.has(permission))
        throw CommonErrors.permissionDenied({
          param: 'scopes',
          message: `Your role lacks the permission ${permission}, which is required to give a key the scope ${scope}.`,
          extra: { required_permission: permission },
        });
      if (role && !role.permissions.includes(permission))
        throw CommonErrors.validationFailed({
          param: 'actor_user_id',
          message: `The bound member (actor_user_id) lacks the permission ${permission}, which the scope ${scope} requires.`,
        });
    }
  }

  private requireGrants(ctx: Ctx, module: string, role: Role | null): void {
    const { grants = [], title } = this.catalog.modules().find(({ name }) => name === module) ?? {};
    const missing = ctx.actor.type === 'system' ? [] : grants.filter((permission) => !ctx.permissions.has(permission));
    if (missing.length > 0)
      throw CommonErrors.permissionDenied({
        param: 'module',
        message:
          `A key of the module ${title} reads the events of all modules, so only members who may read all that events contain can ` +
          `make one. Your role lacks ${missing.join(', ')}.`,
        extra: { required_permission: missing[0] },
      });
    const lacking = role ? grants.filter((permission) => !role.permissions.includes(permission)) : [];
    if (lacking.length > 0)
      throw CommonErrors.validationFailed({
        param: 'actor_user_id',
        message: `The bound member (actor_user_id) lacks permissions to read what events contain: ${lacking.join(', ')}.`,
      });
  }

  /** Anyone who has the secret of a bound key acts as that member. */
  private requirePermissionsOf(ctx: Ctx, member: Member, role: Role): void {
    if (member.id === ctx.memberId || this.permissions.areHeldBy(ctx, role.permissions)) return;
    throw CommonErrors.permissionDenied({
      param: 'actor_user_id',
      message:
        'The key acts for a member (actor_user_id) whose role has permissions that yours lacks; only that member, or ' +
        'a member with all these permissions, can get its secret or let it do more.',
    });
  }

  private hiddenFrom(ctx: Ctx): Condition[] {
    const own = modulesWithOwnKeys(this.catalog);
    const hidden = own.filter((module) => !mayManageKeys(this.catalog, ctx, module, 'view'));
    const visible = own.filter((module) => !hidden.includes(module));
    if (ctx.actor.type !== 'system' && !ctx.permissions.has(MANAGE_KEYS)) return [sql`t.module = ANY(${visible})`];
    return hidden.length > 0 ? [sql`t.module <> ALL(${hidden})`] : [];
  }

  private async changeable(ctx: Ctx, tx: Tx, id: string): Promise<ApiKey> {
    const key = await this.target(ctx, tx, id, 'create');
    if (key.status === 'revoked')
      throw CommonErrors.resourceConflict({ message: 'This API key is revoked, which is final; create a new one.' });
    return key;
  }

  /** The key to change; announces the change. */
  private async target(ctx: Ctx, tx: Tx, id: string, action: KeyAction): Promise<ApiKey> {
    await this.changes.announce(tx, id);
    const key = await tx.target(ApiKey, id);
    if (mayManageKeys(this.catalog, ctx, key.module, action)) return key;
    if (!mayManageKeys(this.catalog, ctx, key.module, 'view')) throw CommonErrors.notFound();
    requireForModule(this.catalog, ctx, key.module, action);
    return key;
  }
}

function addSecret(tx: Tx, keyId: string, secret: string): Promise<unknown> {
  return tx.sql(platformSql(`INSERT INTO api_key_secrets (hash, api_key_id) VALUES ($1, $2)`, [hashSecret(secret), keyId]));
}

async function requireProject(tx: Tx, projectId: string | null | undefined): Promise<void> {
  if (projectId && !(await tx.find(Project, projectId))) throw invalid('project_id', 'must be a project of this organization');
}

/** With the status of its member, which a row that was written lacks. */
async function withActor(tx: Tx, key: ApiKey): Promise<ApiKey> {
  return key.actor_member_id === null ? key : tx.get(ApiKey, key.id);
}

async function revokeIn(tx: Tx, key: ApiKey): Promise<ApiKey> {
  if (key.status === 'revoked') return key;
  return tx.update(key, { status: 'revoked', revoked_at: new Date() });
}

async function requireActive(tx: Tx, memberId: string): Promise<void> {
  const member = await tx.find(Member, memberId);
  if (member?.status !== 'active') throw invalid('actor_user_id', 'must be an active member of this organization');
}

/**
 * Whether a change lets a key do more. Renaming it, switching it off, removing scopes and ending it earlier do not, so everyone
 * who manages keys may do that.
 */
function widens(key: ApiKey, { scopes, allowed_ips, rate_limit_per_minute, requires_plan, expires_at, status }: Partial<ApiKey>): boolean {
  return (
    scopes?.some((scope) => !key.scopes.includes(scope)) === true ||
    (status === 'active' && key.status !== 'active') ||
    (requires_plan === false && key.requires_plan) ||
    (allowed_ips !== undefined &&
      key.allowed_ips.length > 0 &&
      (allowed_ips.length === 0 || allowed_ips.some((range) => !key.allowed_ips.includes(range)))) ||
    (expires_at !== undefined && key.expires_at !== null && (expires_at === null || expires_at > key.expires_at)) ||
    (rate_limit_per_minute !== undefined && rate_limit_per_minute !== key.rate_limit_per_minute)
  );
}

/** The status that is shown: `expired` is not stored. */
function statusCondition(wanted: readonly string[]): Condition {
  const expired = sql`(t.status <> 'revoked' AND t.expires_at IS NOT NULL AND t.expires_at <= now())`;
  const suspended = sql`t.status = 'active' AND t.origin = 'oauth' AND NOT ${activeMember('t', 'actor_member_id')}`;
  return sql`CASE WHEN ${expired} THEN 'expired' WHEN ${suspended} THEN 'inactive' ELSE t.status END = ANY(${wanted})`;
}
