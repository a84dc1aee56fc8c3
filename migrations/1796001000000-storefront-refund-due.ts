import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What of each part of an order is due back, and what was returned. Until now only the order knew what was returned; it is divided among
 * the parts that were refunded: first what was refunded beyond cancellations, then the rest in the order of the lines. What is due back
 * is divided among what was cancelled and not refunded.
 */
export class StorefrontRefundDue1796001000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE storefront_order_lines ADD returned_quantity integer NOT NULL DEFAULT 0,
        ADD refund_due_quantity integer NOT NULL DEFAULT 0, ADD returned_amount bigint NOT NULL DEFAULT 0,
        ADD refund_due_amount bigint NOT NULL DEFAULT 0`);
    await queryRunner.query(`
      ALTER TABLE storefront_orders ADD shipping_returned_amount bigint NOT NULL DEFAULT 0,
        ADD shipping_refund_due_amount bigint NOT NULL DEFAULT 0`);
    await queryRunner.query(PARTS);
    await queryRunner.query('CREATE INDEX ON storefront_parts (order_id, position)');
    await divide(queryRunner, 'returned', 'refunded - returned', 'total - cancelled - returned');
    await divide(queryRunner, 'due', 'cancelled - (refunded - returned)', 'cancelled');
    await queryRunner.query(`
      UPDATE storefront_order_lines l SET returned_amount = p.returned, refund_due_amount = p.due,
        returned_quantity = least(l.fulfilled_quantity, l.refunded_quantity, greatest(0, l.refunded_quantity - l.cancelled_quantity)),
        refund_due_quantity = CASE WHEN p.due = 0 THEN 0 ELSE greatest(1, l.cancelled_quantity - l.refunded_quantity) END
      FROM storefront_parts p WHERE p.line_id = l.id AND (p.returned, p.due, l.refunded_quantity) <> (0, 0, 0)`);
    await queryRunner.query(`
      UPDATE storefront_orders o SET shipping_returned_amount = p.returned, shipping_refund_due_amount = p.due
      FROM storefront_parts p WHERE p.order_id = o.id AND p.line_id IS NULL AND (p.returned, p.due) <> (0, 0)`);
    await queryRunner.query('DROP TABLE storefront_parts');
    await queryRunner.query(`
      ALTER TABLE storefront_order_lines
        ADD CONSTRAINT storefront_order_lines_returned_quantity_check
          CHECK (returned_quantity BETWEEN 0 AND least(fulfilled_quantity, refunded_quantity)),
        ADD CONSTRAINT storefront_order_lines_returned_amount_check
          CHECK (returned_amount BETWEEN 0 AND least(total_amount - cancelled_amount, refunded_amount)),
        ADD CONSTRAINT storefront_order_lines_refund_due_amount_check
          CHECK (refund_due_quantity BETWEEN 0 AND cancelled_quantity AND refund_due_amount BETWEEN 0 AND cancelled_amount)`);
    await queryRunner.query(`
      ALTER TABLE storefront_orders ADD CONSTRAINT storefront_orders_shipping_returned_amount_check
        CHECK (shipping_returned_amount BETWEEN 0 AND least(shipping_total_amount - shipping_cancelled_amount, shipping_refunded_amount)
          AND shipping_refund_due_amount BETWEEN 0 AND shipping_cancelled_amount)`);
    await setStates(
      queryRunner,
      `WHEN NEW.paid_amount = 0 THEN CASE
          WHEN NEW.state <> 'draft' AND (NEW.total_amount = 0 OR NEW.state <> 'cancelled' AND ${KEPT} = 0) THEN 'paid' ELSE 'unpaid' END
        WHEN NEW.refunded_amount = NEW.paid_amount THEN 'refunded'
        WHEN NEW.paid_amount - NEW.refunded_amount >= NEW.total_amount THEN 'paid'
        WHEN NEW.paid_amount - NEW.refunded_amount < ${KEPT} THEN 'partially_paid'
        WHEN NEW.refunded_amount > 0 THEN 'partially_refunded'
        ELSE 'paid' END`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await setStates(
      queryRunner,
      `WHEN NEW.paid_amount = 0 THEN CASE WHEN NEW.state <> 'draft' AND NEW.total_amount = 0 THEN 'paid' ELSE 'unpaid' END
        WHEN NEW.refunded_amount = NEW.paid_amount THEN 'refunded'
        WHEN NEW.paid_amount - NEW.refunded_amount >= NEW.total_amount THEN 'paid'
        WHEN NEW.refunded_amount > 0 THEN 'partially_refunded'
        WHEN NEW.paid_amount >= NEW.total_amount - NEW.cancelled_amount THEN 'paid'
        ELSE 'partially_paid' END`,
    );
    await queryRunner.query('ALTER TABLE storefront_orders DROP shipping_returned_amount, DROP shipping_refund_due_amount');
    await queryRunner.query(`
      ALTER TABLE storefront_order_lines DROP returned_quantity, DROP refund_due_quantity, DROP returned_amount, DROP refund_due_amount`);
  }
}

const KEPT = 'NEW.total_amount - NEW.cancelled_amount - NEW.returned_amount';

/** The lines, then shipping, of each order of which something was cancelled or refunded. */
const PARTS = `
  CREATE TEMPORARY TABLE storefront_parts AS
  SELECT p.*, greatest(0, refunded - cancelled) AS returned, 0::bigint AS due, o.returned_amount AS all_returned,
    greatest(0, o.paid_amount - o.refunded_amount - (o.total_amount - o.cancelled_amount - o.returned_amount)) AS all_due
  FROM (SELECT order_id, position, id AS line_id, total_amount AS total, cancelled_amount AS cancelled, refunded_amount AS refunded
      FROM storefront_order_lines
    UNION ALL SELECT id, 1000000, NULL, shipping_total_amount, shipping_cancelled_amount, shipping_refunded_amount FROM storefront_orders) p
  JOIN storefront_orders o ON o.id = p.order_id
  WHERE o.cancelled_amount > 0 OR o.refunded_amount > 0`;

/** Divides what of a sum of the order its parts do not have yet, in their order, up to what each can take. */
async function divide(queryRunner: QueryRunner, column: 'returned' | 'due', ...limits: string[]): Promise<void> {
  await queryRunner.query(`
    UPDATE storefront_parts p SET ${column} = p.${column} + greatest(0, least(s.room, s.whole - (s.taken - s.room))) FROM (
      SELECT order_id, position, room, sum(room) OVER (PARTITION BY order_id ORDER BY position) AS taken,
        greatest(0, all_${column} - sum(${column}) OVER (PARTITION BY order_id)) AS whole
      FROM (SELECT *, greatest(0, least(${limits.join(', ')})) AS room FROM storefront_parts) parts) s
    WHERE s.order_id = p.order_id AND s.position = p.position`);
}

async function setStates(queryRunner: QueryRunner, cases: string): Promise<void> {
  await queryRunner.query(`
    CREATE OR REPLACE FUNCTION set_storefront_order_states() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.payment_state := CASE
        ${cases};
      NEW.fulfillment_state := CASE
        WHEN NEW.fulfilled_quantity = 0 THEN 'unfulfilled'
        WHEN NEW.fulfilled_quantity + NEW.cancelled_quantity = NEW.ordered_quantity THEN 'fulfilled'
        ELSE 'partially_fulfilled' END;
      IF TG_OP = 'INSERT' OR (NEW.number, NEW.email, NEW.name, NEW.note, NEW.external_id)
          IS DISTINCT FROM (OLD.number, OLD.email, OLD.name, OLD.note, OLD.external_id) THEN
        NEW.search := storefront_search(NEW.number, NEW.email, NEW.name, NEW.external_id, NEW.note);
      END IF;
      RETURN NEW;
    END $$`);
}
