import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeysTables1763690000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE api_keys (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL CONSTRAINT api_keys_organization_fkey REFERENCES organizations (id),
        name text NOT NULL,
        module text NOT NULL,
        mode text NOT NULL CONSTRAINT api_keys_mode_check CHECK (mode IN ('live', 'test')),
        scopes text[] NOT NULL CONSTRAINT api_keys_scopes_check CHECK (cardinality(scopes) > 0),
        project_id uuid,
        actor_member_id uuid,
        allowed_ips text[] NOT NULL DEFAULT '{}',
        rate_limit_per_minute integer CONSTRAINT api_keys_rate_limit_per_minute_check CHECK (rate_limit_per_minute > 0),
        expires_at timestamptz(3),
        last_used_at timestamptz(3),
        status text NOT NULL DEFAULT 'active' CONSTRAINT api_keys_status_check CHECK (status IN ('active', 'inactive', 'revoked')),
        origin text NOT NULL CONSTRAINT api_keys_origin_check CHECK (origin IN ('console', 'oauth', 'cli')),
        prefix text NOT NULL,
        last_four text NOT NULL,
        created_by uuid,
        revoked_at timestamptz(3),
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT api_keys_revoked_at_check CHECK ((status = 'revoked') = (revoked_at IS NOT NULL)),
        CONSTRAINT api_keys_project_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
        CONSTRAINT api_keys_actor_fkey FOREIGN KEY (organization_id, actor_member_id) REFERENCES members (organization_id, id),
        CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX api_keys_created_at_idx ON api_keys (organization_id, created_at, id)`);
    await queryRunner.query(`
      CREATE TABLE api_key_secrets (
        hash bytea PRIMARY KEY,
        api_key_id uuid NOT NULL CONSTRAINT api_key_secrets_api_key_fkey REFERENCES api_keys (id) ON DELETE CASCADE,
        expires_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    // the secret without an expiry is the current one
    await queryRunner.query(`CREATE UNIQUE INDEX api_key_secrets_current_idx ON api_key_secrets (api_key_id) WHERE expires_at IS NULL`);
    await queryRunner.query(`CREATE INDEX api_key_secrets_api_key_id_idx ON api_key_secrets (api_key_id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE api_key_secrets, api_keys`);
  }
}
