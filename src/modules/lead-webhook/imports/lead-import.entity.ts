import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, ObjectColumn, TimeColumn, type Actor, type CsvReading } from '../../../kit/index.js';

export const IMPORT_STATES = ['queued', 'running', 'completed', 'failed'] as const;

export type ImportState = (typeof IMPORT_STATES)[number];

/**
 * One file of leads, imported in chunks. The leads, issues and counters of a chunk are written in one transaction, so
 * that after a crash the import continues at `bytes_done` and imports no row twice.
 */
@Entity('lead_imports')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'lead_imports_project_id_fkey' })
@ForeignKey('objects', ['organization_id', 'content_object_id'], ['organization_id', 'id'], { name: 'lead_imports_content_object_id_fkey' })
@Index('lead_imports_content_object_id_idx', ['content_object_id'], { where: 'content_object_id IS NOT NULL' })
@Index('lead_imports_created_at_idx', ['organization_id', 'mode', 'created_at', 'id'])
@Index('lead_imports_fingerprint_key', ['organization_id', 'mode', 'project_id', 'fingerprint'], {
  unique: true,
  where: 'fingerprint IS NOT NULL',
})
@Check('lead_imports_mode_check', `mode IN ('live', 'test')`)
@Check('lead_imports_file_name_check', 'length(file_name) <= 255')
@Check('lead_imports_mapping_check', `jsonb_typeof(mapping) = 'object'`)
@Check('lead_imports_delimiter_check', `delimiter IN ('comma', 'semicolon', 'tab')`)
@Check('lead_imports_state_check', `state IN ('queued', 'running', 'completed', 'failed')`)
@Check('lead_imports_rows_done_check', 'rows_done BETWEEN 0 AND rows_total AND created_count + error_count <= rows_done')
@Check('lead_imports_finished_at_check', `(finished_at IS NOT NULL) = (state IN ('completed', 'failed'))`)
export class LeadImport extends BusinessEntity {
  @Column('text', { nullable: true })
  file_name: string | null;

  /** The file; null after the import. */
  @ObjectColumn()
  content_object_id: string | null;

  /** Of rows from before objects were introduced. Read by SQL, where it is needed. */
  @Column('bytea', {
    nullable: true,
    select: false,
  })
  content: Buffer | null;

  /** Identifies the file and its mapping in the project; null for dry runs and for imports that are meant to repeat an earlier one. */
  @Column('text', { nullable: true })
  fingerprint: string | null;

  /** Column headings to fields. */
  @Column('jsonb')
  mapping: Record<string, string>;

  @Column('text', {
    array: true,
    default: '{}',
  })
  ignored_columns: string[];

  /** In which the file was sent; `content` is UTF-8. */
  @Column('text', { default: 'utf-8' })
  encoding: string;

  /** Null for imports from before it was kept. */
  @Column('text', { nullable: true })
  delimiter: CsvReading['delimiter'] | null;

  /** How the file writes numbers, dates, and yes and no; null if it was not named. */
  @Column('text', { nullable: true })
  locale: string | null;

  @Column('boolean')
  dry_run: boolean;

  @Column('text')
  state: ImportState;

  /** Why it failed. */
  @Column('text', { nullable: true })
  failure: string | null;

  @Column('integer')
  rows_total: number;

  @Column('integer', { default: 0 })
  rows_done: number;

  /** Where the next row begins in the file. */
  @Column('integer', { default: 0 })
  bytes_done: number;

  /** In a dry run, the leads that would be created. */
  @Column('integer', { default: 0 })
  created_count: number;

  @Column('integer', { default: 0 })
  error_count: number;

  @Column('integer', { default: 0 })
  warning_count: number;

  @TimeColumn({ nullable: true })
  started_at: Date | null;

  @TimeColumn({ nullable: true })
  finished_at: Date | null;

  @Column('jsonb')
  created_by: Actor;
}
