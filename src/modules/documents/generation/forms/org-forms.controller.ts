import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../../kit/index.js';
import { BridgeDto, BridgeRunDto, BridgeRunsQuery, BridgesQuery, CreateBridgeDto, UpdateBridgeDto } from '../bridges/bridges.dto.js';
import { BridgesService } from '../bridges/bridges.service.js';
import { CreateFormDto, FormDto, FormsQuery, FormSubmissionDto, FormSubmissionsQuery, UpdateFormDto } from './forms.dto.js';
import { FormsService } from './forms.service.js';

const permission = 'papers.setup.manage';

@Controller('/api/v1/org/papers/forms')
export class OrgFormsController {
  constructor(
    private readonly forms: FormsService,
    private readonly bridges: BridgesService,
  ) {}

  @Get()
  @Endpoint({
    permission,
    operation: 'list_org_forms',
    summary: 'List intake forms',
    returns: FormDto,
    list: true,
  })
  list(@Ctx() ctx: Ctx, @Query() query: FormsQuery): Promise<ListBody<FormDto>> {
    return this.forms.page(ctx, query);
  }

  @Get(':id')
  @Endpoint({
    permission,
    operation: 'get_org_form',
    summary: 'Get one intake form',
    returns: FormDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<FormDto> {
    return this.forms.dto(await this.forms.get(ctx, id));
  }

  @Post()
  @Endpoint({
    permission,
    operation: 'create_org_form',
    summary: 'Create an intake form',
    description: "Each submission is an event form.submitted, which generation triggers and the form's bridges listen to.",
    returns: FormDto,
    status: 201,
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateFormDto): Promise<FormDto> {
    return this.forms.dto(await this.forms.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    permission,
    operation: 'update_org_form',
    summary: 'Change an intake form',
    returns: FormDto,
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateFormDto): Promise<FormDto> {
    return this.forms.dto(await this.forms.update(ctx, id, body));
  }

  @Delete(':id')
  @Endpoint({
    permission,
    operation: 'delete_org_form',
    summary: 'Delete an intake form',
    description: 'Only one that nobody has answered; close others by active: false.',
    returns: null,
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.forms.delete(ctx, id);
  }

  @Get(':id/submissions')
  @Endpoint({
    permission: 'papers.document.view',
    operation: 'list_org_form_submissions',
    summary: 'List what was answered on a form',
    returns: FormSubmissionDto,
    list: true,
  })
  submissions(@Ctx() ctx: Ctx, @Id() id: string, @Query() query: FormSubmissionsQuery): Promise<ListBody<FormSubmissionDto>> {
    return this.forms.submissions(ctx, id, query);
  }

  @Get(':id/bridges')
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

  @Post(':id/bridges')
  @Endpoint({
    permission,
    operation: 'create_org_form_bridge',
    summary: 'Create a bridge',
    description: 'Each submission of the form becomes a lead or a task.',
    returns: BridgeDto,
    status: 201,
  })
  async createBridge(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: CreateBridgeDto): Promise<BridgeDto> {
    return BridgeDto.from(await this.bridges.create(ctx, id, body));
  }

  @Patch(':id/bridges/:bridgeId')
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

  @Delete(':id/bridges/:bridgeId')
  @Endpoint({
    permission,
    operation: 'delete_org_form_bridge',
    summary: 'Delete a bridge',
    description: 'What it carried over stays.',
    returns: null,
  })
  deleteBridge(@Ctx() ctx: Ctx, @Id() id: string, @Id('bridgeId', 'Id of the bridge.') bridgeId: string): Promise<void> {
    return this.bridges.delete(ctx, id, bridgeId);
  }

  @Get(':id/bridge-runs')
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
