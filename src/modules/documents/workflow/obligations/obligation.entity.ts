import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, TimeColumn, type Actor } from '../../../../kit/index.js';
import { Document } from '../../model/records/document.entity.js';
import type { OBLIGATION_KINDS, SIDES } from '../../model/types/obligation-rule.dto.js';

export const OBLIGATION_STATUSES = ['proposed', 'pending', 'completed', 'waived', 'cancelled'] as const;
export type ObligationStatus = (typeof OBLIGATION_STATUSES)[number];
export const OBLIGATION_SOURCES = ['manual', 'rule', 'ai'] as const;
export type ObligationSource = (typeof OBLIGATION_SOURCES)[number];
export type ObligationKind = (typeof OBLIGATION_KINDS)[number];
export type Side = (typeof SIDES)[number];

/** An obligation under a document. Each occurrence of a recurring obligation has its own row. */
@Entity('obligations')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'obligations_document_id_fkey',
  onDelete: 'CASCADE',
})
@Index('obligations_occurrence_key', ['series_id', 'occurrence'], { unique: true })
@Index('obligations_rule_key', ['document_id', 'revision', 'rule_index'], {
  unique: true,
  where: 'rule_index IS NOT NULL AND occurrence = 1',
})
@Index('obligations_document_id_idx', ['document_id', 'due_on', 'id'])
@Index('obligations_due_on_idx', ['organization_id', 'mode', 'due_on', 'id'])
@Index('obligations_created_at_idx', ['organization_id', 'mode', 'created_at', 'id'])
@Index('obligations_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id'])
@Index('obligations_responsible_email_idx', ['organization_id', 'mode', 'responsible_email', 'due_on', 'id'])
@Index('obligations_remind_on_idx', ['remind_on'], { where: `status = 'pending' AND remind_on IS NOT NULL` })
@Index('obligations_continue_idx', ['due_on'], { where: `status = 'pending' AND recurrence IS NOT NULL AND NOT continued` })
@Check('obligations_mode_check', `mode IN ('live', 'test')`)
@Check('obligations_kind_check', `kind IN ('payment', 'delivery', 'renewal', 'notice', 'report', 'other')`)
@Check('obligations_side_check', `responsible_side IN ('us', 'counterparty')`)
@Check('obligations_status_check', `status IN ('proposed', 'pending', 'completed', 'waived', 'cancelled')`)
@Check('obligations_source_check', `source IN ('manual', 'rule', 'ai')`)
@Check('obligations_title_check', 'length(title) BETWEEN 1 AND 255')
export class Obligation extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  /** The revision of the document that created it. */
  @Column('integer')
  revision: number;

  /** Index of its rule in the type. Null if no rule created it. */
  @Column('integer', { nullable: true })
  rule_index: number | null;

  @Column('text')
  title: string;

  @Column('text')
  kind: ObligationKind;

  @Column('text')
  responsible_side: Side;

  @Column('text', { nullable: true })
  responsible_name: string | null;

  /** In lower case. */
  @Column('text', { nullable: true })
  responsible_email: string | null;

  @Column('date')
  due_on: string;

  @Column('text', { nullable: true })
  recurrence: string | null;

  @Column('uuid')
  series_id: string;

  /** The first day of the series. */
  @Column('date')
  series_start_on: string;

  /** Position in the series, from 1. */
  @Column('integer', { default: 1 })
  occurrence: number;

  /** Whether the next occurrence exists or must not be created. */
  @Column('boolean', { default: false })
  continued: boolean;

  @Column('text', { default: 'pending' })
  status: ObligationStatus;

  @Column('integer', {
    array: true,
    default: '{}',
  })
  reminder_days: number[];

  /** The day of the next reminder. Null if there is none. */
  @Column('date', { nullable: true })
  remind_on: string | null;

  @Column('text')
  source: ObligationSource;

  @TimeColumn({ nullable: true })
  completed_at: Date | null;

  @Column('jsonb', { nullable: true })
  completed_by: Actor | null;
}
