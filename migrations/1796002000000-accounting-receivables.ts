import type { MigrationInterface, QueryRunner } from 'typeorm';

const REFERENCE = '(organization_id, project_id, mode, id)';

/** Lines name the customer whose receivable or credit they change, and a payment has the day on which it was reversed. */
export class AccountingReceivables1796002000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const lines = 'accounting_journal_lines';
    await queryRunner.query(`
      ALTER TABLE ${lines} ADD COLUMN customer_id uuid, ADD CONSTRAINT ${lines}_customer_id_fkey
        FOREIGN KEY (organization_id, project_id, mode, customer_id) REFERENCES accounting_customers ${REFERENCE}`);
    await queryRunner.query(
      `CREATE INDEX ${lines}_customer_id_idx ON ${lines} (project_id, mode, customer_id) WHERE customer_id IS NOT NULL`,
    );
    await queryRunner.query('ALTER TABLE accounting_payments ADD COLUMN reversed_on date');
    await queryRunner.query('ALTER TABLE accounting_payments DISABLE TRIGGER keep_posted');
    await queryRunner.query(`
      UPDATE accounting_payments p SET reversed_on = GREATEST(e."on", p.paid_on) FROM accounting_journal_entries e
      WHERE p.reversed_at IS NOT NULL AND e.reverses_id = p.journal_entry_id`);
    await queryRunner.query('ALTER TABLE accounting_payments ENABLE TRIGGER keep_posted');
    await queryRunner.query(
      keepPayment(`'unallocated_amount', 'base_unallocated_amount', 'reversed_at', 'reversed_on', 'reversal_reason'`),
    );
    await queryRunner.query(`
      ALTER TABLE accounting_payments ADD CONSTRAINT accounting_payments_reversed_on_check
        CHECK ((reversed_on IS NULL) = (reversed_at IS NULL) AND reversed_on >= paid_on)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(keepPayment(`'unallocated_amount', 'base_unallocated_amount', 'reversed_at', 'reversal_reason'`));
    await queryRunner.query('ALTER TABLE accounting_payments DROP COLUMN reversed_on');
    await queryRunner.query('ALTER TABLE accounting_journal_lines DROP COLUMN customer_id');
  }
}

const keepPayment = (changing: string) => `
      CREATE OR REPLACE FUNCTION accounting_keep_payment() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        changing text[] := ARRAY[${changing},
          'version', 'updated_at'];
      BEGIN
        IF TG_OP = 'DELETE' AND OLD.mode = 'test' THEN RETURN OLD; END IF;
        IF TG_OP = 'UPDATE' THEN
          IF OLD.reversed_at IS NULL AND to_jsonb(NEW) - changing = to_jsonb(OLD) - changing THEN RETURN NEW; END IF;
        END IF;
        RAISE EXCEPTION '% of a payment', TG_OP USING ERRCODE = '23514', CONSTRAINT = 'posted_check',
          DETAIL = 'What was posted never changes; reverse the payment instead.';
      END $$`;
