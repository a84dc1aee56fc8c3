import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Headers by which mail programs and servers tell conversations and automatic mails. */
export class MailHeaders1764350000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE mails ADD COLUMN message_id text, ADD COLUMN reference_ids text[], ADD COLUMN auto_submitted text`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails DROP COLUMN message_id, DROP COLUMN reference_ids, DROP COLUMN auto_submitted`);
  }
}
