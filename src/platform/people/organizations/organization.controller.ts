import { Body, Controller, Get, Patch } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint } from '../../../kit/index.js';
import { OrganizationDto, UpdateOrganizationDto } from './organization.dto.js';
import { OrganizationsService } from './organizations.service.js';

@Controller('api/v1/org/organization')
export class OrganizationController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @Endpoint({
    operation: 'get_organization',
    summary: 'Get your organization',
    permission: null,
    returns: OrganizationDto,
  })
  async get(@Ctx() ctx: Ctx): Promise<OrganizationDto> {
    return OrganizationDto.from(await this.organizations.get(ctx));
  }

  @Patch()
  @Endpoint({
    operation: 'update_organization',
    summary: 'Change the settings of your organization',
    permission: 'org.members.manage',
    confirmation: true,
    returns: OrganizationDto,
    errors: [CommonErrors.resourceConflict],
    description: 'To require a second factor you must have one yourself.',
  })
  async update(@Ctx() ctx: Ctx, @Body() body: UpdateOrganizationDto): Promise<OrganizationDto> {
    return OrganizationDto.from(await this.organizations.update(ctx, body));
  }
}
