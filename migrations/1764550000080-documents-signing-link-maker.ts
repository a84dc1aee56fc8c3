import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who made the link for a frame, and with whose link a party signed. Links and signatures from before do not say. */
export class DocumentsSigningLinkMaker1764550000080 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE signing_links ADD COLUMN made_by jsonb`);
    await queryRunner.query(`ALTER TABLE signature_parties ADD COLUMN link_made_by jsonb`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE signature_parties DROP COLUMN link_made_by`);
    await queryRunner.query(`ALTER TABLE signing_links DROP COLUMN made_by`);
  }
}
