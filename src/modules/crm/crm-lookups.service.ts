import { Injectable } from '@nestjs/common';
import { CommonErrors, Members, Projects, Store, type Ctx, type Member } from '../../kit/index.js';
import type { CustomFieldsQuery, LeadStatusesQuery, PipelinesQuery } from './crm-config.dto.js';
import { requirePipeline, stagesOf, CrmConfig, type ProjectConfig } from './crm-config.service.js';
import { CrmCustomField } from './crm-custom-field.entity.js';
import { CrmPipeline } from './crm-pipeline.entity.js';
import { CrmStage } from './crm-stage.entity.js';
import { LeadSource } from './lead-source.entity.js';

/** What writers of leads, contacts and deals look up first. */
@Injectable()
export class CrmLookups {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly members: Members,
    private readonly config: CrmConfig,
  ) {}

  async pipelines(ctx: Ctx, { project_id, kind }: PipelinesQuery): Promise<CrmPipeline[]> {
    const project = await this.projects.resolve(ctx, project_id);
    return this.store.list(ctx, CrmPipeline, { project_id: project.id, kind });
  }

  /** In the order of the board; the statuses of its leads, if it is a lead pipeline. */
  async stages(ctx: Ctx, pipelineId: string): Promise<CrmStage[]> {
    const pipeline = await this.store.get(ctx, CrmPipeline, pipelineId);
    return (await this.store.list(ctx, CrmStage, { pipeline_id: pipeline.id })).sort((a, b) => a.position - b.position);
  }

  async leadStatuses(ctx: Ctx, { project_id, pipeline_id }: LeadStatusesQuery): Promise<CrmStage[]> {
    // a pipeline names its project, so a key of the whole organisation need not send both
    const known = pipeline_id === undefined || project_id !== undefined ? null : await this.store.find(ctx, CrmPipeline, pipeline_id);
    if (pipeline_id !== undefined && project_id === undefined && !known) throw CommonErrors.validationFailed({ param: 'pipeline_id', message: 'pipeline_id must be a pipeline that list_pipelines returns' });
    const project = await this.projects.resolve(ctx, project_id ?? known?.project_id);
    const config = await this.read(ctx, project.id);
    return stagesOf(config, requirePipeline(config, 'lead', pipeline_id).id);
  }

  async sources(ctx: Ctx, projectId: string | undefined): Promise<LeadSource[]> {
    const project = await this.projects.resolve(ctx, projectId);
    return this.store.list(ctx, LeadSource, { project_id: project.id });
  }

  async customFields(ctx: Ctx, { project_id, resource }: CustomFieldsQuery): Promise<CrmCustomField[]> {
    const project = await this.projects.resolve(ctx, project_id);
    return this.store.list(ctx, CrmCustomField, { project_id: project.id, resource });
  }

  async activeMembers(ctx: Ctx): Promise<Member[]> {
    return (await this.members.list(ctx)).filter(({ status }) => status === 'active');
  }

  private read(ctx: Ctx, projectId: string): Promise<ProjectConfig> {
    return this.config.of({ list: (entity, where) => this.store.list(ctx, entity, where) }, projectId);
  }
}
