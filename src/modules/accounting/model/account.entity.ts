import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { ConfigurationEntity } from '../../../kit/index.js';

export const ACCOUNT_TYPES = ['asset', 'liability', 'equity', 'income', 'expense'] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

export const ACCOUNT_ROLES = [
  'receivable',
  'revenue',
  'tax',
  'bank',
  'clearing',
  'customer_credit',
  'exchange_gain',
  'exchange_loss',
] as const;
/** The use of the account for postings that name no account. At most one account of a project has a given role. */
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

/** What their accounts contain belongs to customers, so these roles cannot move to other accounts once they were used. */
export const CUSTOMER_ROLES: readonly AccountRole[] = ['receivable', 'customer_credit'];

/** The type that the account of a role must have. */
export const TYPE_OF_ROLE: Readonly<Record<AccountRole, AccountType>> = {
  receivable: 'asset',
  revenue: 'income',
  tax: 'liability',
  bank: 'asset',
  clearing: 'asset',
  customer_credit: 'liability',
  exchange_gain: 'income',
  exchange_loss: 'expense',
};

@Entity('accounting_accounts')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'accounting_accounts_project_id_fkey' })
@Unique('accounting_accounts_reference_key', ['organization_id', 'project_id', 'id'])
@Index('accounting_accounts_code_key', ['project_id', 'code'], { unique: true })
@Index('accounting_accounts_role_key', ['project_id', 'role'], {
  unique: true,
  where: 'role IS NOT NULL',
})
@Index('accounting_accounts_code_idx', ['organization_id', 'code', 'id', 'project_id'])
@Index('accounting_accounts_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Check('accounting_accounts_project_id_check', 'project_id IS NOT NULL')
@Check('accounting_accounts_code_check', 'length(code) BETWEEN 1 AND 20')
@Check('accounting_accounts_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('accounting_accounts_type_check', `type IN ('asset', 'liability', 'equity', 'income', 'expense')`)
@Check(
  'accounting_accounts_role_check',
  `role IN ('receivable', 'revenue', 'tax', 'bank', 'clearing', 'customer_credit', 'exchange_gain', 'exchange_loss')`,
)
export class LedgerAccount extends ConfigurationEntity {
  declare project_id: string;

  /** Unique in the project. */
  @Column('text')
  code: string;

  @Column('text')
  name: string;

  @Column('text')
  type: AccountType;

  @Column('text', { nullable: true })
  role: AccountRole | null;

  @Column('boolean', { default: true })
  active: boolean;
}
