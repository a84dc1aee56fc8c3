import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells which queued mails the mail server did not take from us, so that its state is known to every process. */
export class MailDenials1797300000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails ADD COLUMN denied_fault text, ADD COLUMN denied_since timestamptz(3)`);
    await queryRunner.query(`
      CREATE INDEX mails_denied_idx ON mails (denied_since) WHERE status = 'queued' AND denied_since IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails DROP COLUMN denied_fault, DROP COLUMN denied_since`);
  }
}
