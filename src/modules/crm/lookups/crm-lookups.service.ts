import { Injectable } from '@nestjs/common';
import { CommonErrors, Members, Projects, Store, type Condition, type Ctx, type Member, type Page } from '../../../kit/index.js';
import type {
  AssignmentRulesQuery,
  CrmMembersQuery,
  CustomFieldsQuery,
  LeadSourcesQuery,
  LeadStatusesQuery,
  PipelinesQuery,
  PipelineStagesQuery,
} from './crm-lookups.dto.js';
import { CrmConfig, requirePipeline } from '../config/crm-config.service.js';
import { CrmCustomField } from '../custom-fields/crm-custom-field.entity.js';
import { CrmPipeline } from '../pipelines/crm-pipeline.entity.js';
import { CrmStage } from '../pipelines/crm-stage.entity.js';
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
  ) {}

  async pipelinePage(ctx: Ctx, query: PipelinesQuery): Promise<Page<CrmPipeline>> {
    return this.store.page(ctx, CrmPipeline, query, ...(await this.ofProject(ctx, query)), ...equal('kind', query.kind));
  }

  async stagePage(ctx: Ctx, pipelineId: string, query: PipelineStagesQuery): Promise<Page<CrmStage>> {
    const pipeline = await this.store.get(ctx, CrmPipeline, pipelineId);
    return this.store.page(ctx, CrmStage, query, ...equal('pipeline_id', pipeline.id));
  }

  async leadStatusPage(ctx: Ctx, query: LeadStatusesQuery): Promise<Page<CrmStage>> {
    const { id } = await this.leadPipeline(ctx, query);
    return this.store.page(ctx, CrmStage, query, ...equal('pipeline_id', id));
  }

  async sourcePage(ctx: Ctx, query: LeadSourcesQuery): Promise<Page<LeadSource>> {
    return this.store.page(ctx, LeadSource, query, ...(await this.ofProject(ctx, query)));
  }

  async customFieldPage(ctx: Ctx, query: CustomFieldsQuery): Promise<Page<CrmCustomField>> {
    return this.store.page(ctx, CrmCustomField, query, ...(await this.ofProject(ctx, query)), ...equal('resource', query.resource));
  }

  /** In the order of evaluation. */
  async rulePage(ctx: Ctx, query: AssignmentRulesQuery): Promise<Page<LeadAssignmentRule>> {
    return this.store.page(ctx, LeadAssignmentRule, query, ...(await this.ofProject(ctx, query)));
  }

  activeMemberPage(ctx: Ctx, query: CrmMembersQuery): Promise<Page<Member>> {
    return this.members.page(ctx, query, ...equal('status', 'active'));
  }

  private async ofProject(ctx: Ctx, { project_id }: { project_id?: string }): Promise<Condition[]> {
    return equal('project_id', (await this.projects.resolve(ctx, project_id)).id);
  }

  private async leadPipeline(ctx: Ctx, { project_id, pipeline_id }: LeadStatusesQuery): Promise<CrmPipeline> {
    // a pipeline implies its project, so a key without a project need not send both
    const known = pipeline_id === undefined || project_id !== undefined ? null : await this.store.find(ctx, CrmPipeline, pipeline_id);
    if (pipeline_id !== undefined && project_id === undefined && !known)
      throw CommonErrors.validationFailed({ param: 'pipeline_id', message: 'pipeline_id must be a pipeline that list_pipelines returns' });
    const project = await this.projects.resolve(ctx, project_id ?? known?.project_id);
    return requirePipeline(await this.config.read(ctx, project.id), 'lead', pipeline_id);
  }
}

function equal(column: string, value: string | undefined): Condition[] {
  return value === undefined ? [] : [{ sql: `t.${column} = :${column}`, values: { [column]: value } }];
}
