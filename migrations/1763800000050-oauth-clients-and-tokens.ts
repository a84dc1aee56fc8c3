import type { MigrationInterface, QueryRunner } from 'typeorm';

/** OAuth for MCP clients: registered clients, their codes and tokens, and the client of each connection. */
export class OauthClientsAndTokens1763800000050 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE api_keys ADD COLUMN oauth_client jsonb`);
    await queryRunner.query(
      `ALTER TABLE api_keys ADD CONSTRAINT api_keys_oauth_client_check CHECK ((origin = 'oauth') = (oauth_client IS NOT NULL))`,
    );
    await queryRunner.query(`
      CREATE TABLE oauth_clients (
        id text PRIMARY KEY,
        metadata jsonb NOT NULL,
        secret bytea,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`CREATE INDEX oauth_clients_expires_at_idx ON oauth_clients (expires_at)`);
    await queryRunner.query(`
      CREATE TABLE oauth_records (
        model text NOT NULL,
        id bytea NOT NULL,
        api_key_id uuid CONSTRAINT oauth_records_api_key_fkey REFERENCES api_keys (id) ON DELETE CASCADE,
        payload jsonb NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        consumed_at timestamptz(3),
        CONSTRAINT oauth_records_pkey PRIMARY KEY (model, id)
      )`);
    await queryRunner.query(`CREATE INDEX oauth_records_api_key_id_idx ON oauth_records (api_key_id)`);
    await queryRunner.query(`CREATE INDEX oauth_records_expires_at_idx ON oauth_records (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE oauth_records`);
    await queryRunner.query(`DROP TABLE oauth_clients`);
    await queryRunner.query(`ALTER TABLE api_keys DROP CONSTRAINT api_keys_oauth_client_check`);
    await queryRunner.query(`ALTER TABLE api_keys DROP COLUMN oauth_client`);
  }
}
