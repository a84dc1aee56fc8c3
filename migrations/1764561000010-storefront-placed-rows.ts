import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIXED = `number, channel_id, currency, prices_include_tax, discount_id, discount_code, shipping_method_id, shipping_tax_code,
    shipping_tax_rate, subtotal_amount, discount_amount, shipping_amount, tax_amount, total_amount, shipping_tax_amount,
    shipping_total_amount, ordered_quantity, placed_at`;

/** What is said of a placed order that the triggers did not keep: its taxes, the name of its shipping, and whole tables. */
export class StorefrontPlacedRows1764561000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await keepValues(queryRunner, `${FIXED}, taxes, shipping_name`);
    for (const [table, keep] of KEPT)
      await queryRunner.query(`CREATE TRIGGER ${table}_keep_all BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION ${keep}()`);
    await queryRunner.query(`
      CREATE FUNCTION check_storefront_order_money() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        stored record;
      BEGIN
        SELECT paid_amount, refunded_amount INTO stored FROM storefront_orders WHERE id = NEW.id;
        IF (stored.paid_amount, stored.refunded_amount) IS DISTINCT FROM
           ((SELECT coalesce(sum(amount), 0)::bigint FROM storefront_payments WHERE order_id = NEW.id AND status = 'succeeded'),
            (SELECT coalesce(sum(amount), 0)::bigint FROM storefront_refunds WHERE order_id = NEW.id AND status = 'succeeded')) THEN
          RAISE EXCEPTION 'the payments and refunds of order % do not add up to its totals', NEW.id;
        END IF;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER storefront_orders_check_money
      AFTER UPDATE OF paid_amount, refunded_amount ON storefront_orders DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN ((OLD.paid_amount, OLD.refunded_amount) IS DISTINCT FROM (NEW.paid_amount, NEW.refunded_amount))
      EXECUTE FUNCTION check_storefront_order_money()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER storefront_orders_check_money ON storefront_orders');
    await queryRunner.query('DROP FUNCTION check_storefront_order_money');
    for (const [table] of KEPT) await queryRunner.query(`DROP TRIGGER ${table}_keep_all ON ${table}`);
    await keepValues(queryRunner, FIXED);
  }
}

const KEPT = [
  ['storefront_payments', 'keep_storefront_money'],
  ['storefront_refunds', 'keep_storefront_money'],
  ['storefront_orders', 'keep_placed_storefront_row'],
  ['storefront_order_lines', 'keep_placed_storefront_row'],
] as const;

async function keepValues(queryRunner: QueryRunner, columns: string): Promise<void> {
  const rowOf = (row: string) => columns.replace(/\w+/g, `${row}.$&`);
  await queryRunner.query('DROP TRIGGER storefront_orders_keep_values ON storefront_orders');
  await queryRunner.query(`
    CREATE TRIGGER storefront_orders_keep_values BEFORE UPDATE ON storefront_orders
    FOR EACH ROW WHEN (OLD.state <> 'draft' AND (NEW.state = 'draft' OR (${rowOf('OLD')}) IS DISTINCT FROM (${rowOf('NEW')})))
    EXECUTE FUNCTION keep_placed_storefront_row()`);
}
