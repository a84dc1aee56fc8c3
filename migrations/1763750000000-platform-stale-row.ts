import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An update that is sent without waiting for its result must fail by itself when its row is stale. The SQLSTATE is of a class
 * that PostgreSQL leaves to applications.
 */
export class PlatformStaleRow1763750000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // volatile, so that the planner does not evaluate it ahead of the CASE that guards it
    await queryRunner.query(`
      CREATE FUNCTION raise_stale_row() RETURNS void LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        RAISE EXCEPTION 'the row was changed or deleted since it was read' USING ERRCODE = 'WS001';
      END $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION raise_stale_row');
  }
}
