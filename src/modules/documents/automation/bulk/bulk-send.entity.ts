import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, TimeColumn, type Actor } from '../../../../kit/index.js';
import type { Sending, SourceRef } from '../../model/records/document.entity.js';

/** A bulk send: a call that sends documents of one type to many recipients. */
@Entity('document_bulk_sends')
@Unique('document_bulk_sends_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'document_bulk_sends_project_id_fkey' })
@Check('document_bulk_sends_mode_check', `mode IN ('live', 'test')`)
@Check('document_bulk_sends_counts_check', 'sent_count + failed_count + repeated_count <= row_count')
export class BulkSend extends BusinessEntity {
  @Column('text')
  type_code: string;

  @Column('integer')
  row_count: number;

  @Column('integer', { default: 0 })
  sent_count: number;

  @Column('integer', { default: 0 })
  failed_count: number;

  @Column('integer', { default: 0 })
  repeated_count: number;

  @TimeColumn({ nullable: true })
  finished_at: Date | null;

  @Column('jsonb')
  created_by: Actor;
}

/** `repeated`: an earlier row with the same key was sent. */
export const ROW_STATUSES = ['pending', 'sent', 'failed', 'repeated'] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

/** The error of a row. */
export interface RowError {
  code: string;
  param: string | null;
  message: string;
}

/** One document of a bulk send. */
@Entity('document_bulk_send_rows')
@ForeignKey(() => BulkSend, ['organization_id', 'project_id', 'mode', 'bulk_send_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'document_bulk_send_rows_bulk_send_id_fkey',
  onDelete: 'CASCADE',
})
@Index('document_bulk_send_rows_row_key', ['bulk_send_id', 'row'], { unique: true })
@Index('document_bulk_send_rows_sent_key', ['project_id', 'mode', 'key'], {
  unique: true,
  where: `status = 'sent' AND key IS NOT NULL`,
})
@Check('document_bulk_send_rows_mode_check', `mode IN ('live', 'test')`)
@Check('document_bulk_send_rows_status_check', `status IN ('pending', 'sent', 'failed', 'repeated')`)
@Check('document_bulk_send_rows_document_check', `(status IN ('sent', 'repeated')) = (document_id IS NOT NULL)`)
@Check('document_bulk_send_rows_error_check', `(status = 'failed') = (error IS NOT NULL)`)
export class BulkSendRow extends BusinessEntity {
  @Column('uuid')
  bulk_send_id: string;

  /** From 1. */
  @Column('integer')
  row: number;

  /** The caller's key of the row: a row whose key was sent before is not sent again. */
  @Column('text', { nullable: true })
  key: string | null;

  @Column('text')
  title: string;

  @Column('jsonb')
  data_values: Record<string, unknown>;

  @Column('jsonb', { nullable: true })
  source_ref: SourceRef | null;

  /** With what the call says of all rows. */
  @Column('jsonb', { nullable: true })
  sending: Sending | null;

  @Column('text', { default: 'pending' })
  status: RowStatus;

  @Column('uuid', { nullable: true })
  document_id: string | null;

  @Column('jsonb', { nullable: true })
  error: RowError | null;
}
