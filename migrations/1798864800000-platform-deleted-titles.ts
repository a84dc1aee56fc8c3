import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records whose title was left out, because some may not see them, have one: the list leaves out such records as a whole. */
export class PlatformDeletedTitles1798864800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      UPDATE deleted_records r SET title = d.rows->0->>'title' FROM deleted_rows d
      WHERE r.title IS NULL AND d.deleted_record_id = r.id AND d.place = 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE deleted_records SET title = NULL WHERE module = 'schedule'`);
  }
}
