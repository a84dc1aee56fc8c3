import { Controller, Get, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, LOCALE_FIELD, Upload, Uploaded, type ListBody } from '../../../kit/index.js';
import { IMPORT_LIMITS } from './import-limits.js';
import { importRequestOf } from './lead-import-form.js';
import { ImportLeadsQuery, LeadImportDto, LeadImportIssueDto, LeadImportIssuesQuery, LeadImportsQuery } from './lead-imports.dto.js';
import { LeadImports } from './lead-imports.service.js';

const permission = 'org.marketing.leads.manage';
/** The size of a form around the file. */
const FORM_OVERHEAD = 64 * 1024;

const UPLOAD = {
  'text/csv': {
    type: 'string',
    description:
      'The file: headings first; commas, semicolons or tabs; UTF-8, UTF-16 or Windows-1252, or the charset of the Content-Type. ' +
      'At most 32 MiB, 100,000 rows and 500 columns.',
    example: 'full_name,email\nAda Lovelace,ada@example.com\n',
  },
  'multipart/form-data': {
    type: 'object',
    description: 'The file as the field file, with the options of the query as further fields.',
    required: ['file'],
    properties: {
      file: {
        type: 'string',
        contentMediaType: 'text/csv',
        description: 'The file.',
        example: 'full_name,email\nAda Lovelace,ada@example.com\n',
      },
      project_id: { type: 'string', format: 'uuid', description: 'Project of the leads.', example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10' },
      dry_run: { type: 'string', enum: ['true', 'false'], description: 'Only check the file; create nothing.', example: 'true' },
      repeat: { type: 'string', enum: ['true', 'false'], description: 'Import a file again that was imported before.', example: 'false' },
      mapping: {
        type: 'string',
        description: 'JSON object of column headings to fields; cells of a multi_select field are split at semicolons.',
        example: '{"Name":"full_name"}',
      },
      locale: { type: 'string', description: LOCALE_FIELD.description, example: LOCALE_FIELD.example },
    },
  },
};

@Controller('api/v1/org/marketing')
export class LeadImportsController {
  constructor(private readonly imports: LeadImports) {}

  @Post('leads/import')
  @Endpoint({
    operation: 'import_leads',
    summary: 'Import leads from a CSV file',
    permission,
    returns: LeadImportDto,
    status: 202,
    upload: UPLOAD,
    bodyLimit: IMPORT_LIMITS.bytes + FORM_OVERHEAD,
    description:
      'Each row becomes a separate lead: existing leads are not matched, and rows that repeat an earlier row only get a warning. ' +
      'Rows with errors are skipped. A file that was imported into the project before, with the same mapping, is not imported again: ' +
      'the response is the earlier import, which continues if it had failed. repeat=true imports the file again. ' +
      'get_lead_import returns the progress; mapping in the response shows how columns map to fields. dry_run=true reports on every row. ' +
      'With Svc-Dry-Run, nothing is kept and no row is checked: the response shows the mapping.',
  })
  async import(@Ctx() ctx: Ctx, @Query() query: ImportLeadsQuery, @Uploaded() upload: Upload): Promise<LeadImportDto> {
    return LeadImportDto.from(await this.imports.create(ctx, importRequestOf(upload, query)));
  }

  @Get('lead-imports')
  @Endpoint({
    operation: 'list_lead_imports',
    summary: 'List imports of leads',
    permission,
    returns: LeadImportDto,
    list: true,
    description: 'Imports are kept for 90 days.',
  })
  async list(@Ctx() ctx: Ctx, @Query() query: LeadImportsQuery): Promise<ListBody<LeadImportDto>> {
    return listBody(await this.imports.page(ctx, query), LeadImportDto.from);
  }

  @Get('lead-imports/:id')
  @Endpoint({
    operation: 'get_lead_import',
    summary: 'Get an import of leads and its progress',
    permission,
    returns: LeadImportDto,
    description: 'rows_done is updated every 250 rows, until finished_at is set.',
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<LeadImportDto> {
    return LeadImportDto.from(await this.imports.get(ctx, id));
  }

  @Get('lead-imports/:id/issues')
  @Endpoint({
    operation: 'list_lead_import_issues',
    summary: 'List the issues in the rows of an import',
    permission,
    returns: LeadImportIssueDto,
    list: true,
    description: 'In row order; severity=error lists only the errors for which rows were skipped.',
  })
  async issues(@Ctx() ctx: Ctx, @Id() id: string, @Query() query: LeadImportIssuesQuery): Promise<ListBody<LeadImportIssueDto>> {
    return listBody(await this.imports.issues(ctx, id, query), LeadImportIssueDto.from);
  }
}
