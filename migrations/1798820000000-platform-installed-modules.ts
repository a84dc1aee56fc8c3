import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The modules that have run on the database, with their tables, which stay when a module is removed. */
export class PlatformInstalledModules1798820000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE installed_modules (name text PRIMARY KEY, tables text[] NOT NULL)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE installed_modules');
  }
}
