import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the file of an import was read: its encoding, its delimiter and the locale of its values. */
export class LeadWebhookReadingOfFiles1796000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE lead_imports ADD COLUMN encoding text NOT NULL DEFAULT 'utf-8', ADD COLUMN locale text,
        ADD COLUMN delimiter text CONSTRAINT lead_imports_delimiter_check CHECK (delimiter IN ('comma', 'semicolon', 'tab'))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE lead_imports DROP COLUMN encoding, DROP COLUMN locale, DROP COLUMN delimiter`);
  }
}
