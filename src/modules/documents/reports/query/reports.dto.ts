import { Field, Filter, Listing, ListQuery, partialOf, ResourceDto } from '../../../../kit/index.js';
import { COLUMN_TYPES, type ColumnType } from './columns.js';
import { DATASETS, type DatasetName } from './datasets.js';
import { AGGREGATES, type Aggregate, type Report } from './report.entity.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const LONGEST_KEY = 100;
const MOST_ROWS = 1_000;
export const USUAL_ROWS = 100;

/** A figure over the rows of a group. */
export class AggregateDto implements Aggregate {
  @Field.oneOf(AGGREGATES, { description: 'What is computed.', example: 'sum' })
  fn: Aggregate['fn'];

  @Field.string({
    description: 'Column; left out for the count of all rows.',
    example: 'data_values.amount',
    maxLength: LONGEST_KEY,
    required: false,
    nullable: true,
  })
  column?: string | null;
}

/** The body that creates a report. */
export class CreateReportDto {
  @Field.string({
    description: 'Name.',
    example: 'Agreements in force',
    maxLength: 100,
  })
  name: string;

  @Field.string({
    description: 'What it answers.',
    example: 'By customer, with their value.',
    maxLength: 2_000,
    required: false,
    nullable: true,
  })
  description?: string | null;

  @Field.oneOf(DATASETS, { description: 'What its rows are.', example: 'documents' })
  dataset: DatasetName;

  @Field.string({
    description:
      'Columns of the answer, where rows are not grouped. Of documents also data_values.<field>; of days and times also <column>.year, .month and .day.',
    example: ['number', 'title', 'data_values.amount'],
    maxLength: LONGEST_KEY,
    required: false,
    default: [],
    list: { maxItems: 50 },
  })
  columns?: string[];

  @Field.map({
    description:
      'By column a value, several, null for none, or an object with ne, gt, gte, lt, lte, contains, exists, last_days or next_days.',
    example: { state: ['sent', 'executed'], created_at: { last_days: 30 } },
    required: false,
    default: {},
  })
  filters?: Record<string, unknown>;

  @Field.string({
    description: 'Columns that rows are grouped by.',
    example: ['type_code', 'created_at.month'],
    maxLength: LONGEST_KEY,
    required: false,
    default: [],
    list: { maxItems: 5 },
  })
  group_by?: string[];

  @Field.object(() => AggregateDto, {
    description: 'Figures of each group, or of all rows where there is no group.',
    example: undefined,
    required: false,
    default: [],
    list: { maxItems: 10, repeats: true },
  })
  aggregates?: AggregateDto[];

  @Field.string({
    description: 'Column to sort by; "-" means descending. Of a grouped report one of the answer, such as count or sum_data_values_amount.',
    example: '-created_at',
    maxLength: LONGEST_KEY,
    required: false,
    nullable: true,
  })
  sort?: string | null;

  @Field.boolean({
    description: 'Whether API keys may read it: those of its project, or all where it has none.',
    example: true,
    required: false,
    default: false,
  })
  shared?: boolean;

  @Field.uuid({
    description: 'Project whose rows it is about; left out, all projects.',
    example: PROJECT,
    required: false,
    nullable: true,
  })
  project_id?: string | null;
}

/** The merge patch of a report. */
export class UpdateReportDto extends partialOf(CreateReportDto, { omit: ['project_id'] }) {}

/** A saved report. */
export class ReportDto extends ResourceDto {
  @Field.constant('report')
  object: string;

  @Field.string({ description: 'Name.', example: 'Agreements in force' })
  name: string;

  @Field.string({
    description: 'What it answers.',
    example: 'By customer, with their value.',
    nullable: true,
    maxLength: 2_000,
  })
  description: string | null;

  @Field.oneOf(DATASETS, { description: 'What its rows are.', example: 'documents' })
  dataset: DatasetName;

  @Field.string({
    description: 'Columns of the answer; empty where rows are grouped.',
    example: ['number', 'title'],
    list: { maxItems: 50 },
  })
  columns: string[];

  @Field.map({ description: 'Conditions by column.', example: { state: ['sent', 'executed'] } })
  filters: Record<string, unknown>;

  @Field.string({
    description: 'Columns that rows are grouped by.',
    example: ['type_code'],
    list: { maxItems: 5 },
  })
  group_by: string[];

  @Field.object(() => AggregateDto, {
    description: 'Figures of each group.',
    example: undefined,
    list: { maxItems: 10, repeats: true },
  })
  aggregates: AggregateDto[];

  @Field.string({
    description: 'Column it is sorted by; null for the usual order.',
    example: '-created_at',
    nullable: true,
  })
  sort: string | null;

  @Field.boolean({ description: 'Whether API keys may read it.', example: true })
  shared: boolean;

  @Field.uuid({
    description: 'Project whose rows it is about; null for all.',
    example: PROJECT,
    nullable: true,
  })
  project_id: string | null;

  static from(this: void, report: Report): ReportDto {
    const { id, name, description, dataset, columns, filters, group_by, aggregates, sort, shared, project_id, version } = report;
    return {
      object: 'report',
      id,
      name,
      description,
      dataset,
      columns,
      filters,
      group_by,
      aggregates,
      sort,
      shared,
      project_id,
      version,
      created_at: report.created_at.toISOString(),
      updated_at: report.updated_at.toISOString(),
    };
  }
}

@Listing({ sort: ['created_at'], defaultSort: 'created_at' })
export class ReportsQuery extends ListQuery {
  @Filter.oneOf(DATASETS, { description: 'Only reports about these.', example: ['documents'] })
  dataset?: DatasetName[];

  @Filter.uuid({
    description: 'Only reports of these projects; none for those of all projects.',
    example: [PROJECT],
    orNone: true,
  })
  project_id?: (string | null)[];
}

/** Which part of a report's rows. */
export class ReportDataQuery {
  @Field.integer({
    description: 'Rows per page.',
    example: USUAL_ROWS,
    minimum: 1,
    maximum: MOST_ROWS,
    default: USUAL_ROWS,
    required: false,
  })
  limit?: number;

  @Field.string({
    description: 'The next_cursor of the page before.',
    example: 'eyJ2IjpbIjIwMjYiXX0.Zm9v',
    maxLength: 2_048,
    required: false,
  })
  cursor?: string;
}

export class ReportDataColumnDto {
  @Field.string({ description: 'Key of the value in each row.', example: 'type_code' })
  key: string;

  @Field.string({ description: 'What people read.', example: 'Type' })
  label: string;

  @Field.oneOf(COLUMN_TYPES, { description: 'What its values are.', example: 'string' })
  type: ColumnType;
}

/** Rows of a report. */
export class ReportDataDto {
  @Field.constant('report_data')
  object: string;

  @Field.uuid({ description: 'The report.', example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c50' })
  report_id: string;

  @Field.object(() => ReportDataColumnDto, {
    description: 'The columns, in order.',
    example: undefined,
    list: { maxItems: 50, repeats: true },
  })
  columns: ReportDataColumnDto[];

  @Field.map({
    description: "The rows of this page; values by the columns' keys.",
    example: [{ type_code: 'nda', count: 12 }],
    list: { maxItems: MOST_ROWS, repeats: true },
  })
  data: Record<string, unknown>[];

  @Field.boolean({ description: 'Whether another page follows.', example: false })
  has_more: boolean;

  @Field.string({
    description: 'Send it as cursor to get the next page; null on the last.',
    example: null,
    nullable: true,
    maxLength: 2_048,
  })
  next_cursor: string | null;

  @Field.dateTime({ description: 'When the rows were read, UTC.', example: '2026-11-21T09:30:00.000Z' })
  generated_at: string;
}
