import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TasksCustomFields1798830000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE tasks ADD COLUMN custom_fields jsonb NOT NULL DEFAULT '{}'
        CONSTRAINT tasks_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE tasks DROP COLUMN custom_fields');
  }
}
