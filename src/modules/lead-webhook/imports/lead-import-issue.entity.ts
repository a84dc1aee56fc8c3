import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity } from '../../../kit/index.js';
import { LeadImport } from './lead-import.entity.js';

export const SEVERITIES = ['error', 'warning'] as const;

/** An issue in a row of an import. A row with an error is skipped; a row with a warning is imported. */
@Entity('lead_import_issues')
@ForeignKey(() => LeadImport, ['import_id'], ['id'], {
  name: 'lead_import_issues_import_id_fkey',
  onDelete: 'CASCADE',
})
@Index('lead_import_issues_row_number_idx', ['import_id', 'row_number', 'id'])
@Check('lead_import_issues_mode_check', `mode IN ('live', 'test')`)
@Check('lead_import_issues_severity_check', `severity IN ('error', 'warning')`)
export class LeadImportIssue extends BusinessEntity {
  @Column('uuid')
  import_id: string;

  @Column('integer')
  row_number: number;

  @Column('text')
  severity: (typeof SEVERITIES)[number];

  @Column('text')
  code: string;

  @Column('text', { nullable: true })
  param: string | null;

  @Column('text')
  message: string;
}
