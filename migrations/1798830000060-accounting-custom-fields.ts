import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AccountingCustomFields1798830000060 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE accounting_customers ADD COLUMN custom_fields jsonb NOT NULL DEFAULT '{}'
        CONSTRAINT accounting_customers_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE accounting_customers DROP COLUMN custom_fields');
  }
}
