import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The address that answers to a mail go to. */
export class MailReplyTo1763780000200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails ADD COLUMN reply_to text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails DROP COLUMN reply_to`);
  }
}
