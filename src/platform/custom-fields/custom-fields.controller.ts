import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../kit/index.js';
import { CustomFieldDto } from '../../kit/internal.js';
import { CustomFieldErrors } from './custom-field.errors.js';
import {
  CreateOrgCustomFieldDto,
  CustomFieldResourcesDto,
  DeleteOrgCustomFieldQuery,
  OrderOrgCustomFieldsDto,
  OrgCustomFieldsQuery,
  UpdateOrgCustomFieldDto,
} from './custom-fields.dto.js';
import { CustomFieldsService } from './custom-fields.service.js';
import { MOST_FIELDS, MOST_FILTERABLE } from './custom-field-limits.js';

const permission = 'org.custom_fields.manage';
const KEPT = 'It can be restored for 30 days; until then records keep the values, which nobody sees. Then they are deleted.';

@Controller('api/v1/org/custom-fields')
export class CustomFieldsController {
  constructor(private readonly fields: CustomFieldsService) {}

  @Get()
  @Endpoint({
    operation: 'list_org_custom_fields',
    summary: 'List custom fields',
    permission: null,
    returns: CustomFieldDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: OrgCustomFieldsQuery): Promise<ListBody<CustomFieldDto>> {
    const { resource: resources, project_id: projectId, deleted } = query;
    return listBody(await this.fields.page(ctx, query, { resources, projectId, deleted }), CustomFieldDto.from);
  }

  @Get('resources')
  @Endpoint({
    operation: 'list_org_custom_field_resources',
    summary: 'List the resources that can have custom fields',
    permission: null,
    returns: CustomFieldResourcesDto,
  })
  resources(): CustomFieldResourcesDto {
    return { object: 'custom_field_resources', resources: this.fields.resources() };
  }

  @Get(':id')
  @Endpoint({
    operation: 'get_org_custom_field',
    summary: 'Get a custom field',
    permission: null,
    returns: CustomFieldDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<CustomFieldDto> {
    return CustomFieldDto.from(await this.fields.get(ctx, id));
  }

  @Post()
  @Endpoint({
    operation: 'create_org_custom_field',
    summary: 'Add a field to a resource',
    description: `A resource has at most ${MOST_FIELDS} fields in each project, of which ${MOST_FILTERABLE} are filterable.`,
    permission,
    returns: CustomFieldDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateOrgCustomFieldDto): Promise<CustomFieldDto> {
    return CustomFieldDto.from(await this.fields.create(ctx, body));
  }

  @Post('order')
  @Endpoint({
    operation: 'order_org_custom_fields',
    summary: 'Put custom fields in an order',
    permission,
    returns: null,
  })
  order(@Ctx() ctx: Ctx, @Body() { ids }: OrderOrgCustomFieldsDto): Promise<void> {
    return this.fields.order(ctx, ids);
  }

  @Patch(':id')
  @Endpoint({
    operation: 'update_org_custom_field',
    summary: 'Change a custom field',
    permission,
    returns: CustomFieldDto,
    errors: [CommonErrors.resourceConflict],
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateOrgCustomFieldDto): Promise<CustomFieldDto> {
    return CustomFieldDto.from(await this.fields.update(ctx, id, body));
  }

  @Delete(':id')
  @Endpoint({
    operation: 'delete_org_custom_field',
    summary: 'Delete a custom field',
    description: `If records have values, the error says how many, and the call must be confirmed. ${KEPT}`,
    permission,
    returns: null,
    errors: [CustomFieldErrors.hasValues],
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string, @Query() { confirm }: DeleteOrgCustomFieldQuery): Promise<void> {
    return this.fields.delete(ctx, id, confirm ?? false);
  }

  @Post(':id/restore')
  @Endpoint({
    operation: 'restore_org_custom_field',
    summary: 'Restore a deleted custom field with its values',
    permission,
    returns: CustomFieldDto,
    ifMatch: true,
    errors: [CommonErrors.resourceConflict],
  })
  async restore(@Ctx() ctx: Ctx, @Id() id: string): Promise<CustomFieldDto> {
    return CustomFieldDto.from(await this.fields.restore(ctx, id));
  }
}
