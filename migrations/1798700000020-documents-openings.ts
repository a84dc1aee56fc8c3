import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When parties last opened a document before they signed, and with which address and browser they first did. */
export class DocumentsOpenings1798700000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE signature_parties
        ADD COLUMN last_viewed_at timestamptz(3),
        ADD COLUMN viewed_address text,
        ADD COLUMN viewed_user_agent text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE signature_parties DROP COLUMN last_viewed_at, DROP COLUMN viewed_address, DROP COLUMN viewed_user_agent`);
  }
}
