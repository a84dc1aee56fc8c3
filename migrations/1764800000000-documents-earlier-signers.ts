import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * To whom a replaced link was mailed, so that everyone who was asked can be told what became of the document, and whom the signer
 * of a party replaced. Rows from before do not say.
 */
export class DocumentsEarlierSigners1764800000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE signing_links ADD COLUMN owner_name text, ADD COLUMN owner_email text`);
    await queryRunner.query(`ALTER TABLE signature_parties ADD COLUMN earlier_signers jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE signature_parties DROP COLUMN earlier_signers`);
    await queryRunner.query(`ALTER TABLE signing_links DROP COLUMN owner_email, DROP COLUMN owner_name`);
  }
}
