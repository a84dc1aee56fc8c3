import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The language in which an intake form speaks to its visitors. */
export class DocumentsFormLanguage1764550000070 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE intake_forms ADD COLUMN language text NOT NULL DEFAULT 'en'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE intake_forms DROP COLUMN language`);
  }
}
