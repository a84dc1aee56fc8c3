import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether orders have a tax rate is asked while the configuration of their project is locked. */
export class StorefrontOrdersByTaxCode1797120000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX storefront_order_lines_tax_code_idx ON storefront_order_lines (project_id, tax_code)');
    await queryRunner.query(`
      CREATE INDEX storefront_orders_shipping_tax_code_idx ON storefront_orders (project_id, shipping_tax_code)
        WHERE shipping_tax_code IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX storefront_order_lines_tax_code_idx, storefront_orders_shipping_tax_code_idx');
  }
}
