import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails that are sent one after the other. */
export class MailSequences1763800000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE SEQUENCE mails_position_sequence`);
    await queryRunner.query(`ALTER TABLE mails ADD COLUMN sequence_key text, ADD COLUMN position bigint`);
    // a default of the new column would rewrite the table
    await queryRunner.query(`ALTER TABLE mails ALTER COLUMN position SET DEFAULT nextval('mails_position_sequence')`);
    await queryRunner.query(`CREATE INDEX mails_sequence_idx ON mails (sequence_key, recipient, position) WHERE status = 'queued'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails DROP COLUMN position, DROP COLUMN sequence_key`);
    await queryRunner.query(`DROP SEQUENCE mails_position_sequence`);
  }
}
