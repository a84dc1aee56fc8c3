import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { ConfigurationEntity } from '../../../../../kit/index.js';
import type { DatasetName } from './datasets.js';

export const AGGREGATES = ['count', 'sum', 'avg', 'min', 'max'] as const;

/** An aggregate over the rows of a group. */
export interface Aggregate {
  fn: (typeof AGGREGATES)[number];
  /** The column's key; absent or null to count all rows. */
  column?: string | null;
}

/** The definition of a report. */
export type ReportDefinition = Pick<Report, 'dataset' | 'columns' | 'filters' | 'group_by' | 'aggregates' | 'sort'>;

/** A saved report. With a project it reads only that project's rows; `shared` makes it readable for API keys. */
@Entity('document_reports')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'document_reports_project_id_fkey' })
@Index('document_reports_created_at_idx', ['organization_id', 'created_at', 'id'])
@Check('document_reports_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('document_reports_dataset_check', `dataset IN ('documents', 'obligations', 'approvals', 'signatures')`)
@Check('document_reports_filters_check', `jsonb_typeof(filters) = 'object'`)
@Check('document_reports_aggregates_check', `jsonb_typeof(aggregates) = 'array'`)
export class Report extends ConfigurationEntity {
  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text')
  dataset: DatasetName;

  @Column('text', { array: true })
  columns: string[];

  @Column('jsonb')
  filters: Record<string, unknown>;

  @Column('text', { array: true })
  group_by: string[];

  @Column('jsonb')
  aggregates: Aggregate[];

  /** A column, descending with a leading `-`; null for the dataset's default order. */
  @Column('text', { nullable: true })
  sort: string | null;

  @Column('boolean')
  shared: boolean;
}
