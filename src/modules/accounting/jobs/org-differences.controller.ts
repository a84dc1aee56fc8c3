import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, listBody, sql, Store, type ListBody } from '../../../kit/index.js';
import { AccountingDifference } from '../model/difference.entity.js';
import { AccountingDifferenceDto, AccountingDifferencesQuery } from './differences.dto.js';

@Controller('api/v1/org/accounting/differences')
export class OrgAccountingDifferencesController {
  constructor(private readonly store: Store) {}

  @Get()
  @Endpoint({
    permission: 'accounting.setup.manage',
    operation: 'list_org_accounting_differences',
    summary: 'List differences that the nightly recount found',
    description: 'Between stored figures and what entries and allocations add up to. They are never repaired silently.',
    returns: AccountingDifferenceDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: AccountingDifferencesQuery): Promise<ListBody<AccountingDifferenceDto>> {
    const { resolved } = query;
    const conditions = resolved === undefined ? [] : [resolved ? sql`t.resolved_at IS NOT NULL` : sql`t.resolved_at IS NULL`];
    return listBody(await this.store.page(ctx, AccountingDifference, query, ...conditions), AccountingDifferenceDto.from);
  }
}
