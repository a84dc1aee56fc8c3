import type { MigrationInterface, QueryRunner } from 'typeorm';

export class HrCustomFields1798830000070 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE hr_employees ADD COLUMN custom_fields jsonb NOT NULL DEFAULT '{}'
        CONSTRAINT hr_employees_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE hr_employees DROP COLUMN custom_fields');
  }
}
