import type { MigrationInterface, QueryRunner } from 'typeorm';

const CLOSED = `'What was posted in a closed month never changes; reopen the month.'`;

/**
 * Closed months, their balances, and what settles an invoice cannot be changed by SQL alone. The months are closed after their balances
 * are written, and reopened before these are deleted.
 */
export class AccountingClosedMonths1764600000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await keepPeriods(queryRunner);
    await keepBalances(queryRunner);
    await checkSettled(queryRunner);
    await queryRunner.query(`
      ALTER TABLE accounting_invoices ADD CONSTRAINT accounting_invoices_void_check CHECK (status <> 'void' OR settled_amount = 0)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE accounting_invoices DROP CONSTRAINT accounting_invoices_void_check');
    for (const table of ['accounting_allocations', 'accounting_invoices', 'accounting_payments'])
      await queryRunner.query(`DROP TRIGGER check_settled ON ${table}`);
    for (const table of ['accounting_periods', 'accounting_balances']) {
      await queryRunner.query(`DROP TRIGGER keep_all ON ${table}`);
      await queryRunner.query(`DROP TRIGGER keep_closed ON ${table}`);
    }
    await queryRunner.query('DROP FUNCTION accounting_keep_period, accounting_keep_balances, accounting_check_settled');
  }
}

async function keepPeriods(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
      CREATE FUNCTION accounting_keep_period() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          IF (NEW.organization_id, NEW.project_id, NEW.month) = (OLD.organization_id, OLD.project_id, OLD.month) THEN RETURN NEW; END IF;
        ELSIF OLD.status = 'open' THEN
          RETURN OLD;
        END IF;
        RAISE EXCEPTION '% of a month', TG_OP USING ERRCODE = '23514', CONSTRAINT = 'month_check', DETAIL = ${CLOSED};
      END $$`);
  await queryRunner.query(`
      CREATE TRIGGER keep_closed BEFORE UPDATE OR DELETE ON accounting_periods FOR EACH ROW EXECUTE FUNCTION accounting_keep_period()`);
  await keepAll(queryRunner, 'accounting_periods');
}

async function keepBalances(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
      CREATE FUNCTION accounting_keep_balances() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        kept record := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
      BEGIN
        IF TG_OP <> 'UPDATE' AND NOT EXISTS (
          SELECT 1 FROM accounting_periods WHERE project_id = kept.project_id AND month = kept.month AND status = 'closed'
        ) THEN RETURN kept; END IF;
        RAISE EXCEPTION '% of balances of a closed month', TG_OP USING ERRCODE = '23514', CONSTRAINT = 'month_check', DETAIL = ${CLOSED};
      END $$`);
  await queryRunner.query(`
      CREATE TRIGGER keep_closed BEFORE INSERT OR UPDATE OR DELETE ON accounting_balances
      FOR EACH ROW EXECUTE FUNCTION accounting_keep_balances()`);
  await keepAll(queryRunner, 'accounting_balances');
}

async function keepAll(queryRunner: QueryRunner, table: string): Promise<void> {
  await queryRunner.query(
    `CREATE TRIGGER keep_all BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION accounting_keep_posted()`,
  );
}

/**
 * At the commit, invoices and payments must show what their allocations add up to. Since both must be written, concurrent transactions
 * wait for each other at the row of the invoice, whose CHECK bounds the sum. Test rows may be purged one by one.
 */
async function checkSettled(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
      CREATE FUNCTION accounting_check_settled() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        invoices uuid[];
        payment uuid;
      BEGIN
        IF TG_TABLE_NAME = 'accounting_allocations' THEN
          invoices := ARRAY[NEW.invoice_id, NEW.credit_note_id];
          payment := NEW.payment_id;
        ELSIF TG_TABLE_NAME = 'accounting_invoices' THEN
          invoices := ARRAY[NEW.id];
        ELSE
          payment := NEW.id;
        END IF;
        IF EXISTS (
          SELECT 1 FROM accounting_invoices i WHERE i.id = ANY (invoices) AND i.settled_amount <> COALESCE(CASE i.type
            WHEN 'invoice' THEN (SELECT sum(a.amount) FROM accounting_allocations a WHERE a.invoice_id = i.id AND a.ended_at IS NULL)
            ELSE (SELECT sum(a.amount) FROM accounting_allocations a WHERE a.credit_note_id = i.id AND a.ended_at IS NULL) END, 0)
        ) OR EXISTS (
          SELECT 1 FROM accounting_payments p WHERE p.id = payment
            AND CASE WHEN p.reversed_at IS NULL THEN p.amount - p.unallocated_amount ELSE 0 END <> (
              SELECT COALESCE(sum(a.amount), 0) FROM accounting_allocations a WHERE a.ended_at IS NULL AND a.payment_id = p.id)
        ) THEN
          RAISE EXCEPTION 'allocations do not add up' USING ERRCODE = '23514', CONSTRAINT = 'settled_amount_check',
            DETAIL = 'What is settled must be the sum of the allocations.';
        END IF;
        RETURN NULL;
      END $$`);
  const deferred = 'DEFERRABLE INITIALLY DEFERRED FOR EACH ROW';
  const run = 'EXECUTE FUNCTION accounting_check_settled()';
  await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER check_settled AFTER INSERT OR UPDATE ON accounting_allocations ${deferred}
      WHEN (NEW.mode = 'live') ${run}`);
  await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER check_settled AFTER UPDATE ON accounting_invoices ${deferred}
      WHEN (NEW.mode = 'live' AND OLD.settled_amount <> NEW.settled_amount) ${run}`);
  await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER check_settled AFTER UPDATE ON accounting_payments ${deferred}
      WHEN (NEW.mode = 'live' AND (OLD.unallocated_amount, OLD.reversed_at) IS DISTINCT FROM (NEW.unallocated_amount, NEW.reversed_at))
      ${run}`);
}
