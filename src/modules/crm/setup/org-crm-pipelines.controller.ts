import { Body, Controller, Delete, Patch, Post } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id } from '../../../kit/index.js';
import { LIMITS } from '../fields/crm-limits.js';
import {
  CreatePipelineDto,
  CreateStageDto,
  CrmPipelineDto,
  CrmStageDto,
  UpdatePipelineDto,
  UpdateStageDto,
} from '../pipelines/pipelines.dto.js';
import { CrmPipelinesService } from './crm-pipelines.service.js';

const permission = 'org.crm.manage';

@Controller('api/v1/org/crm')
export class OrgCrmPipelinesController {
  constructor(private readonly pipelines: CrmPipelinesService) {}

  @Post('pipelines')
  @Endpoint({
    operation: 'create_org_crm_pipeline',
    summary: 'Create a pipeline with its stages',
    description: `At most ${LIMITS.pipelines.count} in a project, of ${LIMITS.stages.count} stages each.`,
    permission,
    returns: CrmPipelineDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreatePipelineDto): Promise<CrmPipelineDto> {
    return CrmPipelineDto.from(await this.pipelines.create(ctx, body));
  }

  @Patch('pipelines/:id')
  @Endpoint({
    operation: 'update_org_crm_pipeline',
    summary: 'Rename a pipeline or make it the default',
    permission,
    returns: CrmPipelineDto,
    errors: [CommonErrors.duplicate],
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdatePipelineDto): Promise<CrmPipelineDto> {
    return CrmPipelineDto.from(await this.pipelines.update(ctx, id, body));
  }

  @Delete('pipelines/:id')
  @Endpoint({
    operation: 'delete_org_crm_pipeline',
    summary: 'Delete an empty pipeline',
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.pipelines.delete(ctx, id);
  }

  @Post('pipelines/:id/stages')
  @Endpoint({
    operation: 'create_org_crm_stage',
    summary: 'Add a stage to a pipeline',
    description: `At most ${LIMITS.stages.count}.`,
    permission,
    returns: CrmStageDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createStage(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: CreateStageDto): Promise<CrmStageDto> {
    return CrmStageDto.from(await this.pipelines.createStage(ctx, id, body));
  }

  @Patch('stages/:id')
  @Endpoint({
    operation: 'update_org_crm_stage',
    summary: 'Rename or move a stage',
    permission,
    returns: CrmStageDto,
    errors: [CommonErrors.duplicate],
  })
  async updateStage(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateStageDto): Promise<CrmStageDto> {
    return CrmStageDto.from(await this.pipelines.updateStage(ctx, id, body));
  }

  @Delete('stages/:id')
  @Endpoint({
    operation: 'delete_org_crm_stage',
    summary: 'Delete an empty stage',
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  deleteStage(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.pipelines.deleteStage(ctx, id);
  }
}
