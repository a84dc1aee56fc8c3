import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { CommonErrors, Ctx, Endpoint, Id } from '../../../kit/index.js';
import { AvailabilitySetupDto, SetAvailabilityDto, SetOverrideDto } from './availability-setup.dto.js';
import { AvailabilitySetup } from './availability-setup.service.js';

/** Without the first, only for the member's own private calendar. */
const permission = ['schedule.setup.manage', 'schedule.event.manage'];
const DAY = ApiParam({
  name: 'on',
  description: 'Local date YYYY-MM-DD.',
  schema: { type: 'string', format: 'date', example: '2026-12-24' },
});

@Controller('/api/v1/org/schedule/calendars/:id/availability')
export class OrgCalendarAvailabilityController {
  constructor(private readonly setup: AvailabilitySetup) {}

  @Get()
  @Endpoint({
    permission,
    errors: [CommonErrors.permissionDenied],
    operation: 'get_org_calendar_availability',
    summary: 'Get the availability of a calendar',
    returns: AvailabilitySetupDto,
  })
  get(@Ctx() ctx: Ctx, @Id() id: string): Promise<AvailabilitySetupDto> {
    return this.setup.get(ctx, { calendarId: id });
  }

  @Put()
  @Endpoint({
    permission,
    errors: [CommonErrors.permissionDenied],
    operation: 'set_org_calendar_availability',
    summary: 'Set the availability of a calendar',
    description: 'With the permission schedule.event.manage alone you can do so for your own private calendar only.',
    returns: AvailabilitySetupDto,
  })
  set(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: SetAvailabilityDto): Promise<AvailabilitySetupDto> {
    return this.setup.set(ctx, { calendarId: id }, body);
  }

  @Put('overrides/:on')
  @DAY
  @Endpoint({
    permission,
    errors: [CommonErrors.permissionDenied],
    operation: 'set_org_calendar_override',
    summary: 'Override the availability of a calendar on one day',
    returns: AvailabilitySetupDto,
  })
  setOverride(@Ctx() ctx: Ctx, @Id() id: string, @Param('on') on: string, @Body() body: SetOverrideDto): Promise<AvailabilitySetupDto> {
    return this.setup.setOverride(ctx, { calendarId: id }, on, body.windows);
  }

  @Delete('overrides/:on')
  @DAY
  @Endpoint({
    permission,
    errors: [CommonErrors.permissionDenied],
    operation: 'delete_org_calendar_override',
    summary: 'Delete the override of a day',
    returns: null,
  })
  unsetOverride(@Ctx() ctx: Ctx, @Id() id: string, @Param('on') on: string): Promise<void> {
    return this.setup.unsetOverride(ctx, { calendarId: id }, on);
  }
}

@Controller('/api/v1/org/schedule/resources/:id/availability')
export class OrgResourceAvailabilityController {
  constructor(private readonly setup: AvailabilitySetup) {}

  @Get()
  @Endpoint({
    permission,
    errors: [CommonErrors.permissionDenied],
    operation: 'get_org_resource_availability',
    summary: 'Get the availability of a resource',
    description: 'The availability of its calendar, with resource_id null, if it has none of its own.',
    returns: AvailabilitySetupDto,
  })
  get(@Ctx() ctx: Ctx, @Id() id: string): Promise<AvailabilitySetupDto> {
    return this.setup.get(ctx, { resourceId: id });
  }

  @Put()
  @Endpoint({
    permission,
    errors: [CommonErrors.permissionDenied],
    operation: 'set_org_resource_availability',
    summary: 'Set the availability of a resource',
    returns: AvailabilitySetupDto,
  })
  set(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: SetAvailabilityDto): Promise<AvailabilitySetupDto> {
    return this.setup.set(ctx, { resourceId: id }, body);
  }

  @Delete()
  @Endpoint({
    permission,
    errors: [CommonErrors.permissionDenied],
    operation: 'delete_org_resource_availability',
    summary: "Reset a resource to its calendar's availability",
    returns: null,
  })
  unset(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.unset(ctx, id);
  }

  @Put('overrides/:on')
  @DAY
  @Endpoint({
    permission,
    errors: [CommonErrors.permissionDenied],
    operation: 'set_org_resource_override',
    summary: 'Override the availability of a resource on one day',
    description: "Without an availability of its own, the resource gets a copy of its calendar's first.",
    returns: AvailabilitySetupDto,
  })
  setOverride(@Ctx() ctx: Ctx, @Id() id: string, @Param('on') on: string, @Body() body: SetOverrideDto): Promise<AvailabilitySetupDto> {
    return this.setup.setOverride(ctx, { resourceId: id }, on, body.windows);
  }

  @Delete('overrides/:on')
  @DAY
  @Endpoint({
    permission,
    errors: [CommonErrors.permissionDenied],
    operation: 'delete_org_resource_override',
    summary: 'Delete the override of a day',
    returns: null,
  })
  unsetOverride(@Ctx() ctx: Ctx, @Id() id: string, @Param('on') on: string): Promise<void> {
    return this.setup.unsetOverride(ctx, { resourceId: id }, on);
  }
}
