import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { Accepted, CommonErrors, Ctx, Endpoint, Id, listBody, type FileResponse, type ListBody } from '../../../../kit/index.js';
import { FORMS, PRODUCES, reportResponse } from './report-response.js';
import { ReportData } from './query/report-data.service.js';
import { CreateReportDto, ReportDataDto, ReportDataQuery, ReportDto, ReportsQuery, UpdateReportDto } from './query/reports.dto.js';
import { Reports } from './reports.service.js';

const permission = 'papers.setup.manage';
const view = 'papers.document.view';

@Controller('/api/v1/org/papers/reports')
export class OrgReportsController {
  constructor(
    private readonly reports: Reports,
    private readonly rows: ReportData,
  ) {}

  @Get()
  @Endpoint({
    operation: 'list_org_reports',
    summary: 'List reports',
    permission: view,
    returns: ReportDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: ReportsQuery): Promise<ListBody<ReportDto>> {
    return listBody(await this.reports.page(ctx, query), ReportDto.from);
  }

  @Get(':id')
  @Endpoint({
    operation: 'get_org_report',
    summary: 'Get a report',
    permission: view,
    returns: ReportDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<ReportDto> {
    return ReportDto.from(await this.reports.get(ctx, id));
  }

  @Get(':id/data')
  @Endpoint({
    operation: 'get_org_report_data',
    summary: 'Run a report',
    permission: view,
    returns: ReportDataDto,
    produces: PRODUCES,
    errors: [CommonErrors.invalidCursor, CommonErrors.resourceConflict],
  })
  async data(
    @Ctx() ctx: Ctx,
    @Id() id: string,
    @Query() query: ReportDataQuery,
    @Accepted(FORMS) form: string,
  ): Promise<ReportDataDto | FileResponse> {
    const report = await this.reports.get(ctx, id);
    return reportResponse(report, await this.rows.of(ctx, report, query), form, `/api/v1/org/papers/reports/${id}/data`, query.limit);
  }

  @Post()
  @Endpoint({
    operation: 'create_org_report',
    summary: 'Create a report',
    permission,
    returns: ReportDto,
    status: 201,
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateReportDto): Promise<ReportDto> {
    return ReportDto.from(await this.reports.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    operation: 'update_org_report',
    summary: 'Change a report',
    permission,
    returns: ReportDto,
    description: 'Invalidates cursors issued before the change.',
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateReportDto): Promise<ReportDto> {
    return ReportDto.from(await this.reports.update(ctx, id, body));
  }

  @Delete(':id')
  @Endpoint({
    operation: 'delete_org_report',
    summary: 'Delete a report',
    permission,
    returns: null,
  })
  async delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    await this.reports.delete(ctx, id);
  }
}
