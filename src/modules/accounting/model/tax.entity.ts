import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { ConfigurationEntity, type Decimal } from '../../../kit/index.js';
import { LedgerAccount } from './account.entity.js';

/** Categories of UNTDID 5305 as EN 16931 uses them: standard, zero, exempt, reverse charge, intra-community, export, outside scope. */
export const TAX_CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const;
export type TaxCategory = (typeof TAX_CATEGORIES)[number];

/** Categories of which EN 16931 requires the reason on the invoice. */
export const REASONED_CATEGORIES: readonly TaxCategory[] = ['E', 'AE', 'K', 'G', 'O'];

/** A tax. Its rate and category never change, because invoices refer to it: a new rate is a new tax. */
@Entity('accounting_taxes')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'accounting_taxes_project_id_fkey' })
@ForeignKey(() => LedgerAccount, ['organization_id', 'project_id', 'account_id'], ['organization_id', 'project_id', 'id'], {
  name: 'accounting_taxes_account_id_fkey',
})
@Unique('accounting_taxes_reference_key', ['organization_id', 'project_id', 'id'])
@Index('accounting_taxes_code_key', ['project_id', 'code'], { unique: true })
@Index('accounting_taxes_account_id_idx', ['account_id'], { where: 'account_id IS NOT NULL' })
@Index('accounting_taxes_code_idx', ['organization_id', 'code', 'id', 'project_id'])
@Index('accounting_taxes_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Check('accounting_taxes_project_id_check', 'project_id IS NOT NULL')
@Check('accounting_taxes_code_check', 'length(code) BETWEEN 1 AND 20')
@Check('accounting_taxes_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('accounting_taxes_rate_check', `rate BETWEEN 0 AND 100 AND (category = 'S') = (rate > 0)`)
@Check('accounting_taxes_category_check', `category IN ('S', 'Z', 'E', 'AE', 'K', 'G', 'O')`)
@Check('accounting_taxes_exemption_reason_check', 'length(exemption_reason) BETWEEN 1 AND 255')
export class TaxRate extends ConfigurationEntity {
  declare project_id: string;

  /** Unique in the project. */
  @Column('text')
  code: string;

  @Column('text')
  name: string;

  /** Percent. */
  @Column('numeric', {
    precision: 7,
    scale: 4,
  })
  rate: Decimal;

  @Column('text')
  category: TaxCategory;

  @Column('text', { nullable: true })
  exemption_reason: string | null;

  /** The account that the tax is posted to; null for the account with the role `tax`. */
  @Column('uuid', { nullable: true })
  account_id: string | null;

  @Column('boolean', { default: true })
  active: boolean;
}
