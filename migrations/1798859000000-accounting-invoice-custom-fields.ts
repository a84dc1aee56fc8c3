import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Custom fields are notes of the organization, not content of the invoice: they may change after it is issued. */
export class AccountingInvoiceCustomFields1798859000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE accounting_invoices ADD COLUMN custom_fields jsonb NOT NULL DEFAULT '{}'
        CONSTRAINT accounting_invoices_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object')`);
    await keepIssued(queryRunner, `, 'custom_fields'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await keepIssued(queryRunner, '');
    await queryRunner.query('ALTER TABLE accounting_invoices DROP COLUMN custom_fields');
  }
}

const ISSUED = `'What was issued never changes; correct it by a credit note.'`;

/** The function of accounting-invoices, in which more columns may change. */
async function keepIssued(queryRunner: QueryRunner, more: string): Promise<void> {
  await queryRunner.query(`
      CREATE OR REPLACE FUNCTION accounting_keep_issued() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        changing text[] := ARRAY['status', 'settled_amount', 'base_settled_amount', 'closed_on', 'overdue_at', 'reminders_sent',
          'void_reason', 'version', 'updated_at'${more}];
      BEGIN
        IF OLD.status = 'draft' THEN RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END; END IF;
        IF TG_OP = 'DELETE' AND OLD.mode = 'test' THEN RETURN OLD; END IF;
        IF TG_OP = 'UPDATE' THEN
          IF NEW.status <> 'draft' AND (OLD.status <> 'void' OR NEW.status = 'void')
             AND to_jsonb(NEW) - changing = to_jsonb(OLD) - changing THEN RETURN NEW; END IF;
        END IF;
        RAISE EXCEPTION '% of an issued invoice', TG_OP USING ERRCODE = '23514', CONSTRAINT = 'issued_check', DETAIL = ${ISSUED};
      END $$`);
}
