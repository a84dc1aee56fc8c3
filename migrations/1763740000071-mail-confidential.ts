import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Confidential mails, whose content only the recipient may read. */
export class MailConfidential1763740000071 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails ADD COLUMN confidential boolean NOT NULL DEFAULT false`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails DROP COLUMN confidential`);
  }
}
