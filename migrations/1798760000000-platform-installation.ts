import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is known of the installation as a whole: one row, which the first start writes. */
export class PlatformInstallation1798760000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE installation (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        encryption_check text
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE installation');
  }
}
