import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Pool } from 'pg';
import type { SecretBox } from '../../config/secret-box.js';

/** Time from registration to the first token. Some clients register again at each attempt. */
const UNUSED_HOURS = 24;

/** The library's storage of clients: those of the configuration, and those that registered themselves. */
export class ClientAdapter implements Adapter {
  constructor(
    private readonly pool: Pool,
    private readonly box: SecretBox,
    private readonly configured: ReadonlyMap<string, AdapterPayload>,
  ) {}

  async upsert(id: string, { client_secret, ...metadata }: AdapterPayload): Promise<void> {
    const secret = client_secret === undefined ? null : this.box.seal(client_secret, ownerOf(id));
    await this.pool.query(
      `INSERT INTO oauth_clients (id, metadata, secret, expires_at) VALUES ($1, $2, $3, now() + make_interval(hours => $4))`,
      [id, metadata, secret, UNUSED_HOURS],
    );
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const configured = this.configured.get(id);
    if (configured) return configured;
    const { rows } = await this.pool.query<{ metadata: AdapterPayload; secret: Buffer | null }>({
      text: `SELECT metadata, secret FROM oauth_clients WHERE id = $1 AND expires_at > now()`,
      values: [id],
    });
    if (rows.length === 0) return undefined;
    const [{ metadata, secret }] = rows;
    return secret === null ? metadata : { ...metadata, client_secret: this.box.open(secret, ownerOf(id)) };
  }

  async destroy(id: string): Promise<void> {
    await this.pool.query(`DELETE FROM oauth_clients WHERE id = $1`, [id]);
  }

  async consume(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
}

function ownerOf(id: string): string {
  return `oauth-client:${id}`;
}
