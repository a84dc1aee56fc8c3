import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notes on deals. */
export class CrmDealNotes1763780000510 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE deal_notes (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT deal_notes_mode_check CHECK (mode IN ('live', 'test')),
        deal_id uuid NOT NULL,
        body text NOT NULL CONSTRAINT deal_notes_body_check CHECK (length(body) BETWEEN 1 AND 10000),
        author jsonb NOT NULL,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT deal_notes_deal_id_fkey FOREIGN KEY (organization_id, project_id, mode, deal_id)
          REFERENCES deals (organization_id, project_id, mode, id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX deal_notes_created_at_idx ON deal_notes (deal_id, created_at, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE deal_notes`);
  }
}
