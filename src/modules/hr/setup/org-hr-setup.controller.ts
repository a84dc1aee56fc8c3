import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, Store, type ListBody } from '../../../kit/index.js';
import { HolidayCalendar } from '../model/holiday-calendar.entity.js';
import { LeaveType } from '../model/leave-type.entity.js';
import {
  CreateHolidayCalendarDto,
  CreateHolidayDto,
  CreateLeaveTypeDto,
  HolidayCalendarDto,
  HolidayCalendarsQuery,
  HolidayDto,
  LeaveTypeDto,
  UpdateHolidayCalendarDto,
  UpdateHolidayDto,
  UpdateLeaveTypeDto,
} from './setup.dto.js';
import { HrSetup } from './setup.service.js';

const permission = 'hr.setup.manage';
const CREATE = { permission, status: 201, errors: [CommonErrors.duplicate, CommonErrors.resourceConflict] } as const;
const CHANGE = { permission, errors: [CommonErrors.duplicate] };
const RECOUNT = 'The days of leave that has not ended and contains the day are recalculated, and balances are corrected.';

@Controller('/api/v1/org/hr')
export class OrgHrSetupController {
  constructor(
    private readonly store: Store,
    private readonly setup: HrSetup,
  ) {}

  @Post('leave-types')
  @Endpoint({
    ...CREATE,
    operation: 'create_org_leave_type',
    summary: 'Create a leave type',
    returns: LeaveTypeDto,
  })
  async createType(@Ctx() ctx: Ctx, @Body() body: CreateLeaveTypeDto): Promise<LeaveTypeDto> {
    return LeaveTypeDto.from(await this.setup.createType(ctx, body));
  }

  @Patch('leave-types/:id')
  @Endpoint({
    ...CHANGE,
    operation: 'update_org_leave_type',
    summary: 'Change a leave type',
    returns: LeaveTypeDto,
  })
  async updateType(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateLeaveTypeDto): Promise<LeaveTypeDto> {
    return LeaveTypeDto.from(await this.setup.updateType(ctx, id, body));
  }

  @Delete('leave-types/:id')
  @Endpoint({
    operation: 'delete_org_leave_type',
    summary: 'Delete an unused leave type',
    description: 'One that is in use cannot be deleted; send active: false instead.',
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  deleteType(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.delete(ctx, LeaveType, id);
  }

  @Get('holiday-calendars')
  @Endpoint({
    operation: 'list_org_holiday_calendars',
    summary: 'List holiday calendars',
    permission: null,
    returns: HolidayCalendarDto,
    list: true,
  })
  async calendars(@Ctx() ctx: Ctx, @Query() query: HolidayCalendarsQuery): Promise<ListBody<HolidayCalendarDto>> {
    return listBody(await this.store.page(ctx, HolidayCalendar, query), HolidayCalendarDto.from);
  }

  @Post('holiday-calendars')
  @Endpoint({
    ...CREATE,
    operation: 'create_org_holiday_calendar',
    summary: 'Create a holiday calendar',
    returns: HolidayCalendarDto,
  })
  async createCalendar(@Ctx() ctx: Ctx, @Body() body: CreateHolidayCalendarDto): Promise<HolidayCalendarDto> {
    return HolidayCalendarDto.from(await this.setup.createCalendar(ctx, body));
  }

  @Patch('holiday-calendars/:id')
  @Endpoint({
    ...CHANGE,
    operation: 'update_org_holiday_calendar',
    summary: 'Rename a holiday calendar',
    returns: HolidayCalendarDto,
  })
  async updateCalendar(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateHolidayCalendarDto): Promise<HolidayCalendarDto> {
    return HolidayCalendarDto.from(await this.setup.updateCalendar(ctx, id, body));
  }

  @Delete('holiday-calendars/:id')
  @Endpoint({
    operation: 'delete_org_holiday_calendar',
    summary: 'Delete a holiday calendar that no employee uses',
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  deleteCalendar(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.delete(ctx, HolidayCalendar, id);
  }

  @Post('holidays')
  @Endpoint({
    ...CREATE,
    operation: 'create_org_holiday',
    summary: 'Create a holiday',
    description: RECOUNT,
    returns: HolidayDto,
  })
  async createHoliday(@Ctx() ctx: Ctx, @Body() body: CreateHolidayDto): Promise<HolidayDto> {
    return HolidayDto.from(await this.setup.createHoliday(ctx, body));
  }

  @Patch('holidays/:id')
  @Endpoint({
    ...CHANGE,
    operation: 'update_org_holiday',
    summary: 'Change a holiday',
    description: RECOUNT,
    returns: HolidayDto,
  })
  async updateHoliday(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateHolidayDto): Promise<HolidayDto> {
    return HolidayDto.from(await this.setup.updateHoliday(ctx, id, body));
  }

  @Delete('holidays/:id')
  @Endpoint({
    operation: 'delete_org_holiday',
    summary: 'Delete a holiday',
    description: RECOUNT,
    permission,
    returns: null,
  })
  deleteHoliday(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.deleteHoliday(ctx, id);
  }
}
