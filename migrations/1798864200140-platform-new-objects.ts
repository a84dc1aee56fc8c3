import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Processes of the version before cannot read the objects of mails, pictures, logos and imports. The day begins after the last of the
 * migrations that make them possible: they may be interrupted, and only then do new processes start.
 */
export class PlatformNewObjects1798864200140 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE installation SET objects_from = now() + interval '1 day' WHERE EXISTS (SELECT FROM organizations)`);
  }

  async down(): Promise<void> {
    // earlier versions write objects only into tables that had them before
  }
}
