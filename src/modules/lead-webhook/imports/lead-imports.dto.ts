import {
  ActorDto,
  ActorField,
  bothOf,
  DELIMITER_NAMES,
  Field,
  Filter,
  Listing,
  ListQuery,
  LOCALE_FIELD,
  ProjectListQuery,
  ResourceDto,
  responseOf,
  shownOf,
} from '../../../kit/index.js';
import { SEVERITIES, type LeadImportIssue } from './lead-import-issue.entity.js';
import { IMPORT_STATES, type ImportState, type LeadImport } from './lead-import.entity.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const IMPORT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c30';

/** How to import a file. Fields of the same name in a multipart form take precedence. */
export class ImportLeadsQuery {
  @Field.uuid({
    description: 'Project of the leads. Required, here or in the form.',
    example: PROJECT,
    required: false,
  })
  project_id?: string;

  @Field.boolean({
    description: 'Only check the file and report what an import would do; nothing is created.',
    example: true,
    required: false,
    default: false,
  })
  dry_run?: boolean;

  @Field.boolean({
    description: 'Import the file again although it was imported before, which creates its leads a second time.',
    example: false,
    required: false,
    default: false,
  })
  repeat?: boolean;

  @Field.string({
    description:
      'JSON object of column headings to lead fields or custom_fields.<key>; null ignores a column. Without it, columns whose ' +
      'headings are field names are mapped. A cell of a multi_select field has its values separated by semicolons, as in Boats;Cars.',
    example: '{"Name":"full_name","Mail":"email","Budget":"custom_fields.budget"}',
    required: false,
    maxLength: 8000,
  })
  mapping?: string;

  @Field.string(LOCALE_FIELD)
  locale?: string;
}

/** An import of one file, with its progress. */
export class LeadImportDto extends bothOf(
  ResourceDto,
  shownOf(ImportLeadsQuery, {
    project_id: 'Project of the leads.',
    dry_run: { description: 'Whether it only checks the file and creates nothing.', example: false },
  }),
) {
  @Field.constant('lead_import')
  object: string;

  @Field.string({
    description: 'Name of the file; null when none was sent.',
    example: 'leads.csv',
    nullable: true,
  })
  file_name: string | null;

  @Field.oneOf(IMPORT_STATES, {
    description: 'queued, running, then completed (rows with errors were skipped) or failed (see `failure`).',
    example: 'running',
  })
  state: ImportState;

  @Field.string({
    description: 'Why it failed.',
    example: null,
    nullable: true,
  })
  failure: string | null;

  @Field.map({
    description: 'Column headings and their fields.',
    example: { Name: 'full_name', Mail: 'email' },
  })
  mapping: Record<string, string>;

  @Field.string({
    description: 'Columns that are not mapped to a field.',
    example: ['Remarks'],
    list: { maxItems: 500, repeats: true },
    minLength: 0,
    maxLength: 255,
  })
  ignored_columns: string[];

  @Field.string({
    description: 'Encoding in which the file was read, such as utf-8, windows-1252 or utf-16le.',
    example: 'utf-8',
  })
  encoding: string;

  @Field.oneOf(DELIMITER_NAMES, {
    description: 'What separates the cells of the file; null for imports from before it was kept.',
    example: 'semicolon',
    nullable: true,
  })
  delimiter: LeadImport['delimiter'];

  @Field.string({
    description: 'The locale that was named.',
    example: 'de-DE',
    nullable: true,
  })
  locale: string | null;

  @Field.integer({
    description: 'Number of rows, without headings and empty rows.',
    example: 1000,
    minimum: 1,
  })
  rows_total: number;

  @Field.integer({
    description: 'Rows processed so far.',
    example: 250,
    minimum: 0,
  })
  rows_done: number;

  @Field.integer({
    description: 'Leads created so far; in a dry run, leads that would be created.',
    example: 248,
    minimum: 0,
  })
  created_count: number;

  @Field.integer({
    description: 'Rows skipped so far because of errors.',
    example: 2,
    minimum: 0,
  })
  error_count: number;

  @Field.integer({
    description: 'Warnings so far.',
    example: 1,
    minimum: 0,
  })
  warning_count: number;

  @Field.dateTime({
    description: 'When the import started, UTC.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  started_at: string | null;

  @Field.dateTime({
    description: 'When the import ended, UTC.',
    example: null,
    nullable: true,
  })
  finished_at: string | null;

  @ActorField('Who requested the import.')
  created_by: ActorDto;

  static from(this: void, row: LeadImport): LeadImportDto {
    return responseOf(LeadImportDto, row);
  }
}

/** An issue in a row. */
export class LeadImportIssueDto {
  @Field.uuid({
    description: 'Id of the issue.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c40',
  })
  id: string;

  @Field.constant('lead_import_issue')
  object: string;

  @Field.uuid({
    description: 'The import.',
    example: IMPORT,
  })
  import_id: string;

  @Field.integer({
    description: 'The row, counted from 1 without headings and empty rows.',
    example: 17,
    minimum: 1,
  })
  row_number: number;

  @Field.oneOf(SEVERITIES, {
    description: 'error: the row was skipped; warning: it was imported.',
    example: 'error',
  })
  severity: string;

  @Field.string({
    description: 'An error code, or repeated for a row that repeats an earlier one.',
    example: 'invalid_value',
  })
  code: string;

  @Field.string({
    description: 'The invalid field.',
    example: 'email',
    nullable: true,
  })
  param: string | null;

  @Field.string({
    description: 'Description of the issue.',
    example: 'email must be an e-mail address',
    maxLength: 10_000,
  })
  message: string;

  static from(this: void, { id, import_id, row_number, severity, code, param, message }: LeadImportIssue): LeadImportIssueDto {
    return { object: 'lead_import_issue', id, import_id, row_number, severity, code, param, message };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class LeadImportsQuery extends ProjectListQuery {
  @Filter.oneOf(IMPORT_STATES, {
    description: 'Only imports in these states.',
    example: ['running'],
  })
  state?: string[];
}

@Listing({
  sort: ['row_number'],
  defaultSort: 'row_number',
})
export class LeadImportIssuesQuery extends ListQuery {
  @Filter.oneOf(SEVERITIES, {
    description: 'Only issues of these severities.',
    example: ['error'],
  })
  severity?: string[];

  @Filter.integer({
    description: 'Only issues of these rows.',
    example: [17],
  })
  row_number?: number[];
}
