import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, listBody, Store, type ListBody } from '../../../kit/index.js';
import { LedgerAccount } from '../model/account.entity.js';
import { TaxRate } from '../model/tax.entity.js';
import { AccountsQuery, LedgerAccountDto, TaxRateDto, TaxRatesQuery } from './lookups.dto.js';

const member = { permission: null };

@Controller('/api/v1/ext/accounting')
export class AccountingLookupsController {
  constructor(private readonly store: Store) {}

  @Get('accounts')
  @Endpoint({
    scope: 'accounting:config:read',
    member,
    operation: 'list_accounts',
    summary: 'List the accounts of the books',
    returns: LedgerAccountDto,
    list: true,
    lookup: true,
  })
  async accounts(@Ctx() ctx: Ctx, @Query() query: AccountsQuery): Promise<ListBody<LedgerAccountDto>> {
    return listBody(await this.store.page(ctx, LedgerAccount, query), LedgerAccountDto.from);
  }

  @Get('tax-rates')
  @Endpoint({
    scope: 'accounting:config:read',
    member,
    operation: 'list_tax_rates',
    summary: 'List the taxes of invoices',
    returns: TaxRateDto,
    list: true,
    lookup: true,
  })
  async taxes(@Ctx() ctx: Ctx, @Query() query: TaxRatesQuery): Promise<ListBody<TaxRateDto>> {
    return listBody(await this.store.page(ctx, TaxRate, query), TaxRateDto.from);
  }
}
