import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether an item is low is part of the item: lists of low items then read an index in their order, however many items there are. */
export class InventoryLowItems1764000000030 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE inventory_items ADD COLUMN low boolean NOT NULL DEFAULT false`);
    await queryRunner.query(`UPDATE inventory_items i SET low = true FROM stock_totals s WHERE s.id = i.id AND s.low`);
    await queryRunner.query(
      `CREATE INDEX inventory_items_low_idx ON inventory_items (organization_id, mode, sku, id, project_id) WHERE low`,
    );
    await queryRunner.query(`ALTER TABLE stock_totals DROP COLUMN low`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE stock_totals ADD COLUMN low boolean NOT NULL DEFAULT false`);
    await queryRunner.query(`UPDATE stock_totals s SET low = true FROM inventory_items i WHERE s.id = i.id AND i.low`);
    await queryRunner.query(`CREATE INDEX stock_totals_low_idx ON stock_totals (organization_id, mode, id) WHERE low`);
    await queryRunner.query(`ALTER TABLE inventory_items DROP COLUMN low`);
  }
}
