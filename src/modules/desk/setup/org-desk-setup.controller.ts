import { Body, Controller, Delete, Patch, Post } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id } from '../../../kit/index.js';
import {
  CreateTicketAgentDto,
  CreateTicketQueueDto,
  CreateTicketStatusDto,
  TicketAgentDto,
  TicketQueueDto,
  TicketStatusDto,
  UpdateTicketAgentDto,
  UpdateTicketQueueDto,
  UpdateTicketStatusDto,
} from '../lookups/lookups.dto.js';
import { DeskLookups } from '../lookups/lookups.service.js';
import {
  CannedResponseDto,
  CreateCannedResponseDto,
  CreateTicketViewDto,
  TicketViewDto,
  UpdateCannedResponseDto,
  UpdateTicketViewDto,
} from '../lookups/views.dto.js';
import { DeskAgent } from '../model/agent.entity.js';
import { CannedResponse } from '../model/canned-response.entity.js';
import { DeskQueue } from '../model/queue.entity.js';
import { DeskStatus } from '../model/status.entity.js';
import { DeskView } from '../model/view.entity.js';
import { DeskSetup } from './desk-setup.service.js';

const permission = 'desk.setup.manage';
const RETIRE = 'One that is in use cannot be deleted; send active: false instead.';

/** Setup of the configuration that tickets refer to, and that the look-ups list. */
@Controller('/api/v1/org/desk')
export class OrgDeskSetupController {
  constructor(
    private readonly setup: DeskSetup,
    private readonly lookups: DeskLookups,
  ) {}

  @Post('statuses')
  @Endpoint({
    operation: 'create_org_ticket_status',
    summary: 'Create a status of tickets',
    permission,
    returns: TicketStatusDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createStatus(@Ctx() ctx: Ctx, @Body() body: CreateTicketStatusDto): Promise<TicketStatusDto> {
    return TicketStatusDto.from(await this.setup.createStatus(ctx, body));
  }

  @Patch('statuses/:id')
  @Endpoint({
    operation: 'update_org_ticket_status',
    summary: 'Change a status of tickets',
    permission,
    returns: TicketStatusDto,
    errors: [CommonErrors.duplicate],
  })
  async updateStatus(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateTicketStatusDto): Promise<TicketStatusDto> {
    return TicketStatusDto.from(await this.setup.updateStatus(ctx, id, body));
  }

  @Delete('statuses/:id')
  @Endpoint({
    operation: 'delete_org_ticket_status',
    summary: 'Delete a status of tickets',
    description: RETIRE,
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  async deleteStatus(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    await this.setup.delete(ctx, DeskStatus, id);
  }

  @Post('queues')
  @Endpoint({
    operation: 'create_org_ticket_queue',
    summary: 'Create a queue',
    permission,
    returns: TicketQueueDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createQueue(@Ctx() ctx: Ctx, @Body() body: CreateTicketQueueDto): Promise<TicketQueueDto> {
    return TicketQueueDto.from(await this.setup.createQueue(ctx, body));
  }

  @Patch('queues/:id')
  @Endpoint({
    operation: 'update_org_ticket_queue',
    summary: 'Change a queue',
    permission,
    returns: TicketQueueDto,
    errors: [CommonErrors.duplicate],
  })
  async updateQueue(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateTicketQueueDto): Promise<TicketQueueDto> {
    return TicketQueueDto.from(await this.setup.updateQueue(ctx, id, body));
  }

  @Delete('queues/:id')
  @Endpoint({
    operation: 'delete_org_ticket_queue',
    summary: 'Delete a queue',
    description: RETIRE,
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  async deleteQueue(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    await this.setup.delete(ctx, DeskQueue, id);
  }

  @Post('agents')
  @Endpoint({
    operation: 'create_org_ticket_agent',
    summary: 'Create an agent',
    permission,
    returns: TicketAgentDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createAgent(@Ctx() ctx: Ctx, @Body() body: CreateTicketAgentDto): Promise<TicketAgentDto> {
    return TicketAgentDto.from(await this.lookups.agent(ctx, (await this.setup.createAgent(ctx, body)).id));
  }

  @Patch('agents/:id')
  @Endpoint({
    operation: 'update_org_ticket_agent',
    summary: 'Change an agent',
    permission,
    returns: TicketAgentDto,
    errors: [CommonErrors.duplicate],
  })
  async updateAgent(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateTicketAgentDto): Promise<TicketAgentDto> {
    return TicketAgentDto.from(await this.lookups.agent(ctx, (await this.setup.updateAgent(ctx, id, body)).id));
  }

  @Delete('agents/:id')
  @Endpoint({
    operation: 'delete_org_ticket_agent',
    summary: 'Delete an agent',
    description: RETIRE,
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  async deleteAgent(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    await this.setup.delete(ctx, DeskAgent, id);
  }

  @Post('views')
  @Endpoint({
    operation: 'create_org_ticket_view',
    summary: 'Create a view',
    permission,
    returns: TicketViewDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createView(@Ctx() ctx: Ctx, @Body() body: CreateTicketViewDto): Promise<TicketViewDto> {
    return TicketViewDto.from(await this.setup.createView(ctx, body));
  }

  @Patch('views/:id')
  @Endpoint({
    operation: 'update_org_ticket_view',
    summary: 'Change a view',
    permission,
    returns: TicketViewDto,
    errors: [CommonErrors.duplicate],
  })
  async updateView(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateTicketViewDto): Promise<TicketViewDto> {
    return TicketViewDto.from(await this.setup.updateView(ctx, id, body));
  }

  @Delete('views/:id')
  @Endpoint({
    operation: 'delete_org_ticket_view',
    summary: 'Delete a view',
    description: RETIRE,
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  async deleteView(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    await this.setup.delete(ctx, DeskView, id);
  }

  @Post('canned-responses')
  @Endpoint({
    operation: 'create_org_canned_response',
    summary: 'Create a canned response',
    permission,
    returns: CannedResponseDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createCannedResponse(@Ctx() ctx: Ctx, @Body() body: CreateCannedResponseDto): Promise<CannedResponseDto> {
    return CannedResponseDto.from(await this.setup.createCannedResponse(ctx, body));
  }

  @Patch('canned-responses/:id')
  @Endpoint({
    operation: 'update_org_canned_response',
    summary: 'Change a canned response',
    permission,
    returns: CannedResponseDto,
    errors: [CommonErrors.duplicate],
  })
  async updateCannedResponse(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateCannedResponseDto): Promise<CannedResponseDto> {
    return CannedResponseDto.from(await this.setup.updateCannedResponse(ctx, id, body));
  }

  @Delete('canned-responses/:id')
  @Endpoint({
    operation: 'delete_org_canned_response',
    summary: 'Delete a canned response',
    description: RETIRE,
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  async deleteCannedResponse(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    await this.setup.delete(ctx, CannedResponse, id);
  }
}
