import { Controller, Get, Query } from '@nestjs/common';
import { Accepted, CommonErrors, Ctx, Endpoint, Id, listBody, type FileResponse, type ListBody } from '../../../../kit/index.js';
import { FORMS, PRODUCES, reportResponse } from './report-response.js';
import { ReportData } from './query/report-data.service.js';
import { ReportDataDto, ReportDataQuery, ReportDto, ReportsQuery } from './query/reports.dto.js';
import { Reports } from './reports.service.js';

const scope = 'papers:report:read';
const REPORT = 'Id of the report, from list_reports.';

@Controller('/api/v1/ext/papers/reports')
export class ReportsController {
  constructor(
    private readonly reports: Reports,
    private readonly rows: ReportData,
  ) {}

  @Get()
  @Endpoint({
    scope,
    operation: 'list_reports',
    summary: 'List shared reports',
    lookup: { fields: ['id', 'name', 'dataset', 'project_id'] },
    returns: ReportDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: ReportsQuery): Promise<ListBody<ReportDto>> {
    return listBody(await this.reports.pageShared(ctx, query), ReportDto.from);
  }

  @Get(':id')
  @Endpoint({
    scope,
    operation: 'get_report',
    summary: 'Get a shared report',
    returns: ReportDto,
  })
  async get(@Ctx() ctx: Ctx, @Id('id', REPORT) id: string): Promise<ReportDto> {
    return ReportDto.from(await this.reports.getShared(ctx, id));
  }

  @Get(':id/data')
  @Endpoint({
    scope,
    operation: 'get_report_data',
    summary: 'Run a shared report',
    returns: ReportDataDto,
    produces: PRODUCES,
    errors: [CommonErrors.invalidCursor, CommonErrors.resourceConflict],
    description: "Current rows of the key's project; months and days in UTC.",
  })
  async data(
    @Ctx() ctx: Ctx,
    @Id('id', REPORT) id: string,
    @Query() query: ReportDataQuery,
    @Accepted(FORMS) form: string,
  ): Promise<ReportDataDto | FileResponse> {
    const report = await this.reports.getShared(ctx, id);
    return reportResponse(report, await this.rows.of(ctx, report, query), form, `/api/v1/ext/papers/reports/${id}/data`, query.limit);
  }
}
