import { hash } from 'node:crypto';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Pool } from 'pg';
import type { Connections } from './connections.js';

/**
 * Two refreshes with the same token within this time are two requests of one client that raced or lost a response, which are known to be
 * over a minute apart. Later ones are a stolen token.
 */
const REFRESH_GRACE_SECONDS = 120;
/** A client that registered itself is kept as long after its last token; longer than a refresh token is valid. */
const USED_CLIENT_DAYS = 60;

/** Codes, tokens and authorization requests in PostgreSQL, as the library's storage of one model. */
export class RecordAdapter implements Adapter {
  constructor(
    private readonly model: string,
    private readonly pool: Pool,
    private readonly connections: Connections,
  ) {}

  async upsert(id: string, { jti: _, ...payload }: AdapterPayload, expiresIn: number): Promise<void> {
    await this.pool.query({
      text: `INSERT INTO oauth_records (model, id, api_key_id, payload, expires_at)
             VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))
             ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`,
      values: [this.model, hashed(id), payload.grantId ?? null, payload, expiresIn],
    });
    if (this.model === 'RefreshToken')
      await this.pool.query(
        `UPDATE oauth_clients SET expires_at = now() + make_interval(days => $2)
         WHERE id = $1 AND expires_at < now() + make_interval(days => $2 - 1)`,
        [payload.clientId, USED_CLIENT_DAYS],
      );
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { rows } = await this.pool.query<{ payload: AdapterPayload; used_seconds: number | null }>({
      text: `SELECT payload, extract(epoch FROM now() - consumed_at)::float8 AS used_seconds
             FROM oauth_records WHERE model = $1 AND id = $2 AND expires_at > now()`,
      values: [this.model, hashed(id)],
    });
    if (rows.length === 0) return undefined;
    const [{ payload, used_seconds }] = rows;
    const consumed = used_seconds !== null && (this.model !== 'RefreshToken' || used_seconds > REFRESH_GRACE_SECONDS);
    return { ...payload, jti: id, ...(consumed ? { consumed: true } : {}) };
  }

  /** Of two requests with the same code at once, the second revokes the connection like any later one. */
  async consume(id: string): Promise<void> {
    const { rowCount } = await this.pool.query(
      `UPDATE oauth_records SET consumed_at = now() WHERE model = $1 AND id = $2 AND consumed_at IS NULL`,
      [this.model, hashed(id)],
    );
    if (rowCount === 0 && this.model === 'AuthorizationCode') {
      const used = await this.find(id);
      if (used?.grantId) await this.connections.revoke(used.grantId, 'reuse');
      const { errors } = await import('oidc-provider');
      throw new errors.InvalidGrant('authorization code already consumed');
    }
  }

  async destroy(id: string): Promise<void> {
    await this.pool.query(`DELETE FROM oauth_records WHERE model = $1 AND id = $2`, [this.model, hashed(id)]);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.pool.query(`DELETE FROM oauth_records WHERE model = $1 AND api_key_id = $2`, [this.model, grantId]);
  }

  async findByUid(): Promise<undefined> {
    return undefined;
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }
}

/** Unsalted and fast on purpose: codes and tokens have 256 random bits, ids of authorization requests 126. */
export function hashed(id: string): Buffer {
  return hash('sha256', id, 'buffer');
}
