import type { MigrationInterface, QueryRunner } from 'typeorm';

export class InventoryCustomFields1798830000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE inventory_items ADD COLUMN custom_fields jsonb NOT NULL DEFAULT '{}'
        CONSTRAINT inventory_items_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE inventory_items DROP COLUMN custom_fields');
  }
}
