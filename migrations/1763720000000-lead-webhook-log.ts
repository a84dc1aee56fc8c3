import type { MigrationInterface, QueryRunner } from 'typeorm';

/** No foreign keys: the log outlives the rows it refers to, and a look-up per row would cost more than the row. */
export class LeadWebhookLog1763720000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE lead_webhook_logs (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid,
        mode text NOT NULL CONSTRAINT lead_webhook_logs_mode_check CHECK (mode IN ('live', 'test')),
        api_key_id uuid NOT NULL,
        request_id text NOT NULL,
        address text NOT NULL,
        user_agent text,
        status smallint NOT NULL,
        code text,
        result text NOT NULL CONSTRAINT lead_webhook_logs_result_check
          CHECK (result IN ('created', 'matched', 'updated', 'replayed', 'refused', 'failed')),
        lead_id uuid,
        candidate_ids uuid[] NOT NULL DEFAULT '{}',
        duration_ms real NOT NULL,
        body text,
        body_bytes integer,
        body_masked boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`CREATE INDEX lead_webhook_logs_created_at_idx ON lead_webhook_logs (organization_id, created_at, id)`);
    await queryRunner.query(
      `CREATE INDEX lead_webhook_logs_api_key_id_idx ON lead_webhook_logs (organization_id, api_key_id, created_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX lead_webhook_logs_lead_id_idx
        ON lead_webhook_logs (organization_id, lead_id, created_at, id) WHERE lead_id IS NOT NULL`,
    );
    // the purge selects unmasked rows, about a quarter of the table
    await queryRunner.query(`CREATE INDEX lead_webhook_logs_unmasked_idx ON lead_webhook_logs (id) WHERE NOT body_masked`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE lead_webhook_logs`);
  }
}
