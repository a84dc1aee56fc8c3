import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { NotAudited, OrganizationEntity } from '../../../../kit/index.js';

/** An organization's credits for analyses. Every change must lock the row. */
@Entity('ai_credit_accounts')
@NotAudited()
@ForeignKey('organizations', ['organization_id'], ['id'], { name: 'ai_credit_accounts_organization_id_fkey' })
@Unique('ai_credit_accounts_organization_id_key', ['organization_id'])
@Check('ai_credit_accounts_balance_check', 'balance >= 0')
@Check('ai_credit_accounts_reserved_check', 'reserved >= 0 AND reserved <= balance')
export class AiCreditAccount extends OrganizationEntity {
  @Column('integer')
  balance: number;

  /** The part of the balance reserved for running analyses. */
  @Column('integer', { default: 0 })
  reserved: number;
}
