import { Controller, Get, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, listBody, Store, type ListBody } from '../../../kit/index.js';
import { OrgChartDto, OrgChartQuery } from '../employees/org-chart.dto.js';
import { OrgChart } from '../employees/org-chart.service.js';
import { Absences } from '../leave/absences.service.js';
import { AbsenceDto, AbsencesQuery } from '../leave/leave-requests.dto.js';
import { Department } from '../model/department.entity.js';
import { HolidayDto, HolidaysQuery } from '../setup/setup.dto.js';
import { HrSetup } from '../setup/setup.service.js';
import { DepartmentDto, DepartmentsQuery } from '../views/department.dto.js';
import { HrNames } from '../views/hr-names.service.js';

const scope = 'hr:org:read';

/** Departments, the org chart and absences, for API keys. */
@Controller('/api/v1/ext/hr')
export class DirectoryController {
  constructor(
    private readonly store: Store,
    private readonly chart: OrgChart,
    private readonly absent: Absences,
    private readonly setup: HrSetup,
    private readonly names: HrNames,
  ) {}

  @Get('org-chart')
  @Endpoint({
    scope,
    member: { permission: 'hr.employee.manage' },
    operation: 'get_org_chart',
    summary: 'Get the org chart',
    returns: OrgChartDto,
  })
  orgChart(@Ctx() ctx: Ctx, @Query() query: OrgChartQuery): Promise<OrgChartDto> {
    return this.chart.of(ctx, query);
  }

  @Get('departments')
  @Endpoint({
    scope,
    member: { permission: ['hr.employee.manage', 'hr.leave.decide'] },
    operation: 'list_departments',
    summary: 'List departments',
    returns: DepartmentDto,
    list: true,
    lookup: true,
  })
  async departments(@Ctx() ctx: Ctx, @Query() query: DepartmentsQuery): Promise<ListBody<DepartmentDto>> {
    const page = await this.store.page(ctx, Department, query);
    return listBody(page, await this.names.ofDepartments(ctx, page.data));
  }

  @Get('holidays')
  @Endpoint({
    scope,
    member: { permission: null },
    operation: 'list_holidays',
    summary: 'List holidays',
    returns: HolidayDto,
    list: true,
  })
  async holidays(@Ctx() ctx: Ctx, @Query() query: HolidaysQuery): Promise<ListBody<HolidayDto>> {
    return listBody(await this.setup.holidays(ctx, query), HolidayDto.from);
  }

  @Get('absences')
  @Endpoint({
    scope,
    member: { permission: ['hr.employee.manage', 'hr.leave.decide'] },
    errors: [CommonErrors.missingFields],
    operation: 'list_absences',
    summary: 'List who is away between two days',
    description: 'Approved leave of any type, without the type; sorted by its last day. To poll for changes, send updated_after alone.',
    returns: AbsenceDto,
    list: true,
  })
  absences(@Ctx() ctx: Ctx, @Query() query: AbsencesQuery): Promise<ListBody<AbsenceDto>> {
    return this.absent.page(ctx, query);
  }
}
