import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Processes of the version before cannot read the objects of mails, pictures, logos and imports. The day begins after the last of the
 * migrations that make them possible: they may be interrupted, and only then do new processes start.
 */
export class PlatformNewObjects1798864200140 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE installation SET objects_from = now() + interval '1 day' WHERE EXISTS (SELECT FROM organizations)`);
  }

  /** The first of the series that is reverted: before any other is. Each of them looks at its own table again. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DO $$ BEGIN
        IF EXISTS (SELECT FROM objects WHERE bytes IS NULL) THEN
          RAISE EXCEPTION 'Files are in the storage: run STORAGE_TARGET=database work-suite storage migrate';
        END IF;
      END $$`);
  }
}
