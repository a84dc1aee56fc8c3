import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The permission that reading a mail's content requires. The next migration sets it for existing mails. */
export class MailPermission1763770000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails ADD COLUMN permission text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails DROP COLUMN permission`);
  }
}
