import { Injectable } from '@nestjs/common';
import { CommonErrors, invalid, Projects, Store, type Ctx, type Tx } from '../../../kit/index.js';
import { requireNoRule } from '../assignment/used-by-rules.js';
import { CrmConfig } from '../config/crm-config.service.js';
import { requireBelowLimit } from '../fields/crm-limits.js';
import { CrmPipeline } from '../pipelines/crm-pipeline.entity.js';
import { CrmStage } from '../pipelines/crm-stage.entity.js';
import type { CreatePipelineDto, CreateStageDto, UpdatePipelineDto, UpdateStageDto } from '../pipelines/pipelines.dto.js';
import type { PipelineKind } from '../pipelines/stage-kind.js';

/** Changes a project's pipelines and stages. Those with leads or deals, or in assignment rules, cannot be deleted. */
@Injectable()
export class CrmPipelinesService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: CrmConfig,
  ) {}

  async create(ctx: Ctx, { project_id, kind, name, is_default = false, stages }: CreatePipelineDto): Promise<CrmPipeline> {
    const project = await this.projects.resolve(ctx, project_id);
    if (stages.every((stage) => stage.kind !== 'open')) throw invalid('stages', 'must include at least one of kind open');
    return this.config.change(ctx, project.id, async (tx) => {
      requireBelowLimit('pipelines', await tx.list(CrmPipeline, { project_id: project.id }));
      if (is_default) await this.unsetDefault(tx, project.id, kind);
      const pipeline = await tx.insert(CrmPipeline, { project_id: project.id, kind, name, is_default });
      for (const [index, stage] of stages.entries()) {
        await tx.insert(CrmStage, {
          project_id: project.id,
          pipeline_id: pipeline.id,
          pipeline_kind: kind,
          name: stage.name,
          kind: stage.kind,
          position: index + 1,
        });
      }
      return pipeline;
    });
  }

  async update(ctx: Ctx, id: string, { name, is_default }: UpdatePipelineDto): Promise<CrmPipeline> {
    const { project_id } = await this.store.get(ctx, CrmPipeline, id);
    return this.config.change(ctx, project_id, async (tx) => {
      const pipeline = await tx.target(CrmPipeline, id);
      if (pipeline.is_default && is_default === false)
        throw invalid('is_default', 'cannot be set to false: make another pipeline the default instead');
      if (!pipeline.is_default && is_default) await this.unsetDefault(tx, project_id, pipeline.kind);
      return tx.update(pipeline, { name, is_default });
    });
  }

  async delete(ctx: Ctx, id: string): Promise<void> {
    const { project_id } = await this.store.get(ctx, CrmPipeline, id);
    return this.config.change(ctx, project_id, async (tx) => {
      const pipeline = await tx.target(CrmPipeline, id);
      if (pipeline.is_default)
        throw CommonErrors.resourceConflict({ message: 'The default pipeline cannot be deleted; make another one the default first.' });
      const stages = await tx.list(CrmStage, { pipeline_id: id });
      await requireNoRule(tx, project_id, [
        ['pipeline_id', [id]],
        ['status_id', stages.map((stage) => stage.id)],
      ]);
      await tx.delete(pipeline);
    });
  }

  async createStage(ctx: Ctx, pipelineId: string, { name, kind, position }: CreateStageDto): Promise<CrmStage> {
    const { project_id } = await this.store.get(ctx, CrmPipeline, pipelineId);
    return this.config.change(ctx, project_id, async (tx) => {
      const pipeline = await tx.get(CrmPipeline, pipelineId);
      const others = await tx.list(CrmStage, { pipeline_id: pipelineId });
      requireBelowLimit('stages', others);
      return tx.insert(CrmStage, {
        project_id,
        pipeline_id: pipelineId,
        pipeline_kind: pipeline.kind,
        name,
        kind,
        position: position ?? Math.max(0, ...others.map((stage) => stage.position)) + 1,
      });
    });
  }

  async updateStage(ctx: Ctx, id: string, { name, position }: UpdateStageDto): Promise<CrmStage> {
    const { project_id } = await this.store.get(ctx, CrmStage, id);
    return this.config.change(ctx, project_id, async (tx) => tx.update(await tx.target(CrmStage, id), { name, position }));
  }

  async deleteStage(ctx: Ctx, id: string): Promise<void> {
    const { project_id, pipeline_id } = await this.store.get(ctx, CrmStage, id);
    return this.config.change(ctx, project_id, async (tx) => {
      const stage = await tx.target(CrmStage, id);
      const others = (await tx.list(CrmStage, { pipeline_id })).filter((other) => other.id !== id);
      if (others.every(({ kind }) => kind !== 'open'))
        throw CommonErrors.resourceConflict({
          message: 'The last open stage of a pipeline cannot be deleted; delete the pipeline instead.',
        });
      await requireNoRule(tx, project_id, [['status_id', [id]]]);
      await tx.delete(stage);
    });
  }

  private async unsetDefault(tx: Tx, projectId: string, kind: PipelineKind): Promise<void> {
    for (const { id } of await tx.list(CrmPipeline, { project_id: projectId, kind, is_default: true }))
      await tx.update(await tx.lock(CrmPipeline, id), { is_default: false });
  }
}
