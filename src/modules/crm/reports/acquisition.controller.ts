import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint } from '../../../kit/index.js';
import { AcquisitionQuery, AcquisitionReportDto } from './acquisition.dto.js';
import { Acquisition } from './acquisition.service.js';

@Controller('/api/v1/ext/crm/reports')
export class AcquisitionController {
  constructor(private readonly acquisition: Acquisition) {}

  @Get('acquisition')
  @Endpoint({
    scope: 'crm:lead:read',
    member: { permission: 'org.marketing.leads.manage', path: '/api/v1/org/marketing/reports/acquisition' },
    operation: 'get_acquisition_report',
    summary: 'Count leads by source, campaign and period',
    description: 'A report of more than 1,000 rows is rejected: narrow it with from and to, or choose a longer interval.',
    returns: AcquisitionReportDto,
  })
  report(@Ctx() ctx: Ctx, @Query() query: AcquisitionQuery): Promise<AcquisitionReportDto> {
    return this.acquisition.report(ctx, query);
  }
}
