import { Injectable } from '@nestjs/common';
import type { Project, ProjectSetup, Tx } from '../../../kit/index.js';
import { LedgerAccount, type AccountRole, type AccountType } from '../model/account.entity.js';
import { AccountingSettings } from '../model/settings.entity.js';
import { TaxRate } from '../model/tax.entity.js';

const ACCOUNTS: readonly [code: string, name: string, type: AccountType, role?: AccountRole][] = [
  ['1000', 'Cash', 'asset'],
  ['1100', 'Bank', 'asset', 'bank'],
  ['1150', 'Payment clearing', 'asset', 'clearing'],
  ['1200', 'Accounts receivable', 'asset', 'receivable'],
  ['2000', 'Accounts payable', 'liability'],
  ['2100', 'Customer credits', 'liability', 'customer_credit'],
  ['2200', 'Tax payable', 'liability', 'tax'],
  ['3000', 'Equity', 'equity'],
  ['4000', 'Revenue', 'income', 'revenue'],
  ['4900', 'Exchange gains', 'income', 'exchange_gain'],
  ['5000', 'Cost of goods sold', 'expense'],
  ['6000', 'Operating expenses', 'expense'],
  ['6900', 'Exchange losses', 'expense', 'exchange_loss'],
];

/** Creates the settings of a new project, a small chart of accounts and a tax. The migration has the same for older projects. */
@Injectable()
export class AccountingProjectSetup implements ProjectSetup {
  async setUpProject(tx: Tx, { id: project_id }: Project): Promise<void> {
    const settings = {
      currency: 'EUR',
      seller: {},
      invoice_number_pattern: 'INV-{YYYY}-{SEQ:5}',
      credit_note_number_pattern: 'CN-{YYYY}-{SEQ:5}',
      dunning_steps: [],
      order_invoicing: 'off' as const,
      deal_customers: false,
    };
    await tx.advanced.pipelined.insert(AccountingSettings, { project_id, ...settings });
    for (const [code, name, type, role = null] of ACCOUNTS)
      await tx.advanced.pipelined.insert(LedgerAccount, { project_id, code, name, type, role, active: true });
    const zero = { code: 'ZERO', name: 'Zero rated', rate: '0', category: 'Z' as const, exemption_reason: null, account_id: null };
    await tx.advanced.pipelined.insert(TaxRate, { project_id, ...zero, active: true });
  }
}
