import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Apart from the migration that fills the column in: the lock of ALTER TABLE excludes readers until the end of its transaction. */
export class DocumentsRepeatedNumbers1763759999000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE documents ADD COLUMN number_repeated boolean NOT NULL DEFAULT false`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE documents DROP COLUMN number_repeated`);
  }
}
