import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Orders that are placed as they are created are checked at the commit, when their lines are there. */
export class StorefrontCheckNewOrders1764100000100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER storefront_orders_check_sums_of_new AFTER INSERT ON storefront_orders DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.state <> 'draft') EXECUTE FUNCTION check_storefront_order_sums()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER storefront_orders_check_sums_of_new ON storefront_orders');
  }
}
