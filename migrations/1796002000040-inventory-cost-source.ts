import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Movements say where the cost of stock that entered comes from; earlier ones do not. */
export class InventoryCostSource1796002000040 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE stock_movements ADD COLUMN cost_source text
        CONSTRAINT stock_movements_cost_source_check CHECK (cost_source IN ('sent', 'issue', 'stock', 'none'))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE stock_movements DROP COLUMN cost_source');
  }
}
