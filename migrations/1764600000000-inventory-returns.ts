import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A receipt that takes an issue back names it, so that no more than was issued comes back, in quantity and in cost, whoever writes it.
 * `TRUNCATE` cannot empty the movements, either.
 */
export class InventoryReturns1764600000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE stock_movements ADD COLUMN returned_issue_id uuid`);
    await queryRunner.query(
      `CREATE INDEX stock_movements_returned_issue_id_idx ON stock_movements (returned_issue_id) WHERE returned_issue_id IS NOT NULL`,
    );
    // the lock lets returns of an item wait for each other; each statement then sees what was committed meanwhile
    await queryRunner.query(`
      CREATE FUNCTION limit_returned_stock() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        issued stock_movements;
        returned record;
      BEGIN
        PERFORM FROM stock_totals WHERE id = NEW.item_id FOR UPDATE;
        SELECT * INTO issued FROM stock_movements WHERE id = NEW.returned_issue_id AND item_id = NEW.item_id AND kind = 'issue';
        SELECT COALESCE(sum(change), 0) AS quantity, COALESCE(sum(cost_amount), 0) AS cost INTO returned
          FROM stock_movements WHERE returned_issue_id = NEW.returned_issue_id;
        IF issued.id IS NULL OR NEW.kind <> 'receipt' OR returned.quantity + NEW.change > -issued.change
            OR returned.cost + NEW.cost_amount > -issued.cost_amount THEN
          RAISE EXCEPTION 'movement % is no issue of which so much can be taken back', NEW.returned_issue_id
            USING ERRCODE = '23514', TABLE = 'stock_movements', CONSTRAINT = 'stock_movements_returned_issue_id_check',
              DETAIL = 'No more can be taken back of an issue than was issued.';
        END IF;
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER stock_movements_limit_returns BEFORE INSERT ON stock_movements
      FOR EACH ROW WHEN (NEW.returned_issue_id IS NOT NULL) EXECUTE FUNCTION limit_returned_stock()`);
    await queryRunner.query(`
      CREATE TRIGGER stock_movements_keep_all BEFORE TRUNCATE ON stock_movements
      FOR EACH STATEMENT EXECUTE FUNCTION keep_stock_movements()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER stock_movements_keep_all ON stock_movements`);
    await queryRunner.query(`DROP TRIGGER stock_movements_limit_returns ON stock_movements`);
    await queryRunner.query(`DROP FUNCTION limit_returned_stock`);
    await queryRunner.query(`DROP INDEX stock_movements_returned_issue_id_idx`);
    await queryRunner.query(`ALTER TABLE stock_movements DROP COLUMN returned_issue_id`);
  }
}
