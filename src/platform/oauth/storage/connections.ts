import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { DataSource } from 'typeorm';
import { Store } from '../../../kit/index.js';
import { BaseUrl } from '../../config/base-url.js';
import { mcpAddress } from '../../config/mcp-address.js';
import type { ApiKey, OAuthClientView } from '../../keys/api-key.entity.js';
import { ApiKeysService } from '../../keys/api-keys.service.js';
import { poolOf } from '../../persistence/database/pool.js';
import { systemContext } from '../../persistence/transactions/call-context.js';

/** Grants end with their key; one without an end is valid for as long from now. */
const ENDLESS_SECONDS = 10 * 365 * 24 * 60 * 60;

interface ConnectionRow {
  member_id: string;
  client_id: string;
  scopes: string[];
  created: number;
  expires: number | null;
}

/** The grants of the OAuth library: a grant is the API key that a member created by authorizing a client, and its id is the key's. */
@Injectable()
export class Connections {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: Store,
    private readonly keys: ApiKeysService,
    private readonly baseUrl: BaseUrl,
  ) {}

  /** Undefined for a revoked one, and while its member is not active. One that is switched off keeps its tokens. */
  async find(id: string): Promise<AdapterPayload | undefined> {
    const { rows } = await poolOf(this.dataSource).query<ConnectionRow>({
      text: `SELECT m.id AS member_id, k.oauth_client ->> 'id' AS client_id, k.scopes,
                    extract(epoch FROM k.created_at)::int8::float8 AS created, extract(epoch FROM k.expires_at)::int8::float8 AS expires
             FROM api_keys k JOIN members m ON m.id = k.actor_member_id AND m.status = 'active'
             WHERE k.id::text = $1 AND k.origin = 'oauth' AND k.status <> 'revoked'`,
      values: [id],
    });
    if (rows.length === 0) return undefined;
    const [{ member_id, client_id, scopes, created, expires }] = rows;
    return {
      jti: id,
      kind: 'Grant',
      accountId: member_id,
      clientId: client_id,
      resources: { [mcpAddress(this.baseUrl.value)]: scopes.join(' ') },
      iat: created,
      exp: expires ?? Math.floor(Date.now() / 1000) + ENDLESS_SECONDS,
    };
  }

  /** `cause` says what the client did: gave it up, or used a code or token again, which may be stolen. Null if the suite ends it. */
  async revoke(id: string, cause: 'revocation' | 'reuse' | null): Promise<void> {
    const { rows } = await poolOf(this.dataSource).query<Pick<ApiKey, 'organization_id'> & { oauth_client: OAuthClientView }>({
      text: `SELECT organization_id, oauth_client FROM api_keys WHERE id::text = $1 AND origin = 'oauth'`,
      values: [id],
    });
    if (rows.length === 0) return;
    const [{ organization_id, oauth_client: client }] = rows;
    const ctx = systemContext(organization_id, 'live');
    if (cause !== null) ctx.app = { id: client.id, name: client.name ?? client.redirect_host };
    await this.store.write(ctx, async (tx) => {
      if (cause === 'reuse') tx.advanced.audit({ action: 'token_reused', objectType: 'api_key', objectId: id });
      await this.keys.revoke(ctx, id);
    });
  }
}

/** The library's storage of grants. It stores none: authorizing creates the key before the library asks for the grant. */
export class GrantAdapter implements Adapter {
  constructor(private readonly connections: Connections) {}

  find(id: string): Promise<AdapterPayload | undefined> {
    return this.connections.find(id);
  }

  /** The library ends a grant when its client revokes a token, and when a code or refresh token is sent again. */
  async destroy(id: string): Promise<void> {
    const { Provider } = await import('oidc-provider');
    await this.connections.revoke(id, Provider.ctx?.oidc.route === 'token' ? 'reuse' : 'revocation');
  }

  async upsert(): Promise<never> {
    throw new Error('A grant is created as an API key.');
  }

  async consume(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
}
