import { Injectable } from '@nestjs/common';
import {
  CustomFieldCatalog,
  invalid,
  Members,
  Projects,
  Store,
  type Ctx,
  type CustomFieldRow,
  type Member,
  type Page,
} from '../../../kit/index.js';
import { CUSTOM_FIELD_RESOURCES } from '../custom-fields/custom-fields.js';
import type {
  AssignmentRulesQuery,
  CrmMembersQuery,
  CustomFieldsQuery,
  DealStagesQuery,
  LeadSourcesQuery,
  LeadStatusesQuery,
  PipelinesQuery,
  PipelineStagesQuery,
} from './crm-lookups.dto.js';
import { CrmConfig, requirePipeline } from '../config/crm-config.service.js';
import { CrmPipeline } from '../pipelines/crm-pipeline.entity.js';
import { CrmStage } from '../pipelines/crm-stage.entity.js';
import type { PipelineKind } from '../pipelines/stage-kind.js';
import { LeadAssignmentRule } from '../assignment/lead-assignment-rule.entity.js';
import { LeadSource } from '../config/lead-source.entity.js';

/** Lists the configuration that callers need before they write leads, contacts or deals. */
@Injectable()
export class CrmLookups {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly members: Members,
    private readonly config: CrmConfig,
    private readonly customFields: CustomFieldCatalog,
  ) {}

  async pipelinePage(ctx: Ctx, query: PipelinesQuery): Promise<Page<CrmPipeline>> {
    return this.store.page(ctx, CrmPipeline, query, { ...(await this.ofProject(ctx, query)), kind: query.kind });
  }

  async stagePage(ctx: Ctx, pipelineId: string, query: PipelineStagesQuery): Promise<Page<CrmStage>> {
    const pipeline = await this.store.get(ctx, CrmPipeline, pipelineId);
    return this.store.page(ctx, CrmStage, query, { pipeline_id: pipeline.id });
  }

  async leadStatusPage(ctx: Ctx, query: LeadStatusesQuery): Promise<Page<CrmStage>> {
    return this.store.page(ctx, CrmStage, query, await this.ofPipeline(ctx, 'lead', query));
  }

  async dealStagePage(ctx: Ctx, query: DealStagesQuery): Promise<Page<CrmStage>> {
    const conditions =
      query.pipeline_id === undefined
        ? { ...(await this.ofProject(ctx, query)), pipeline_kind: 'deal' as const }
        : await this.ofPipeline(ctx, 'deal', query);
    return this.store.page(ctx, CrmStage, query, conditions);
  }

  async sourcePage(ctx: Ctx, query: LeadSourcesQuery): Promise<Page<LeadSource>> {
    return this.store.page(ctx, LeadSource, query, await this.ofProject(ctx, query));
  }

  customFieldPage(ctx: Ctx, query: CustomFieldsQuery): Promise<Page<CustomFieldRow>> {
    const { project_id: projectId, resource } = query;
    return this.customFields.page(ctx, query, { resources: resource ? [resource] : CUSTOM_FIELD_RESOURCES, projectId });
  }

  /** In the order of evaluation. */
  async rulePage(ctx: Ctx, query: AssignmentRulesQuery): Promise<Page<LeadAssignmentRule>> {
    return this.store.page(ctx, LeadAssignmentRule, query, await this.ofProject(ctx, query));
  }

  activeMemberPage(ctx: Ctx, query: CrmMembersQuery): Promise<Page<Member>> {
    return this.members.page(ctx, query, { status: 'active' });
  }

  private async ofProject(ctx: Ctx, { project_id }: { project_id?: string }): Promise<{ project_id?: string }> {
    return { project_id: (await this.projects.reach(ctx, project_id))?.id };
  }

  /** A pipeline implies its project. Without one, the default pipelines of all projects that the call may read. */
  private async ofPipeline(
    ctx: Ctx,
    kind: PipelineKind,
    { project_id, pipeline_id }: LeadStatusesQuery | DealStagesQuery,
  ): Promise<{ pipeline_id: string | string[] }> {
    const reached = await this.projects.reach(ctx, project_id);
    const known = reached === null && pipeline_id !== undefined ? await this.store.find(ctx, CrmPipeline, pipeline_id) : null;
    const projectId = reached?.id ?? known?.project_id;
    if (projectId !== undefined) return { pipeline_id: requirePipeline(await this.config.read(ctx, projectId), kind, pipeline_id).id };
    if (pipeline_id !== undefined) throw invalid('pipeline_id', 'must be a pipeline that list_pipelines returns');
    const pipelines = await this.store.list(ctx, CrmPipeline, { kind, is_default: true });
    return { pipeline_id: pipelines.map(({ id }) => id) };
  }
}
