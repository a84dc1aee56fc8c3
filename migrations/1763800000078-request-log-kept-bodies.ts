import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bodies of requests, masked and encrypted; organizations choose whether and which are kept. */
export class RequestLogKeptBodies1763800000078 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE organizations
        ADD COLUMN kept_bodies text NOT NULL DEFAULT 'errors'
          CONSTRAINT organizations_kept_bodies_check CHECK (kept_bodies IN ('none', 'test', 'errors'))`);
    await queryRunner.query(`
      CREATE TABLE request_bodies (
        request_id text PRIMARY KEY,
        organization_id uuid NOT NULL,
        content bytea NOT NULL,
        created_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`CREATE INDEX request_bodies_created_at_idx ON request_bodies (created_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE request_bodies`);
    await queryRunner.query(`ALTER TABLE organizations DROP CONSTRAINT organizations_kept_bodies_check, DROP COLUMN kept_bodies`);
  }
}
