import { Injectable } from '@nestjs/common';
import { CommonErrors, Members, Projects, Store, type Condition, type Ctx, type Member, type Page } from '../../kit/index.js';
import type { CrmMembersQuery, CustomFieldsQuery, LeadSourcesQuery, LeadStatusesQuery, PipelinesQuery, PipelineStagesQuery } from './crm-config.dto.js';
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

  async pipelines(ctx: Ctx, { project_id, kind }: Pick<PipelinesQuery, 'project_id' | 'kind'>): Promise<CrmPipeline[]> {
    const project = await this.projects.resolve(ctx, project_id);
    return this.store.list(ctx, CrmPipeline, { project_id: project.id, kind });
  }

  /** In the order of the board; the statuses of its leads, if it is a lead pipeline. */
  async stages(ctx: Ctx, pipelineId: string): Promise<CrmStage[]> {
    const pipeline = await this.store.get(ctx, CrmPipeline, pipelineId);
    return (await this.store.list(ctx, CrmStage, { pipeline_id: pipeline.id })).sort((a, b) => a.position - b.position);
  }

  async leadStatuses(ctx: Ctx, { project_id, pipeline_id }: Pick<LeadStatusesQuery, 'project_id' | 'pipeline_id'>): Promise<CrmStage[]> {
    const { config, pipeline } = await this.leadPipeline(ctx, project_id, pipeline_id);
    return stagesOf(config, pipeline.id);
  }

  private async leadPipeline(ctx: Ctx, project_id: string | undefined, pipeline_id: string | undefined): Promise<{ config: ProjectConfig; pipeline: CrmPipeline }> {
    // a pipeline names its project, so a key of the whole organisation need not send both
    const known = pipeline_id === undefined || project_id !== undefined ? null : await this.store.find(ctx, CrmPipeline, pipeline_id);
    if (pipeline_id !== undefined && project_id === undefined && !known) throw CommonErrors.validationFailed({ param: 'pipeline_id', message: 'pipeline_id must be a pipeline that list_pipelines returns' });
    const project = await this.projects.resolve(ctx, project_id ?? known?.project_id);
    const config = await this.read(ctx, project.id);
    return { config, pipeline: requirePipeline(config, 'lead', pipeline_id) };
  }

  async sources(ctx: Ctx, projectId: string | undefined): Promise<LeadSource[]> {
    const project = await this.projects.resolve(ctx, projectId);
    return this.store.list(ctx, LeadSource, { project_id: project.id });
  }

  async customFields(ctx: Ctx, { project_id, resource }: Pick<CustomFieldsQuery, 'project_id' | 'resource'>): Promise<CrmCustomField[]> {
    const project = await this.projects.resolve(ctx, project_id);
    return this.store.list(ctx, CrmCustomField, { project_id: project.id, resource });
  }

  async pipelinePage(ctx: Ctx, query: PipelinesQuery): Promise<Page<CrmPipeline>> {
    return this.store.page(ctx, CrmPipeline, query, ...(await this.ofProject(ctx, query)), ...equal('kind', query.kind));
  }

  async stagePage(ctx: Ctx, pipelineId: string, query: PipelineStagesQuery): Promise<Page<CrmStage>> {
    const pipeline = await this.store.get(ctx, CrmPipeline, pipelineId);
    return this.store.page(ctx, CrmStage, query, ...equal('pipeline_id', pipeline.id));
  }

  async leadStatusPage(ctx: Ctx, query: LeadStatusesQuery): Promise<Page<CrmStage>> {
    const { pipeline } = await this.leadPipeline(ctx, query.project_id, query.pipeline_id);
    return this.store.page(ctx, CrmStage, query, ...equal('pipeline_id', pipeline.id));
  }

  async sourcePage(ctx: Ctx, query: LeadSourcesQuery): Promise<Page<LeadSource>> {
    return this.store.page(ctx, LeadSource, query, ...(await this.ofProject(ctx, query)));
  }

  async customFieldPage(ctx: Ctx, query: CustomFieldsQuery): Promise<Page<CrmCustomField>> {
    return this.store.page(ctx, CrmCustomField, query, ...(await this.ofProject(ctx, query)), ...equal('resource', query.resource));
  }

  activeMemberPage(ctx: Ctx, query: CrmMembersQuery): Promise<Page<Member>> {
    return this.members.page(ctx, query, ...equal('status', 'active'));
  }

  private async ofProject(ctx: Ctx, { project_id }: { project_id?: string }): Promise<Condition[]> {
    return equal('project_id', (await this.projects.resolve(ctx, project_id)).id);
  }

  private read(ctx: Ctx, projectId: string): Promise<ProjectConfig> {
    return this.config.of({ list: (entity, where) => this.store.list(ctx, entity, where) }, projectId);
  }
}

function equal(column: string, value: string | undefined): Condition[] {
  return value === undefined ? [] : [{ sql: `t.${column} = :${column}`, values: { [column]: value } }];
}
