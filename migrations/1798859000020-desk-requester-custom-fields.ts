import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DeskRequesterCustomFields1798859000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE desk_requesters ADD COLUMN custom_fields jsonb NOT NULL DEFAULT '{}'
        CONSTRAINT desk_requesters_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object')`);
    for (const column of ['created_at', 'updated_at'])
      await queryRunner.query(
        `CREATE INDEX desk_requesters_${column}_idx ON desk_requesters (organization_id, mode, ${column}, id, project_id)`,
      );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX desk_requesters_created_at_idx, desk_requesters_updated_at_idx');
    await queryRunner.query('ALTER TABLE desk_requesters DROP COLUMN custom_fields');
  }
}
