import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../../kit/index.js';
import {
  CreateRulePackDto,
  RegulatoryFindingDto,
  RegulatoryFindingsQuery,
  RulePackDto,
  RulePacksQuery,
  UpdateRulePackDto,
} from './rule-packs.dto.js';
import { RulePacks } from './rule-packs.service.js';

const permission = 'papers.setup.manage';

@Controller('api/v1/org/papers')
export class OrgRulePacksController {
  constructor(private readonly packs: RulePacks) {}

  @Get('rule-packs')
  @Endpoint({
    operation: 'list_org_rule_packs',
    summary: 'List the rule packs',
    permission,
    returns: RulePackDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: RulePacksQuery): Promise<ListBody<RulePackDto>> {
    return listBody(await this.packs.page(ctx, query), RulePackDto.from);
  }

  @Get('rule-packs/:id')
  @Endpoint({
    operation: 'get_org_rule_pack',
    summary: 'Get one rule pack',
    permission,
    returns: RulePackDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<RulePackDto> {
    return RulePackDto.from(await this.packs.get(ctx, id));
  }

  @Post('rule-packs')
  @Endpoint({
    operation: 'create_org_rule_pack',
    summary: 'Create a rule pack',
    permission,
    returns: RulePackDto,
    status: 201,
    errors: [CommonErrors.duplicate],
    description: 'Approved, finalized, sent and signed documents are checked against it immediately and every night.',
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateRulePackDto): Promise<RulePackDto> {
    return RulePackDto.from(await this.packs.create(ctx, body));
  }

  @Patch('rule-packs/:id')
  @Endpoint({
    operation: 'update_org_rule_pack',
    summary: 'Change a rule pack',
    permission,
    returns: RulePackDto,
    errors: [CommonErrors.duplicate],
    description: 'rules replaces all rules; a changed rule needs a higher version.',
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateRulePackDto): Promise<RulePackDto> {
    return RulePackDto.from(await this.packs.update(ctx, id, body));
  }

  @Get('regulatory-findings')
  @Endpoint({
    operation: 'list_org_regulatory_findings',
    summary: 'List documents that violate a rule',
    permission: 'papers.document.view',
    returns: RegulatoryFindingDto,
    list: true,
  })
  async findings(@Ctx() ctx: Ctx, @Query() query: RegulatoryFindingsQuery): Promise<ListBody<RegulatoryFindingDto>> {
    return listBody(await this.packs.findings(ctx, query), RegulatoryFindingDto.from);
  }
}
