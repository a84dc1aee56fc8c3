import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, listBody, Store, type ListBody } from '../../../../kit/index.js';
import { AiCreditEntry } from './ai-credit-entry.entity.js';
import { AiCreditAccountDto, AiCreditEntriesQuery, AiCreditEntryDto, GrantAiCreditsDto } from './ai-credits.dto.js';
import { AiCredits } from './ai-credits.service.js';

const permission = 'papers.setup.manage';

@Controller('api/v1/org/papers/ai/credits')
export class OrgAiCreditsController {
  constructor(
    private readonly credits: AiCredits,
    private readonly store: Store,
  ) {}

  @Get()
  @Endpoint({
    operation: 'get_org_ai_credits',
    summary: 'Get the balance of AI credits',
    permission,
    returns: AiCreditAccountDto,
  })
  async account(@Ctx() ctx: Ctx): Promise<AiCreditAccountDto> {
    return AiCreditAccountDto.from(await this.credits.balances(ctx));
  }

  @Post('grants')
  @Endpoint({
    operation: 'grant_org_ai_credits',
    summary: 'Add AI credits',
    permission,
    returns: AiCreditAccountDto,
    status: 201,
  })
  async grant(@Ctx() ctx: Ctx, @Body() { amount, note }: GrantAiCreditsDto): Promise<AiCreditAccountDto> {
    return AiCreditAccountDto.from(await this.credits.grant(ctx, amount, note ?? null));
  }

  @Get('entries')
  @Endpoint({
    operation: 'list_org_ai_credit_entries',
    summary: 'List the ledger entries of AI credits',
    permission,
    returns: AiCreditEntryDto,
    list: true,
  })
  async entries(@Ctx() ctx: Ctx, @Query() query: AiCreditEntriesQuery): Promise<ListBody<AiCreditEntryDto>> {
    return listBody(await this.store.page(ctx, AiCreditEntry, query), AiCreditEntryDto.from);
  }
}
