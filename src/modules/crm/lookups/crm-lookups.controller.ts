import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { LeadSourceDto } from '../config/lead-sources.dto.js';
import { CrmCustomFieldDto } from '../custom-fields/custom-fields.dto.js';
import { CrmPipelineDto, CrmStageDto, LeadStatusDto } from '../pipelines/pipelines.dto.js';
import {
  CrmMemberDto,
  CrmMembersQuery,
  CustomFieldsQuery,
  DealStagesQuery,
  LeadSourcesQuery,
  LeadStatusesQuery,
  PipelinesQuery,
  PipelineStagesQuery,
} from './crm-lookups.dto.js';
import { CrmLookups } from './crm-lookups.service.js';

const SCOPE = 'crm:config:read';
/** Of the members who may see the owners of records. */
const MEMBER_ACCESS = ['crm.contact.view', 'crm.deal.view', 'org.marketing.leads.manage'];

@Controller('/api/v1/ext/crm')
export class CrmLookupsController {
  constructor(private readonly lookups: CrmLookups) {}

  @Get('pipelines')
  @Endpoint({
    scope: SCOPE,
    member: { permission: null, operation: 'list_org_crm_pipelines' },
    operation: 'list_pipelines',
    summary: 'List the pipelines of leads and deals',
    returns: CrmPipelineDto,
    list: true,
    lookup: true,
  })
  async pipelines(@Ctx() ctx: Ctx, @Query() query: PipelinesQuery): Promise<ListBody<CrmPipelineDto>> {
    return listBody(await this.lookups.pipelinePage(ctx, query), CrmPipelineDto.from);
  }

  @Get('pipelines/:id/stages')
  @Endpoint({
    scope: SCOPE,
    member: { permission: null, operation: 'list_org_crm_stages' },
    operation: 'list_pipeline_stages',
    summary: 'List the stages of a pipeline',
    description: 'In board order. The stages of a lead pipeline are the statuses of its leads.',
    returns: CrmStageDto,
    list: true,
    lookup: true,
  })
  async stages(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id of the pipeline.') id: string,
    @Query() query: PipelineStagesQuery,
  ): Promise<ListBody<CrmStageDto>> {
    return listBody(await this.lookups.stagePage(ctx, id, query), CrmStageDto.from);
  }

  @Get('deal-stages')
  @Endpoint({
    scope: SCOPE,
    member: { permission: null },
    operation: 'list_deal_stages',
    summary: 'List the stages of deals',
    description: 'In board order. Without pipeline_id, the stages of all deal pipelines.',
    returns: CrmStageDto,
    list: true,
    lookup: true,
  })
  async dealStages(@Ctx() ctx: Ctx, @Query() query: DealStagesQuery): Promise<ListBody<CrmStageDto>> {
    return listBody(await this.lookups.dealStagePage(ctx, query), CrmStageDto.from);
  }

  @Get('lead-statuses')
  @Endpoint({
    scope: SCOPE,
    member: { permission: null },
    operation: 'list_lead_statuses',
    summary: 'List the statuses of leads',
    description: 'In board order. Without pipeline_id, the statuses of the default lead pipeline of each project.',
    returns: LeadStatusDto,
    list: true,
    lookup: true,
  })
  async leadStatuses(@Ctx() ctx: Ctx, @Query() query: LeadStatusesQuery): Promise<ListBody<LeadStatusDto>> {
    return listBody(await this.lookups.leadStatusPage(ctx, query), LeadStatusDto.from);
  }

  @Get('lead-sources')
  @Endpoint({
    scope: SCOPE,
    member: { permission: null, path: '/api/v1/org/crm/sources', operation: 'list_org_crm_sources' },
    operation: 'list_lead_sources',
    summary: 'List the sources of leads',
    returns: LeadSourceDto,
    list: true,
    lookup: true,
  })
  async leadSources(@Ctx() ctx: Ctx, @Query() query: LeadSourcesQuery): Promise<ListBody<LeadSourceDto>> {
    return listBody(await this.lookups.sourcePage(ctx, query), LeadSourceDto.from);
  }

  @Get('custom-fields')
  @Endpoint({
    scope: SCOPE,
    member: { permission: null },
    operation: 'list_crm_custom_fields',
    summary: 'List the custom fields of leads, contacts and deals',
    description: 'Their keys are the keys of custom_fields.',
    returns: CrmCustomFieldDto,
    list: true,
    lookup: true,
  })
  async customFields(@Ctx() ctx: Ctx, @Query() query: CustomFieldsQuery): Promise<ListBody<CrmCustomFieldDto>> {
    return listBody(await this.lookups.customFieldPage(ctx, query), CrmCustomFieldDto.from);
  }

  @Get('members')
  @Endpoint({
    scope: SCOPE,
    member: { permission: MEMBER_ACCESS },
    operation: 'list_crm_members',
    summary: 'List the members who can own leads, contacts and deals',
    returns: CrmMemberDto,
    list: true,
    lookup: true,
  })
  async members(@Ctx() ctx: Ctx, @Query() query: CrmMembersQuery): Promise<ListBody<CrmMemberDto>> {
    return listBody(await this.lookups.activeMemberPage(ctx, query), CrmMemberDto.from);
  }
}
