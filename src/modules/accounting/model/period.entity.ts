import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { ConfigurationEntity, TimeColumn, type Actor } from '../../../kit/index.js';

export const PERIOD_STATUSES = ['open', 'closed'] as const;
export type PeriodStatus = (typeof PERIOD_STATUSES)[number];

/** A month. It exists from its first entry on; months are closed in their order. */
@Entity('accounting_periods')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'accounting_periods_project_id_fkey' })
@Unique('accounting_periods_reference_key', ['organization_id', 'project_id', 'id'])
@Index('accounting_periods_month_key', ['project_id', 'month'], { unique: true })
@Index('accounting_periods_month_idx', ['organization_id', 'month', 'id', 'project_id'])
@Index('accounting_periods_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Check('accounting_periods_project_id_check', 'project_id IS NOT NULL')
@Check('accounting_periods_month_check', 'extract(day FROM month) = 1')
@Check('accounting_periods_status_check', `status IN ('open', 'closed')`)
@Check('accounting_periods_closed_at_check', `(closed_at IS NULL) = (status = 'open')`)
export class AccountingPeriod extends ConfigurationEntity {
  declare project_id: string;

  /** The first day of the month. */
  @Column('date')
  month: string;

  @Column('text', { default: 'open' })
  status: PeriodStatus;

  @TimeColumn({ nullable: true })
  closed_at: Date | null;

  @Column('jsonb', { nullable: true })
  closed_by: Actor | null;
}
