import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The only member who may read a mail in the outbox. */
export class MailOnlyReader1763800002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails ADD COLUMN only_reader_id uuid`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails DROP COLUMN only_reader_id`);
  }
}
