import { Controller, Get, Query } from '@nestjs/common';
import { constantList, Ctx, Endpoint, listBody, type ListBody } from '../../../kit/index.js';
import { CannedResponse } from '../model/canned-response.entity.js';
import { DeskQueue } from '../model/queue.entity.js';
import { DeskStatus } from '../model/status.entity.js';
import { PRIORITIES } from '../model/values.js';
import { DeskView } from '../model/view.entity.js';
import {
  TicketAgentDto,
  TicketAgentsQuery,
  TicketPrioritiesQuery,
  TicketPriorityDto,
  TicketQueueDto,
  TicketQueuesQuery,
  TicketStatusDto,
  TicketStatusesQuery,
} from './lookups.dto.js';
import { DeskLookups } from './lookups.service.js';
import { CannedResponseDto, CannedResponsesQuery, TicketViewDto, TicketViewsQuery } from './views.dto.js';

const SCOPE = 'desk:config:read';
const MEMBER = { permission: ['desk.ticket.manage', 'desk.setup.manage'] };

@Controller('/api/v1/ext/desk')
export class DeskLookupsController {
  constructor(private readonly lookups: DeskLookups) {}

  @Get('priorities')
  @Endpoint({
    scope: SCOPE,
    member: MEMBER,
    operation: 'list_ticket_priorities',
    summary: 'List the priorities of tickets',
    returns: TicketPriorityDto,
    list: true,
    lookup: true,
    description: 'From least to most urgent. Priorities never change, so time filters are ignored.',
  })
  priorities(@Query() query: TicketPrioritiesQuery): ListBody<TicketPriorityDto> {
    return constantList(PRIORITIES, query, TicketPriorityDto.from);
  }

  @Get('statuses')
  @Endpoint({
    scope: SCOPE,
    member: MEMBER,
    operation: 'list_ticket_statuses',
    summary: 'List the statuses of tickets',
    returns: TicketStatusDto,
    list: true,
    lookup: true,
  })
  async statuses(@Ctx() ctx: Ctx, @Query() query: TicketStatusesQuery): Promise<ListBody<TicketStatusDto>> {
    return listBody(await this.lookups.page(ctx, DeskStatus, query), TicketStatusDto.from);
  }

  @Get('queues')
  @Endpoint({
    scope: SCOPE,
    member: MEMBER,
    operation: 'list_ticket_queues',
    summary: 'List the queues of tickets',
    returns: TicketQueueDto,
    list: true,
    lookup: true,
  })
  async queues(@Ctx() ctx: Ctx, @Query() query: TicketQueuesQuery): Promise<ListBody<TicketQueueDto>> {
    return listBody(await this.lookups.page(ctx, DeskQueue, query), TicketQueueDto.from);
  }

  @Get('agents')
  @Endpoint({
    scope: SCOPE,
    member: MEMBER,
    operation: 'list_ticket_agents',
    summary: 'List the agents that tickets can be assigned to',
    returns: TicketAgentDto,
    list: true,
    lookup: true,
  })
  async agents(@Ctx() ctx: Ctx, @Query() query: TicketAgentsQuery): Promise<ListBody<TicketAgentDto>> {
    return listBody(await this.lookups.agents(ctx, query), TicketAgentDto.from);
  }

  @Get('views')
  @Endpoint({
    scope: SCOPE,
    member: MEMBER,
    operation: 'list_ticket_views',
    summary: 'List the views: stored filters',
    returns: TicketViewDto,
    list: true,
    lookup: true,
  })
  async views(@Ctx() ctx: Ctx, @Query() query: TicketViewsQuery): Promise<ListBody<TicketViewDto>> {
    return listBody(await this.lookups.page(ctx, DeskView, query), TicketViewDto.from);
  }

  @Get('canned-responses')
  @Endpoint({
    scope: SCOPE,
    member: MEMBER,
    operation: 'list_canned_responses',
    summary: 'List the canned responses',
    returns: CannedResponseDto,
    list: true,
    lookup: true,
  })
  async cannedResponses(@Ctx() ctx: Ctx, @Query() query: CannedResponsesQuery): Promise<ListBody<CannedResponseDto>> {
    return listBody(await this.lookups.page(ctx, CannedResponse, query), CannedResponseDto.from);
  }
}
