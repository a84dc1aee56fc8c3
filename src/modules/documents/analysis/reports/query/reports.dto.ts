import { bothOf, Field, Filter, Listing, ListQuery, partialOf, ResourceDto, responseOf, shownOf } from '../../../../../kit/index.js';
import { COLUMN_TYPES, type ColumnType } from './columns.js';
import { DATASETS, type DatasetName } from './datasets.js';
import { AGGREGATES, type Aggregate, type Report } from './report.entity.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const LONGEST_KEY = 100;
const MOST_ROWS = 1_000;
export const USUAL_ROWS = 100;

/** An aggregate over the rows of a group. */
export class AggregateDto implements Aggregate {
  @Field.oneOf(AGGREGATES, {
    description: 'The aggregate function.',
    example: 'sum',
  })
  fn: Aggregate['fn'];

  @Field.string({
    description: 'Column to aggregate; omit it to count all rows.',
    example: 'data_values.amount',
    maxLength: LONGEST_KEY,
    required: false,
    nullable: true,
  })
  column?: string | null;
}

/** The request body to create a report. */
export class CreateReportDto {
  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'Agreements in force',
    maxLength: 100,
  })
  name: string;

  @Field.string({
    description: 'Purpose of the report.',
    example: 'By customer, with their value.',
    maxLength: 2_000,
    required: false,
    nullable: true,
  })
  description?: string | null;

  @Field.oneOf(DATASETS, {
    summary: true,
    description: 'The resource that each row represents.',
    example: 'documents',
  })
  dataset: DatasetName;

  @Field.string({
    description:
      'Columns of the result if rows are not grouped. Documents also have data_values.<field> and custom_fields.<key>; ' +
      'dates and times also have <column>.year, .month and .day.',
    example: [],
    maxLength: LONGEST_KEY,
    required: false,
    default: [],
    list: { maxItems: 50 },
  })
  columns?: string[];

  @Field.map({
    description:
      'Conditions by column: a value, a list of values, null for "no value", or an object with ' +
      'ne, gt, gte, lt, lte, contains, exists, last_days or next_days.',
    example: { state: ['sent', 'executed'], created_at: { last_days: 30 } },
    required: false,
    default: {},
  })
  filters?: Record<string, unknown>;

  @Field.string({
    description: 'Columns to group rows by.',
    example: ['type_code', 'created_at.month'],
    maxLength: LONGEST_KEY,
    required: false,
    default: [],
    list: { maxItems: 5 },
  })
  group_by?: string[];

  @Field.object(() => AggregateDto, {
    description: 'Aggregates of each group, or of all rows without a group.',
    example: undefined,
    required: false,
    default: [],
    list: { maxItems: 10, repeats: true },
  })
  aggregates?: AggregateDto[];

  @Field.string({
    description:
      'Column to sort by; "-" means descending. A grouped report sorts by a result column, such as count or sum_data_values_amount.',
    example: '-sum_data_values_amount',
    maxLength: LONGEST_KEY,
    required: false,
    nullable: true,
  })
  sort?: string | null;

  @Field.boolean({
    summary: true,
    description: 'Whether API keys may read it: the keys of its project, or all keys if it has no project.',
    example: true,
    required: false,
    default: false,
  })
  shared?: boolean;

  @Field.uuid({
    description: 'Project whose rows it reads; omit it for all projects.',
    example: PROJECT,
    required: false,
    nullable: true,
  })
  project_id?: string | null;
}

/** The merge patch of a report. */
export class UpdateReportDto extends partialOf(CreateReportDto, { omit: ['project_id'] }) {}

/** A saved report. */
export class ReportDto extends bothOf(
  ResourceDto,
  shownOf(CreateReportDto, {
    name: true,
    description: true,
    dataset: true,
    columns: 'Columns of the result; empty if rows are grouped.',
    filters: 'Conditions by column.',
    group_by: true,
    aggregates: 'Aggregates of each group.',
    sort: 'Sort column; null for the default order.',
    shared: 'Whether API keys may read it.',
    project_id: 'Project whose rows it reads; null for all projects.',
  }),
) {
  @Field.constant('report')
  object: string;

  static from(this: void, report: Report): ReportDto {
    return responseOf(ReportDto, report);
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class ReportsQuery extends ListQuery {
  @Filter.oneOf(DATASETS, {
    description: 'On these datasets.',
    example: ['documents'],
  })
  dataset?: DatasetName[];

  @Filter.uuid({
    description: 'Of these projects; none for all.',
    example: [PROJECT],
    orNone: true,
  })
  project_id?: (string | null)[];
}

/** Selects a page of a report's rows. */
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
    description: 'From next_cursor.',
    example: 'eyJ2IjpbIjIwMjYiXX0.Zm9v',
    maxLength: 2_048,
    required: false,
  })
  cursor?: string;
}

export class ReportDataColumnDto {
  @Field.string({
    description: 'Key of the value in each row.',
    example: 'type_code',
  })
  key: string;

  @Field.string({
    description: 'Display name.',
    example: 'Type',
  })
  label: string;

  @Field.oneOf(COLUMN_TYPES, {
    description: 'Type of the values.',
    example: 'string',
  })
  type: ColumnType;
}

/** Rows of a report. */
export class ReportDataDto {
  @Field.constant('report_data')
  object: string;

  @Field.uuid({
    description: 'The report.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c50',
  })
  report_id: string;

  @Field.object(() => ReportDataColumnDto, {
    description: 'The columns, in order.',
    example: undefined,
    list: { maxItems: 50, repeats: true },
  })
  columns: ReportDataColumnDto[];

  @Field.map({
    description: 'The rows of this page, as objects keyed by column.',
    example: [{ type_code: 'nda', count: 12 }],
    list: { maxItems: MOST_ROWS, repeats: true },
  })
  data: Record<string, unknown>[];

  @Field.boolean({
    description: 'Whether another page follows.',
    example: false,
  })
  has_more: boolean;

  @Field.string({
    description: 'Send it as cursor to get the next page; null on the last page.',
    example: null,
    nullable: true,
    maxLength: 2_048,
  })
  next_cursor: string | null;

  @Field.dateTime({
    description: 'When the rows were read, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  generated_at: string;
}
