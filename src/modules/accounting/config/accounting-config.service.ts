import { Injectable } from '@nestjs/common';
import { CachedProjectConfig, notOneOf, plainDecimal, requireCurrency, Store, type Decimal, type RowReader } from '../../../kit/index.js';
import { AccountingErrors, invalid } from '../model/accounting.errors.js';
import { LedgerAccount, type AccountRole } from '../model/account.entity.js';
import { AccountingSettings } from '../model/settings.entity.js';
import { TaxRate } from '../model/tax.entity.js';

/** The accounting configuration of one project. */
export interface ProjectBooks {
  settings: AccountingSettings;
  /** By id. */
  accounts: ReadonlyMap<string, LedgerAccount>;
  taxes: ReadonlyMap<string, TaxRate>;
}

/** The configuration of projects, cached in memory. Foreign keys reject references to rows that were deleted in the meantime. */
@Injectable()
export class AccountingConfig extends CachedProjectConfig<ProjectBooks> {
  constructor(store: Store) {
    super(store, 'accounting configuration');
  }

  protected async load(rows: RowReader, project_id: string): Promise<ProjectBooks> {
    const [settings, accounts, taxes] = await Promise.all([
      rows.list(AccountingSettings, { project_id }),
      rows.list(LedgerAccount, { project_id }),
      rows.list(TaxRate, { project_id }),
    ]);
    return { settings: settings[0], accounts: byId(accounts), taxes: byId(taxes) };
  }
}

/** The active account with this id; `isUsable` restricts it further, and `kind` says how. */
export function requireAccount(
  { accounts }: ProjectBooks,
  param: string,
  id: string,
  { kind = 'an active account', isUsable = () => true }: { kind?: string; isUsable?: (account: LedgerAccount) => boolean } = {},
): LedgerAccount {
  const usable = [...accounts.values()].filter((account) => account.active && isUsable(account));
  const found = usable.find((account) => account.id === id);
  if (found) return found;
  throw notOneOf(param, `must be ${kind} of the project`, usable, 'code');
}

/** The active tax with this id. */
export function requireTax({ taxes }: ProjectBooks, param: string, id: string): TaxRate {
  const usable = [...taxes.values()].filter(({ active }) => active);
  const found = usable.find((tax) => tax.id === id);
  if (found) return found;
  throw notOneOf(param, 'must be an active tax of the project', usable, 'code');
}

/** The account with a role; `setup_incomplete` if no active account has it. */
export function accountWith(books: ProjectBooks, role: AccountRole): LedgerAccount {
  const found = accountOf(books, role);
  if (found) return found;
  const param = `accounts.${role}`;
  throw AccountingErrors.setupIncomplete({
    message: `No active account has the role ${role}; ask a member to give it to one.`,
    details: [{ param, code: 'missing', message: `${param} is missing` }],
  });
}

export function accountOf({ accounts }: ProjectBooks, role: AccountRole): LedgerAccount | undefined {
  return [...accounts.values()].find((account) => account.active && account.role === role);
}

/** The rate of a currency: 1 for the base currency, otherwise the one that was given. Rejects unknown currencies. */
export function requireRate({ settings }: ProjectBooks, currency: string, rate: Decimal | null | undefined): Decimal {
  requireCurrency('currency', currency);
  const given = rate ?? null;
  if (currency === settings.currency) {
    if (given === null || plainDecimal(given) === '1') return '1';
    throw invalid('exchange_rate', `must be left out, because ${currency} is the base currency`);
  }
  if (given !== null) return plainDecimal(given);
  throw invalid('exchange_rate', `is required: how much ${settings.currency} is 1 ${currency}, as a decimal string`);
}

function byId<R extends { id: string }>(rows: readonly R[]): ReadonlyMap<string, R> {
  return new Map(rows.map((row) => [row.id, row]));
}
