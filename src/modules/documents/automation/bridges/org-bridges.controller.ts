import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../../kit/index.js';
import { BridgeDto, BridgeRunDto, BridgeRunsQuery, BridgesQuery, CreateBridgeDto, UpdateBridgeDto } from './bridges.dto.js';
import { BridgesService } from './bridges.service.js';

const permission = 'papers.setup.manage';

@Controller('/api/v1/org/papers/forms/:id')
export class OrgBridgesController {
  constructor(private readonly bridges: BridgesService) {}

  @Get('bridges')
  @Endpoint({
    permission,
    operation: 'list_org_form_bridges',
    summary: 'List the bridges of a form',
    returns: BridgeDto,
    list: true,
  })
  async listBridges(@Ctx() ctx: Ctx, @Id() id: string, @Query() query: BridgesQuery): Promise<ListBody<BridgeDto>> {
    return listBody(await this.bridges.page(ctx, id, query), BridgeDto.from);
  }

  @Post('bridges')
  @Endpoint({
    permission,
    operation: 'create_org_form_bridge',
    summary: 'Create a bridge',
    description: 'Each submission of the form becomes a lead, a task or a ticket.',
    returns: BridgeDto,
    status: 201,
  })
  async createBridge(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: CreateBridgeDto): Promise<BridgeDto> {
    return BridgeDto.from(await this.bridges.create(ctx, id, body));
  }

  @Patch('bridges/:bridgeId')
  @Endpoint({
    permission,
    operation: 'update_org_form_bridge',
    summary: 'Change a bridge',
    returns: BridgeDto,
  })
  async updateBridge(
    @Ctx() ctx: Ctx,
    @Id() id: string,
    @Id('bridgeId', 'Id of the bridge.') bridgeId: string,
    @Body() body: UpdateBridgeDto,
  ): Promise<BridgeDto> {
    return BridgeDto.from(await this.bridges.update(ctx, id, bridgeId, body));
  }

  @Delete('bridges/:bridgeId')
  @Endpoint({
    permission,
    operation: 'delete_org_form_bridge',
    summary: 'Delete a bridge',
    description: 'Keeps the records it created.',
    returns: null,
  })
  deleteBridge(@Ctx() ctx: Ctx, @Id() id: string, @Id('bridgeId', 'Id of the bridge.') bridgeId: string): Promise<void> {
    return this.bridges.delete(ctx, id, bridgeId);
  }

  @Get('bridge-runs')
  @Endpoint({
    permission: 'papers.document.view',
    operation: 'list_org_form_bridge_runs',
    summary: "List the runs of a form's bridges",
    returns: BridgeRunDto,
    list: true,
  })
  async runs(@Ctx() ctx: Ctx, @Id() id: string, @Query() query: BridgeRunsQuery): Promise<ListBody<BridgeRunDto>> {
    return listBody(await this.bridges.runs(ctx, id, query), BridgeRunDto.from);
  }
}
