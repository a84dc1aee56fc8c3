import { Body, Controller, Get, Patch, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { RequesterDto, RequestersQuery, UpdateRequesterDto } from './requesters.dto.js';
import { RequestersService } from './requesters.service.js';
import { RequesterEvents } from './requesters.events.js';

const member = { permission: 'desk.ticket.manage' };

@Controller('/api/v1/ext/desk/requesters')
export class RequestersController {
  constructor(private readonly requesters: RequestersService) {}

  @Get()
  @Endpoint({
    scope: 'desk:ticket:read',
    member,
    operation: 'list_requesters',
    summary: 'List the people who asked for help',
    returns: RequesterDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: RequestersQuery): Promise<ListBody<RequesterDto>> {
    return listBody(await this.requesters.page(ctx, query), RequesterDto.from);
  }

  @Get(':id')
  @Endpoint({
    scope: 'desk:ticket:read',
    member,
    operation: 'get_requester',
    summary: 'Get one requester',
    returns: RequesterDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<RequesterDto> {
    return RequesterDto.from(await this.requesters.get(ctx, id));
  }

  @Patch(':id')
  @Endpoint({
    scope: 'desk:ticket:write',
    member,
    operation: 'update_requester',
    summary: 'Change a requester',
    returns: RequesterDto,
    emits: [RequesterEvents.requesterUpdated],
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateRequesterDto): Promise<RequesterDto> {
    return RequesterDto.from(await this.requesters.update(ctx, id, body));
  }
}
