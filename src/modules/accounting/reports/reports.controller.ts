import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint } from '../../../kit/index.js';
import { AccountingErrors } from '../model/accounting.errors.js';
import { AgedReceivables } from './aged-receivables.service.js';
import { AgedReceivablesDto, AsOfQuery, BalanceSheetDto, FromToQuery, ProfitAndLossDto, TrialBalanceDto } from './reports.dto.js';
import { Reports } from './reports.service.js';

const scope = 'accounting:ledger:read';
const member = { permission: 'accounting.ledger.manage' };
const errors = [AccountingErrors.amountTooLarge];

@Controller('/api/v1/ext/accounting/reports')
export class AccountingReportsController {
  constructor(
    private readonly reports: Reports,
    private readonly receivables: AgedReceivables,
  ) {}

  @Get('trial-balance')
  @Endpoint({
    scope,
    member,
    operation: 'get_trial_balance',
    summary: 'Get the trial balance',
    returns: TrialBalanceDto,
    errors,
  })
  trialBalance(@Ctx() ctx: Ctx, @Query() query: AsOfQuery): Promise<TrialBalanceDto> {
    return this.reports.trialBalance(ctx, query);
  }

  @Get('balance-sheet')
  @Endpoint({
    scope,
    member,
    operation: 'get_balance_sheet',
    summary: 'Get the balance sheet',
    returns: BalanceSheetDto,
    errors,
  })
  balanceSheet(@Ctx() ctx: Ctx, @Query() query: AsOfQuery): Promise<BalanceSheetDto> {
    return this.reports.balanceSheet(ctx, query);
  }

  @Get('profit-and-loss')
  @Endpoint({
    scope,
    member,
    operation: 'get_profit_and_loss',
    summary: 'Get the profit and loss',
    returns: ProfitAndLossDto,
    errors,
  })
  profitAndLoss(@Ctx() ctx: Ctx, @Query() query: FromToQuery): Promise<ProfitAndLossDto> {
    return this.reports.profitAndLoss(ctx, query);
  }

  @Get('aged-receivables')
  @Endpoint({
    scope,
    member,
    operation: 'get_aged_receivables',
    summary: 'Get what customers owe, by age',
    description: 'By currency; credits that settle no invoice are shown separately.',
    returns: AgedReceivablesDto,
    errors,
  })
  agedReceivables(@Ctx() ctx: Ctx, @Query() query: AsOfQuery): Promise<AgedReceivablesDto> {
    return this.receivables.get(ctx, query);
  }
}
