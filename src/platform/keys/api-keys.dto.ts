import { bothOf, Field, Filter, Listing, ListQuery, LookupQuery, partialOf, ResourceDto, responseOf, shownOf } from '../../kit/index.js';
import type { ApiKey, OAuthClientView } from './api-key.entity.js';
import type { ScopedModule } from './scope-catalog.js';

const KEY_STATUSES = ['active', 'inactive', 'revoked', 'expired'] as const;
const MODES = ['live', 'test'] as const;
const MODE_WORDS = 'live works on real data; test on separate data, without mail and charges';

/** The MCP client of a connection. */
class OAuthClientDto {
  @Field.string({
    description: 'The client_id: a URL for a client with a metadata document.',
    example: 'https://app.example.com/oauth/client.json',
    maxLength: 2_000,
  })
  id: string;

  @Field.string({
    description: 'What the client calls itself; null if it does not say.',
    example: 'Example App',
    nullable: true,
  })
  name: string | null;

  @Field.string({
    description: 'The host, or the scheme of an app, to which the client returned.',
    example: 'app.example.com',
    maxLength: 2_000,
  })
  redirect_host: string;

  @Field.boolean({
    description: 'Whether its id proves who operates the client; its name alone does not.',
    example: true,
  })
  verified: boolean;
}

/** A scope of a module, in words. */
export class ScopeDto {
  @Field.string({
    description: 'Name of the scope.',
    example: 'notes:note:read',
  })
  name: string;

  @Field.string({
    description: 'What it allows.',
    example: 'Read notes',
  })
  description: string;

  @Field.string({
    description: 'The permission that it requires of whoever makes a key with it, and of the bound member; null if none.',
    example: null,
    nullable: true,
  })
  required_permission: string | null;
}

/** A module for which keys can be created, with its scopes. */
export class ScopedModuleDto {
  @Field.constant('scoped_module')
  object: string;

  @Field.string({
    description: 'The `module` of a key.',
    example: 'notes',
  })
  name: string;

  @Field.string({
    description: 'Display name.',
    example: 'Notes',
  })
  title: string;

  @Field.object(() => ScopeDto, {
    description: 'Its scopes.',
    example: undefined,
    list: { maxItems: 100 },
  })
  scopes: ScopeDto[];

  static from(this: void, { name, title, scopes, scopePermissions }: ScopedModule): ScopedModuleDto {
    return {
      object: 'scoped_module',
      name,
      title,
      scopes: Object.entries(scopes).map(([scope, description]) => ({
        name: scope,
        description,
        required_permission: scopePermissions?.[scope] ?? null,
      })),
    };
  }
}

@Listing({
  sort: ['name'],
  defaultSort: 'name',
})
export class ScopesQuery extends LookupQuery {}

export class CreateApiKeyDto {
  @Field.string({
    description: 'What the key is for.',
    example: 'Nightly import',
    maxLength: 100,
  })
  name: string;

  @Field.string({
    description: 'The module whose routes the key may call.',
    example: 'notes',
    maxLength: 40,
  })
  module: string;

  @Field.oneOf(MODES, {
    description: `Data plane: ${MODE_WORDS}.`,
    example: 'test',
  })
  mode: 'live' | 'test';

  @Field.string({
    description: 'What the key may do: at least one scope of the module.',
    example: ['notes:note:read', 'notes:note:write'],
    maxLength: 100,
    list: { maxItems: 100 },
  })
  scopes: string[];

  @Field.uuid({
    description: 'Binds the key to this project.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61',
    nullable: true,
    required: false,
  })
  project_id?: string | null;

  @Field.uuid({
    description: 'An active member the key acts for in workflow actions: yourself, or a member whose permissions you hold.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a62',
    nullable: true,
    required: false,
  })
  actor_user_id?: string | null;

  @Field.string({
    description: 'IP addresses the key may be used from: IPv4 or IPv6, single or as CIDR.',
    example: ['203.0.113.0/24', '2001:db8::/32'],
    required: false,
    default: [],
    maxLength: 50,
    list: { maxItems: 100 },
  })
  allowed_ips?: string[];

  @Field.integer({
    description: 'Requests per minute instead of the default.',
    example: 120,
    nullable: true,
    required: false,
    minimum: 1,
    maximum: 1_000_000_000,
  })
  rate_limit_per_minute?: number | null;

  @Field.dateTime({
    description: 'When the key expires; must be in the future.',
    example: '2027-01-01T00:00:00Z',
    nullable: true,
    required: false,
  })
  expires_at?: string | null;

  @Field.boolean({
    description:
      'Whether the key asks before it deletes or reaches people: such a call must repeat a dry run, with its plan_token; otherwise it ' +
      'fails with confirmation_required.',
    example: true,
    required: false,
    default: false,
  })
  requires_plan?: boolean;
}

export class UpdateApiKeyDto extends partialOf(CreateApiKeyDto, { omit: ['module', 'mode', 'project_id', 'actor_user_id'] }) {
  @Field.oneOf(['active', 'inactive'], {
    description: 'inactive disables the key until the status is set to active again.',
    example: 'inactive',
    required: false,
  })
  status?: 'active' | 'inactive';
}

/** An API key. Its secret is returned once, when it is created or rolled. */
export class ApiKeyDto extends bothOf(
  ResourceDto,
  shownOf(CreateApiKeyDto, {
    name: true,
    module: 'The module whose routes the key may call; `mcp` for a connection, which can span modules.',
    mode: true,
    scopes: true,
    project_id: 'The only project the key can access; null for all projects of the organization.',
    actor_user_id: 'The member the key acts for in workflow actions; null for none.',
    allowed_ips: 'IP addresses the key may be used from, as CIDR; empty allows all.',
    rate_limit_per_minute: 'Requests per minute of this key; null for the default.',
    expires_at: 'When the key expires, UTC; null if never.',
    requires_plan: true,
  }),
) {
  @Field.constant('api_key')
  object: string;

  @Field.oneOf(['active', 'inactive'], {
    description:
      'Status of the member the key acts for; null for none. While it is inactive, the key does nothing that requires a member or a ' +
      'permission, although its own status may be active.',
    example: null,
    nullable: true,
  })
  actor_status: string | null;

  @Field.dateTime({
    description: 'When the key was last used, accepted or rejected, UTC; about one second behind.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  last_used_at: string | null;

  @Field.oneOf(KEY_STATUSES, {
    description:
      'Calls with an inactive key get 403, with a revoked or expired one 401. Revoked is final. A connection is also inactive while its ' +
      'member is not active, and it is revoked when it has not been used for 30 days.',
    example: 'active',
  })
  status: string;

  @Field.oneOf(['console', 'oauth', 'cli'], {
    description: 'How the key was created: in the developer area, by an authorized MCP client, or by an operator.',
    example: 'console',
  })
  origin: string;

  @Field.object(() => OAuthClientDto, {
    description: 'The app of a connection (origin oauth); null for other keys.',
    example: null,
    nullable: true,
  })
  oauth_client: OAuthClientView | null;

  @Field.string({
    description: 'Start of the secret; empty for a connection.',
    example: 'svc_test_',
    minLength: 0,
  })
  prefix: string;

  @Field.string({
    description: 'End of the secret, to distinguish keys; empty for a connection.',
    example: 'x4Qz',
    minLength: 0,
  })
  last_four: string;

  @Field.uuid({
    description: 'The member who created the key; null for an operator.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a62',
    nullable: true,
  })
  created_by: string | null;

  @Field.dateTime({
    description: 'When the key was revoked, UTC.',
    example: null,
    nullable: true,
  })
  revoked_at: string | null;

  static from(this: void, key: ApiKey): ApiKeyDto {
    const suspended = key.origin === 'oauth' && key.actor_status !== 'active';
    const expired = key.status !== 'revoked' && key.expires_at !== null && key.expires_at.getTime() <= Date.now();
    return {
      ...responseOf(ApiKeyDto, key),
      actor_user_id: key.actor_member_id,
      actor_status: key.actor_member_id === null ? null : key.actor_status,
      status: expired ? 'expired' : suspended && key.status === 'active' ? 'inactive' : key.status,
    };
  }
}

/** A key with its secret, which no other response contains. */
export class ApiKeyWithSecretDto extends ApiKeyDto {
  @Field.string({
    description: 'The secret. It is not stored, so save it now. Null when the response is replayed for a repeated Idempotency-Key.',
    example: 'svc_test_zyxwvutsrqponmlkjihgfedcbaZYXWVU2xQMBn',
    nullable: true,
  })
  secret: string | null;
}

export class RollApiKeyDto {
  @Field.integer({
    description: 'Hours for which the old secret remains valid.',
    example: 24,
    required: false,
    default: 0,
    minimum: 0,
    maximum: 24,
  })
  overlap_hours?: number;
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class ApiKeysQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only the keys with these ids.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  id?: string[];

  @Filter.string({
    description: 'Only keys of this module.',
    example: 'notes',
  })
  module?: string[];

  @Filter.oneOf(MODES, {
    description: 'Only keys of this mode.',
    example: 'live',
  })
  mode?: string[];

  @Filter.uuid({
    description: 'Only keys bound to this project; none for keys of the whole organization.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61',
    orNone: true,
  })
  project_id?: string[];

  @Filter.custom({
    kind: 'enum',
    values: KEY_STATUSES,
    description: 'Only keys of this status.',
    example: 'active',
    list: { maxItems: 4 },
  })
  status?: string[];

  @Filter.before('date_time', {
    description: 'Only keys that expire before this time; keys that never expire are left out.',
    example: '2027-01-01T00:00:00Z',
    column: 'expires_at',
  })
  expires_before?: string;

  @Filter.oneOf(['console', 'oauth', 'cli'], {
    description: 'Only keys created in this way.',
    example: 'console',
  })
  origin?: string[];
}
