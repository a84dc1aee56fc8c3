import type { MigrationInterface, QueryRunner } from 'typeorm';
import { uuidv7 } from 'uuidv7';

const ACCOUNTS = [
  ['1000', 'Cash', 'asset', null],
  ['1100', 'Bank', 'asset', 'bank'],
  ['1150', 'Payment clearing', 'asset', 'clearing'],
  ['1200', 'Accounts receivable', 'asset', 'receivable'],
  ['2000', 'Accounts payable', 'liability', null],
  ['2100', 'Customer credits', 'liability', 'customer_credit'],
  ['2200', 'Tax payable', 'liability', 'tax'],
  ['3000', 'Equity', 'equity', null],
  ['4000', 'Revenue', 'income', 'revenue'],
  ['4900', 'Exchange gains', 'income', 'exchange_gain'],
  ['5000', 'Cost of goods sold', 'expense', null],
  ['6000', 'Operating expenses', 'expense', null],
  ['6900', 'Exchange losses', 'expense', 'exchange_loss'],
] as const;

/** Gives existing projects the settings, accounts and tax that new projects get on creation. */
export class AccountingDefaults1764200000030 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const projects = (await queryRunner.query('SELECT organization_id, id FROM projects')) as { organization_id: string; id: string }[];
    for (const { organization_id, id } of projects) {
      await queryRunner.query(
        `INSERT INTO accounting_settings (id, organization_id, project_id, currency, seller, invoice_number_pattern,
           credit_note_number_pattern, dunning_steps, order_invoicing, deal_customers)
         VALUES ($1, $2, $3, 'EUR', '{}', 'INV-{YYYY}-{SEQ:5}', 'CN-{YYYY}-{SEQ:5}', '[]', 'off', false)`,
        [uuidv7(), organization_id, id],
      );
      await queryRunner.query(
        `INSERT INTO accounting_taxes (id, organization_id, project_id, code, name, rate, category)
         VALUES ($1, $2, $3, 'ZERO', 'Zero rated', 0, 'Z')`,
        [uuidv7(), organization_id, id],
      );
      for (const account of ACCOUNTS)
        await queryRunner.query(
          `INSERT INTO accounting_accounts (id, organization_id, project_id, code, name, type, role) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
          [uuidv7(), organization_id, id, ...account],
        );
    }
  }

  /** Keeps the rows, which may be in use by now; reverting the earlier migrations drops their tables. */
  async down(): Promise<void> {}
}
