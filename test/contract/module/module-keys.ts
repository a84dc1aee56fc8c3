import type { ApiKeysService } from '../../../src/platform/keys/api-keys.service.js';
import { generateSecret } from '../../../src/platform/keys/key-secret.js';
import { Client } from '../../harness/client.js';
import type { KeyOptions } from '../../harness/people.js';
import type { Remote } from '../../harness/remote.js';
import type { TestApp } from '../../harness/test-app.js';
import type { Workspace } from '../../harness/workspace.js';

/** A key that must be rejected, and the expected error. */
export interface InvalidKey {
  what: string;
  status: number;
  code: string;
  /** Whether a route could accept it though others reject it: how a key is checked is the same for all. */
  ofRoute?: true;
  client(keys: ModuleKeys, scope: string): Client | Promise<Client>;
}

const ELSEWHERE = '203.0.113.0/24';

/** The keys that every route must reject. */
export const INVALID_KEYS: readonly InvalidKey[] = [
  { what: 'no key', status: 401, code: 'missing_api_key', ofRoute: true, client: (keys) => keys.raw() },
  { what: 'a malformed key', status: 401, code: 'invalid_api_key', client: (keys) => keys.raw('Bearer svc_live_0123') },
  { what: 'another scheme than Bearer', status: 401, code: 'invalid_api_key', client: (keys) => keys.raw('Basic c3ZjOmxpdmU=') },
  {
    what: 'a well-formed key that was never issued',
    status: 401,
    code: 'invalid_api_key',
    client: (keys) => keys.raw(`Bearer ${generateSecret('live')}`),
  },
  { what: 'a revoked key', status: 401, code: 'api_key_revoked', client: (keys) => keys.once('revoked', () => keys.revoked()) },
  { what: 'an expired key', status: 401, code: 'api_key_expired', client: (keys) => keys.once('expired', () => keys.expired()) },
  { what: 'an inactive key', status: 403, code: 'api_key_inactive', client: (keys) => keys.once('inactive', () => keys.inactive()) },
  {
    what: 'an address outside the allowlist',
    status: 403,
    code: 'ip_not_allowed',
    client: (keys) => keys.once('elsewhere', () => keys.issue({ allowed_ips: [ELSEWHERE] })),
  },
  { what: 'all scopes but its own', status: 403, code: 'insufficient_scope', ofRoute: true, client: (keys, scope) => keys.without(scope) },
];

/** The keys for one module in one organization, each created when it is first needed. */
export class ModuleKeys {
  private readonly clients = new Map<string, Promise<Client>>();

  constructor(
    private readonly app: TestApp,
    private readonly workspace: Workspace,
    private readonly module: string,
    private readonly scopes: readonly string[],
  ) {}

  /** Organization-wide, live, all scopes, bound to the owner. */
  good(): Promise<Client> {
    return this.once('good', () => this.issue({}));
  }

  /** The same, but pinned to ENG. */
  pinned(): Promise<Client> {
    return this.once('pinned', () => this.issue({ project_id: this.workspace.eng.id }));
  }

  /** The same, but pinned to OPS, which is not the default project. */
  pinnedElsewhere(): Promise<Client> {
    return this.once('pinned elsewhere', () => this.issue({ project_id: this.workspace.ops.id }));
  }

  /** The same as `good`, but it asks before it deletes or reaches people. */
  asking(): Promise<Client> {
    return this.once('asking', () => this.issue({ requires_plan: true }));
  }

  /** The same as `good`, but not bound to a member. */
  unbound(): Promise<Client> {
    return this.once('unbound', () => this.issue({ actor_user_id: undefined }));
  }

  limited(perMinute: number): Promise<Client> {
    return this.issue({ rate_limit_per_minute: perMinute });
  }

  without(scope: string): Promise<Client> {
    const scopes = this.scopes.filter((other) => other !== scope);
    if (scopes.length > 0) return this.once(`without ${scope}`, () => this.issue({ scopes }));
    // a key without scopes cannot be created, but a scope can be removed from the product
    return this.once('without any', () => this.changed(`UPDATE api_keys SET scopes = '{taken:out:read}' WHERE id = $1`));
  }

  raw(authorization?: string): Client {
    return new Client(this.app.url, authorization === undefined ? {} : { authorization });
  }

  async revoked(): Promise<Client> {
    const { id, client } = await this.workspace.key({ module: this.module });
    await this.service.revoke(this.workspace.ctx(), id);
    return client;
  }

  /** A key cannot be created expired, so its expiry is changed in the database. */
  expired(): Promise<Client> {
    return this.changed(`UPDATE api_keys SET expires_at = now() - interval '1 minute' WHERE id = $1`);
  }

  async inactive(): Promise<Client> {
    const { id, client } = await this.workspace.key({ module: this.module });
    await this.service.update(this.workspace.ctx(), id, { status: 'inactive' });
    return client;
  }

  async issue(options: KeyOptions): Promise<Client> {
    return (
      await this.workspace.key({ module: this.module, actor_user_id: this.workspace.owner.id, rate_limit_per_minute: 100_000, ...options })
    ).client;
  }

  once(name: string, make: () => Promise<Client>): Promise<Client> {
    let client = this.clients.get(name);
    if (!client) this.clients.set(name, (client = make()));
    return client;
  }

  /** A key changed in the database, before its first use caches it. */
  private async changed(sql: string): Promise<Client> {
    const { id, client } = await this.workspace.key({ module: this.module });
    await this.app.sql.query(sql, [id]);
    return client;
  }

  private get service(): Remote<ApiKeysService> {
    return this.app.service('ApiKeysService');
  }
}
