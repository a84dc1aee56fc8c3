import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links to the executed document for its signers. */
export class DocumentsSigning1763740000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE signature_parties ADD COLUMN copy_token_hash text`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX signature_parties_copy_token_hash_key ON signature_parties (copy_token_hash) WHERE copy_token_hash IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE signature_parties DROP COLUMN copy_token_hash`);
  }
}
