import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys of stored hashes, encrypted, so that they stay the same when ENCRYPTION_KEY or CURSOR_SECRET is replaced. */
export class PlatformInstallationKeys1798853000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE installation_keys (
        purpose text PRIMARY KEY,
        version integer NOT NULL,
        sealed bytea NOT NULL
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE installation_keys');
  }
}
