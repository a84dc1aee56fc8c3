import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { AssignmentRuleDto, CreateAssignmentRuleDto, UpdateAssignmentRuleDto } from '../assignment/assignment-rules.dto.js';
import { LeadAssignmentRule } from '../assignment/lead-assignment-rule.entity.js';
import { CrmSettingsDto, UpdateCrmSettingsDto } from '../config/crm-settings.dto.js';
import { LeadSource } from '../config/lead-source.entity.js';
import { CreateLeadSourceDto, LeadSourceDto, UpdateLeadSourceDto } from '../config/lead-sources.dto.js';
import { CreateCustomFieldDto, CrmCustomFieldDto, UpdateCustomFieldDto } from '../custom-fields/custom-fields.dto.js';
import { LIMITS } from '../fields/crm-limits.js';
import { AssignmentRulesQuery } from '../lookups/crm-lookups.dto.js';
import { CrmLookups } from '../lookups/crm-lookups.service.js';
import { CrmSetupService } from './crm-setup.service.js';

const permission = 'org.crm.manage';

@Controller('api/v1/org/crm')
export class OrgCrmSetupController {
  constructor(
    private readonly lookups: CrmLookups,
    private readonly setup: CrmSetupService,
  ) {}

  @Post('sources')
  @Endpoint({
    operation: 'create_org_crm_source',
    summary: 'Create a lead source',
    description: `At most ${LIMITS['lead sources'].count} in a project.`,
    permission,
    returns: LeadSourceDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createSource(@Ctx() ctx: Ctx, @Body() body: CreateLeadSourceDto): Promise<LeadSourceDto> {
    return LeadSourceDto.from(await this.setup.createSource(ctx, body));
  }

  @Patch('sources/:id')
  @Endpoint({
    operation: 'update_org_crm_source',
    summary: 'Rename a lead source',
    permission,
    returns: LeadSourceDto,
    errors: [CommonErrors.duplicate],
  })
  async updateSource(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateLeadSourceDto): Promise<LeadSourceDto> {
    return LeadSourceDto.from(await this.setup.updateSource(ctx, id, body));
  }

  @Delete('sources/:id')
  @Endpoint({
    operation: 'delete_org_crm_source',
    summary: 'Delete an unused lead source',
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  deleteSource(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.delete(ctx, LeadSource, id);
  }

  @Post('custom-fields')
  @Endpoint({
    operation: 'create_org_crm_custom_field',
    summary: 'Define a custom field',
    description: `At most ${LIMITS['custom fields of a kind'].count} each for the leads, contacts and deals of a project.`,
    permission,
    returns: CrmCustomFieldDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createCustomField(@Ctx() ctx: Ctx, @Body() body: CreateCustomFieldDto): Promise<CrmCustomFieldDto> {
    return CrmCustomFieldDto.from(await this.setup.createCustomField(ctx, body));
  }

  @Patch('custom-fields/:id')
  @Endpoint({
    operation: 'update_org_crm_custom_field',
    summary: 'Change a custom field',
    permission,
    returns: CrmCustomFieldDto,
  })
  async updateCustomField(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateCustomFieldDto): Promise<CrmCustomFieldDto> {
    return CrmCustomFieldDto.from(await this.setup.updateCustomField(ctx, id, body));
  }

  @Delete('custom-fields/:id')
  @Endpoint({
    operation: 'delete_org_crm_custom_field',
    summary: 'Delete an unused custom field',
    description: 'A field for which records have a value cannot be deleted; send active: false instead.',
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  deleteCustomField(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.deleteCustomField(ctx, id);
  }

  @Get('assignment-rules')
  @Endpoint({
    operation: 'list_org_crm_assignment_rules',
    summary: 'List the assignment rules of a project',
    description: 'In the order of evaluation.',
    permission: null,
    returns: AssignmentRuleDto,
    list: true,
  })
  async rules(@Ctx() ctx: Ctx, @Query() query: AssignmentRulesQuery): Promise<ListBody<AssignmentRuleDto>> {
    return listBody(await this.lookups.rulePage(ctx, query), AssignmentRuleDto.from);
  }

  @Post('assignment-rules')
  @Endpoint({
    operation: 'create_org_crm_assignment_rule',
    summary: 'Create an assignment rule',
    description: `At most ${LIMITS['assignment rules'].count} in a project.`,
    permission,
    returns: AssignmentRuleDto,
    status: 201,
    errors: [CommonErrors.resourceConflict],
  })
  async createRule(@Ctx() ctx: Ctx, @Body() body: CreateAssignmentRuleDto): Promise<AssignmentRuleDto> {
    return AssignmentRuleDto.from(await this.setup.createRule(ctx, body));
  }

  @Patch('assignment-rules/:id')
  @Endpoint({
    operation: 'update_org_crm_assignment_rule',
    summary: 'Change, move or disable an assignment rule',
    permission,
    returns: AssignmentRuleDto,
  })
  async updateRule(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateAssignmentRuleDto): Promise<AssignmentRuleDto> {
    return AssignmentRuleDto.from(await this.setup.updateRule(ctx, id, body));
  }

  @Delete('assignment-rules/:id')
  @Endpoint({
    operation: 'delete_org_crm_assignment_rule',
    summary: 'Delete an assignment rule',
    permission,
    returns: null,
  })
  deleteRule(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.delete(ctx, LeadAssignmentRule, id);
  }

  @Get('settings/:project_id')
  @Endpoint({
    operation: 'get_org_crm_settings',
    summary: 'Get the CRM settings of a project',
    permission: null,
    returns: CrmSettingsDto,
  })
  async settings(@Ctx() ctx: Ctx, @Id('project_id', 'Id of the project.') projectId: string): Promise<CrmSettingsDto> {
    return CrmSettingsDto.from(await this.setup.settings(ctx, projectId));
  }

  @Patch('settings/:project_id')
  @Endpoint({
    operation: 'update_org_crm_settings',
    summary: 'Change the CRM settings of a project',
    permission,
    returns: CrmSettingsDto,
  })
  async updateSettings(
    @Ctx() ctx: Ctx,
    @Id('project_id', 'Id of the project.') projectId: string,
    @Body() body: UpdateCrmSettingsDto,
  ): Promise<CrmSettingsDto> {
    return CrmSettingsDto.from(await this.setup.updateSettings(ctx, projectId, body));
  }
}
