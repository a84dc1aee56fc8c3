import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails carry files, and show to whom else they are sent. */
export class MailFiles1796004000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE mails ADD COLUMN shown_to text, ADD COLUMN cc text[], ADD COLUMN files jsonb');
    await queryRunner.query(`
      CREATE TABLE mail_files (
        organization_id uuid NOT NULL CONSTRAINT mail_files_organization_fkey REFERENCES organizations (id),
        sha256 text NOT NULL,
        content bytea NOT NULL,
        used_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (organization_id, sha256)
      )`);
    await queryRunner.query('CREATE INDEX mail_files_used_at_idx ON mail_files (used_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE mail_files');
    await queryRunner.query('ALTER TABLE mails DROP COLUMN shown_to, DROP COLUMN cc, DROP COLUMN files');
  }
}
