import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How each party was authenticated when it signed. Signatures from before do not say. */
export class DocumentsSignatureAuthentication1764550000060 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE signature_parties ADD COLUMN authentication text
        CONSTRAINT signature_parties_authentication_check
        CHECK (authentication IN ('mailed_link', 'mailed_link_and_code', 'embedded_link', 'embedded_link_and_code'))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE signature_parties DROP COLUMN authentication`);
  }
}
