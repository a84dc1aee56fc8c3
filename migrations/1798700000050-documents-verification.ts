import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Anyone who has a file can ask whether it is one of the suite. */
export class DocumentsVerification1798700000050 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX document_renditions_sha256_idx ON document_renditions (sha256)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX document_renditions_sha256_idx`);
  }
}
