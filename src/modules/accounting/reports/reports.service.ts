import { Injectable } from '@nestjs/common';
import { amountOf, AmountTooLarge, dayIn, plusDays, Projects, type Ctx, type Project } from '../../../kit/index.js';
import { AccountingConfig } from '../config/accounting-config.service.js';
import { AccountingErrors, invalid } from '../model/accounting.errors.js';
import type { AccountType } from '../model/account.entity.js';
import { endOfLastYear, requireBookDay } from '../model/days.js';
import { AccountBalances, type AccountBalance } from './account-balances.service.js';
import type { AsOfQuery, BalanceSheetDto, FromToQuery, ProfitAndLossDto, ReportAccountDto, TrialBalanceDto } from './reports.dto.js';

/** Reports over the entries of one project, in its base currency. */
@Injectable()
export class Reports {
  constructor(
    private readonly projects: Projects,
    private readonly config: AccountingConfig,
    private readonly balances: AccountBalances,
  ) {}

  async trialBalance(ctx: Ctx, query: AsOfQuery): Promise<TrialBalanceDto> {
    const { project, currency, as_of } = await this.asOf(ctx, query);
    const { accounts, earlierProfit } = await this.ofYear(ctx, project.id, as_of);
    const used = accounts.filter(({ debit, credit }) => debit !== 0n || credit !== 0n);
    const columns = used.map((account) => ({ account, net: account.debit - account.credit }));
    const sum = (side: bigint[]) => exactly(side.reduce((total, value) => total + (value > 0n ? value : 0n), 0n));
    return {
      object: 'trial_balance',
      project_id: project.id,
      currency,
      as_of,
      accounts: columns.map(({ account: { id, code, name, type }, net }) => ({
        account_id: id,
        code,
        name,
        type,
        debit_amount: exactly(net > 0n ? net : 0n),
        credit_amount: exactly(net < 0n ? -net : 0n),
      })),
      earlier_profit_amount: exactly(earlierProfit),
      total_debit_amount: sum([...columns.map(({ net }) => net), -earlierProfit]),
      total_credit_amount: sum([...columns.map(({ net }) => -net), earlierProfit]),
    };
  }

  async balanceSheet(ctx: Ctx, query: AsOfQuery): Promise<BalanceSheetDto> {
    const { project, currency, as_of } = await this.asOf(ctx, query);
    const { accounts, earlierProfit } = await this.ofYear(ctx, project.id, as_of);
    const currentProfit = profitOf(accounts);
    const equity = totalOf(accounts, 'equity') + earlierProfit + currentProfit;
    return {
      object: 'balance_sheet',
      project_id: project.id,
      currency,
      as_of,
      assets: itemsOf(accounts, 'asset'),
      liabilities: itemsOf(accounts, 'liability'),
      equity: itemsOf(accounts, 'equity'),
      earlier_profit_amount: exactly(earlierProfit),
      current_profit_amount: exactly(currentProfit),
      total_assets_amount: exactly(totalOf(accounts, 'asset')),
      total_liabilities_amount: exactly(totalOf(accounts, 'liability')),
      total_equity_amount: exactly(equity),
    };
  }

  async profitAndLoss(ctx: Ctx, query: FromToQuery): Promise<ProfitAndLossDto> {
    const { project, currency, as_of: to } = await this.asOf(ctx, { project_id: query.project_id, as_of: query.to }, 'to');
    const from = query.from ?? `${to.slice(0, 4)}-01-01`;
    requireBookDay('from', from);
    if (from > to) throw invalid('from', `must not be after to, ${to}`);
    const accounts = await this.between(ctx, project.id, plusDays(from, -1), to);
    return {
      object: 'profit_and_loss',
      project_id: project.id,
      currency,
      from,
      to,
      income: itemsOf(accounts, 'income'),
      expenses: itemsOf(accounts, 'expense'),
      total_income_amount: exactly(totalOf(accounts, 'income')),
      total_expenses_amount: exactly(totalOf(accounts, 'expense')),
      profit_amount: exactly(profitOf(accounts)),
    };
  }

  /** The project and day of a query, with defaults. */
  async asOf(ctx: Ctx, { project_id, as_of }: AsOfQuery, param = 'as_of'): Promise<{ project: Project; currency: string; as_of: string }> {
    requireBookDay(param, as_of);
    // an archived project has reports, too
    const project = (await this.projects.reach(ctx, project_id)) ?? (await this.projects.resolve(ctx, undefined));
    const { settings } = await this.config.read(ctx, project.id);
    return { project, currency: settings.currency, as_of: as_of ?? dayIn(project.timezone) };
  }

  /** Balances on a day, those of income and expenses since the beginning of the year, and the profit of earlier years. */
  private async ofYear(ctx: Ctx, projectId: string, day: string): Promise<{ accounts: AccountBalance[]; earlierProfit: bigint }> {
    const before = await this.balances.upTo(ctx, projectId, endOfLastYear(day));
    const now = await this.balances.upTo(ctx, projectId, day);
    const year = less(now, before);
    const accounts = now.map((account, index) => (isOfYear(account) ? year[index] : account));
    return { accounts, earlierProfit: profitOf(before) };
  }

  private async between(ctx: Ctx, projectId: string, after: string, to: string): Promise<AccountBalance[]> {
    const before = await this.balances.upTo(ctx, projectId, after);
    return less(await this.balances.upTo(ctx, projectId, to), before);
  }
}

function less(later: readonly AccountBalance[], earlier: readonly AccountBalance[]): AccountBalance[] {
  const before = new Map(earlier.map((account) => [account.id, account]));
  return later.map((account) => {
    const { debit = 0n, credit = 0n } = before.get(account.id) ?? {};
    return { ...account, debit: account.debit - debit, credit: account.credit - credit };
  });
}

function isOfYear({ type }: AccountBalance): boolean {
  return type === 'income' || type === 'expense';
}

/** The balance, positive on the normal side of the account's type. */
function balanceOf({ type, debit, credit }: AccountBalance): bigint {
  return type === 'asset' || type === 'expense' ? debit - credit : credit - debit;
}

function totalOf(accounts: readonly AccountBalance[], type: AccountType): bigint {
  return accounts.filter((account) => account.type === type).reduce((total, account) => total + balanceOf(account), 0n);
}

function profitOf(accounts: readonly AccountBalance[]): bigint {
  return totalOf(accounts, 'income') - totalOf(accounts, 'expense');
}

function itemsOf(accounts: readonly AccountBalance[], type: AccountType): ReportAccountDto[] {
  return accounts
    .filter((account) => account.type === type && (account.debit !== 0n || account.credit !== 0n))
    .map((account) => ({ account_id: account.id, code: account.code, name: account.name, amount: exactly(balanceOf(account)) }));
}

/** The sum as a JSON number, or `amount_too_large`. */
export function exactly(sum: bigint): number {
  try {
    return amountOf(sum);
  } catch (error) {
    if (error instanceof AmountTooLarge) throw AccountingErrors.amountTooLarge();
    throw error;
  }
}
