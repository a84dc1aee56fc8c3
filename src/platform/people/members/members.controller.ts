import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { OrgMembersQuery, UpdateOrgMemberDto } from './members.dto.js';
import { CreateOrgMemberDto, OrgMemberDto } from '../model/member.dto.js';
import { MembersService } from './members.service.js';
import { PeopleErrors } from '../model/people.errors.js';

@Controller('api/v1/org/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get()
  @Endpoint({
    operation: 'list_org_members',
    summary: 'List members',
    permission: null,
    returns: OrgMemberDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: OrgMembersQuery): Promise<ListBody<OrgMemberDto>> {
    return listBody(await this.members.page(ctx, query), OrgMemberDto.from);
  }

  @Get(':id')
  @Endpoint({
    operation: 'get_org_member',
    summary: 'Get a member',
    permission: null,
    returns: OrgMemberDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<OrgMemberDto> {
    return OrgMemberDto.from(await this.members.get(ctx, id));
  }

  @Post()
  @Endpoint({
    operation: 'create_org_member',
    summary: 'Add a member',
    permission: 'org.members.manage',
    returns: OrgMemberDto,
    status: 201,
    confirmation: true,
    errors: [CommonErrors.duplicate],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateOrgMemberDto): Promise<OrgMemberDto> {
    return OrgMemberDto.from(await this.members.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    operation: 'update_org_member',
    summary: 'Change, deactivate or reactivate a member',
    permission: 'org.members.manage',
    returns: OrgMemberDto,
    confirmation: true,
    errors: [PeopleErrors.lastOwner],
    description:
      'Deactivating ends the sessions of the member immediately. API keys that they created stay valid, because keys belong to the ' +
      'organization; keys bound to them can no longer act for them.',
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateOrgMemberDto): Promise<OrgMemberDto> {
    return OrgMemberDto.from(await this.members.update(ctx, id, body));
  }

  @Delete(':id/second-factor')
  @Endpoint({
    operation: 'reset_member_second_factor',
    summary: 'Remove the second factor of a member',
    permission: 'org.members.manage',
    confirmation: true,
    returns: OrgMemberDto,
    description:
      'For members who lost their phone and their recovery codes. Ends their sessions. Requires all permissions of their role; ' +
      'verify their identity first.',
  })
  async resetSecondFactor(@Ctx() ctx: Ctx, @Id() id: string): Promise<OrgMemberDto> {
    return OrgMemberDto.from(await this.members.resetSecondFactor(ctx, id));
  }
}
