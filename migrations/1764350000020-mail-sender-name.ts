import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The name of a mail's sender, such as that of a mailbox. */
export class MailSenderName1764350000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails ADD COLUMN sender_name text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails DROP COLUMN sender_name`);
  }
}
