import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, Settings, type ListBody } from '../../../kit/index.js';
import { DeskLookups } from '../lookups/lookups.service.js';
import { DeskBusinessHours } from '../model/business-hours.entity.js';
import { DeskMailbox } from '../model/mailbox.entity.js';
import { DeskSlaPolicy } from '../model/sla-policy.entity.js';
import { BusinessHoursDto, BusinessHoursQuery, CreateBusinessHoursDto, UpdateBusinessHoursDto } from './business-hours.dto.js';
import { DeskSettingsDto, UpdateDeskSettingsDto } from './desk-settings.dto.js';
import { DeskSetup } from './desk-setup.service.js';
import { CreateDeskMailboxDto, DeskMailboxDto, DeskMailboxesQuery, UpdateDeskMailboxDto } from './mailboxes.dto.js';
import { CreateSlaPolicyDto, SlaPoliciesQuery, SlaPolicyDto, UpdateSlaPolicyDto } from './sla-policies.dto.js';

const permission = 'desk.setup.manage';
const RETIRE = 'One that is in use cannot be deleted; send active: false instead.';

/** Setup of service levels, business hours and mailboxes. */
@Controller('/api/v1/org/desk')
export class OrgDeskServiceLevelsController {
  constructor(
    private readonly setup: DeskSetup,
    private readonly lookups: DeskLookups,
    private readonly suite: Settings,
  ) {}

  @Get('business-hours')
  @Endpoint({
    operation: 'list_org_business_hours',
    summary: 'List the business hours',
    permission,
    returns: BusinessHoursDto,
    list: true,
  })
  async listBusinessHours(@Ctx() ctx: Ctx, @Query() query: BusinessHoursQuery): Promise<ListBody<BusinessHoursDto>> {
    return listBody(await this.lookups.page(ctx, DeskBusinessHours, query), BusinessHoursDto.from);
  }

  @Post('business-hours')
  @Endpoint({
    operation: 'create_org_business_hours',
    summary: 'Create business hours',
    permission,
    returns: BusinessHoursDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createBusinessHours(@Ctx() ctx: Ctx, @Body() body: CreateBusinessHoursDto): Promise<BusinessHoursDto> {
    return BusinessHoursDto.from(await this.setup.createBusinessHours(ctx, body));
  }

  @Patch('business-hours/:id')
  @Endpoint({
    operation: 'update_org_business_hours',
    summary: 'Change business hours',
    permission,
    returns: BusinessHoursDto,
    errors: [CommonErrors.duplicate],
  })
  async updateBusinessHours(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateBusinessHoursDto): Promise<BusinessHoursDto> {
    return BusinessHoursDto.from(await this.setup.updateBusinessHours(ctx, id, body));
  }

  @Delete('business-hours/:id')
  @Endpoint({
    operation: 'delete_org_business_hours',
    summary: 'Delete business hours',
    description: 'Business hours that SLA policies use cannot be deleted.',
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  async deleteBusinessHours(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    await this.setup.delete(ctx, DeskBusinessHours, id);
  }

  @Get('sla-policies')
  @Endpoint({
    operation: 'list_org_sla_policies',
    summary: 'List the SLA policies in their order',
    permission,
    returns: SlaPolicyDto,
    list: true,
  })
  async listPolicies(@Ctx() ctx: Ctx, @Query() query: SlaPoliciesQuery): Promise<ListBody<SlaPolicyDto>> {
    return listBody(await this.lookups.page(ctx, DeskSlaPolicy, query), SlaPolicyDto.from);
  }

  @Post('sla-policies')
  @Endpoint({
    operation: 'create_org_sla_policy',
    summary: 'Create an SLA policy',
    permission,
    returns: SlaPolicyDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createPolicy(@Ctx() ctx: Ctx, @Body() body: CreateSlaPolicyDto): Promise<SlaPolicyDto> {
    return SlaPolicyDto.from(await this.setup.createPolicy(ctx, body));
  }

  @Patch('sla-policies/:id')
  @Endpoint({
    operation: 'update_org_sla_policy',
    summary: 'Change an SLA policy',
    description: 'Tickets follow it from their next change on; used time is kept.',
    permission,
    returns: SlaPolicyDto,
    errors: [CommonErrors.duplicate],
  })
  async updatePolicy(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateSlaPolicyDto): Promise<SlaPolicyDto> {
    return SlaPolicyDto.from(await this.setup.updatePolicy(ctx, id, body));
  }

  @Delete('sla-policies/:id')
  @Endpoint({
    operation: 'delete_org_sla_policy',
    summary: 'Delete an SLA policy',
    description: RETIRE,
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  async deletePolicy(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    await this.setup.delete(ctx, DeskSlaPolicy, id);
  }

  @Get('mailboxes')
  @Endpoint({
    operation: 'list_org_desk_mailboxes',
    summary: 'List the mailboxes of the service desk',
    permission,
    returns: DeskMailboxDto,
    list: true,
  })
  async listMailboxes(@Ctx() ctx: Ctx, @Query() query: DeskMailboxesQuery): Promise<ListBody<DeskMailboxDto>> {
    return listBody(await this.lookups.page(ctx, DeskMailbox, query), (row) => DeskMailboxDto.from(row));
  }

  @Post('mailboxes')
  @Endpoint({
    operation: 'create_org_desk_mailbox',
    summary: 'Create a mailbox',
    permission,
    returns: DeskMailboxDto,
    status: 201,
    secrets: ['delivery_url'],
    confirmation: true,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createMailbox(@Ctx() ctx: Ctx, @Body() body: CreateDeskMailboxDto): Promise<DeskMailboxDto> {
    const { mailbox, token } = await this.setup.createMailbox(ctx, body);
    return DeskMailboxDto.from(mailbox, this.urlOf(token));
  }

  @Post('mailboxes/:id/token')
  @Endpoint({
    operation: 'renew_org_desk_mailbox_token',
    summary: 'Renew the token of a mailbox',
    description: 'The current delivery_url becomes invalid.',
    permission,
    returns: DeskMailboxDto,
    secrets: ['delivery_url'],
    confirmation: true,
    ifMatch: true,
    destructive: true,
  })
  async renewToken(@Ctx() ctx: Ctx, @Id() id: string): Promise<DeskMailboxDto> {
    const { mailbox, token } = await this.setup.renewToken(ctx, id);
    return DeskMailboxDto.from(mailbox, this.urlOf(token));
  }

  @Patch('mailboxes/:id')
  @Endpoint({
    operation: 'update_org_desk_mailbox',
    summary: 'Change a mailbox',
    permission,
    returns: DeskMailboxDto,
    errors: [CommonErrors.duplicate],
  })
  async updateMailbox(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateDeskMailboxDto): Promise<DeskMailboxDto> {
    return DeskMailboxDto.from(await this.setup.updateMailbox(ctx, id, body));
  }

  @Delete('mailboxes/:id')
  @Endpoint({
    operation: 'delete_org_desk_mailbox',
    summary: 'Delete a mailbox',
    description: RETIRE,
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  async deleteMailbox(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    await this.setup.delete(ctx, DeskMailbox, id);
  }

  @Get('settings/:project_id')
  @Endpoint({
    operation: 'get_org_desk_settings',
    summary: 'Get the service desk settings of a project',
    permission,
    returns: DeskSettingsDto,
  })
  async settings(@Ctx() ctx: Ctx, @Id('project_id', 'Id of the project.') projectId: string): Promise<DeskSettingsDto> {
    return DeskSettingsDto.from(await this.setup.settings(ctx, projectId));
  }

  @Patch('settings/:project_id')
  @Endpoint({
    operation: 'update_org_desk_settings',
    summary: 'Change the service desk settings of a project',
    permission,
    returns: DeskSettingsDto,
  })
  async updateSettings(
    @Ctx() ctx: Ctx,
    @Id('project_id', 'Id of the project.') projectId: string,
    @Body() body: UpdateDeskSettingsDto,
  ): Promise<DeskSettingsDto> {
    return DeskSettingsDto.from(await this.setup.updateSettings(ctx, projectId, body));
  }

  private urlOf(token: string): string {
    return `${this.suite.baseUrl}/api/v1/public/desk/mail/${token}`;
  }
}
