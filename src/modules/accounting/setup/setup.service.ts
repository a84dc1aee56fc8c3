import { Injectable } from '@nestjs/common';
import {
  CommonErrors,
  own,
  plainDecimal,
  Projects,
  requireCurrency,
  requireRoom,
  sql,
  Store,
  table,
  type Ctx,
  type Tx,
} from '../../../kit/index.js';
import { AccountingConfig, requireAccount } from '../config/accounting-config.service.js';
import { invalid } from '../model/accounting.errors.js';
import type { CreateLedgerAccountDto, CreateTaxRateDto, UpdateLedgerAccountDto, UpdateTaxRateDto } from '../lookups/lookups.dto.js';
import { CUSTOMER_ROLES, LedgerAccount, TYPE_OF_ROLE, type AccountRole, type AccountType } from '../model/account.entity.js';
import { AccountingInvoice } from '../model/invoice.entity.js';
import { JournalEntry } from '../model/journal-entry.entity.js';
import { isNumberPattern } from '../model/number-pattern.js';
import { AccountingSettings, type DunningStep } from '../model/settings.entity.js';
import { JournalLineRow } from '../model/sql-rows.entity.js';
import { REASONED_CATEGORIES, TaxRate, type TaxCategory } from '../model/tax.entity.js';
import type { UpdateAccountingSettingsDto } from './setup.dto.js';

const MOST_ACCOUNTS = 1_000;
const MOST_TAXES = 200;

/** Changes the accounts, taxes and settings of a project. */
@Injectable()
export class AccountingSetup {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: AccountingConfig,
  ) {}

  async createAccount(
    ctx: Ctx,
    { project_id, code, name, type, role = null, active = true }: CreateLedgerAccountDto,
  ): Promise<LedgerAccount> {
    requireFit(type, role, active);
    const project = await this.projects.resolve(ctx, project_id);
    return this.config.change(ctx, project.id, async (tx) => {
      requireRoom(await tx.list(LedgerAccount, { project_id: project.id }), MOST_ACCOUNTS, 'accounts');
      await this.releaseRole(tx, project.id, role);
      return tx.insert(LedgerAccount, { project_id: project.id, code, name, type, role, active });
    });
  }

  async updateAccount(ctx: Ctx, id: string, { code, name, type, role, active }: UpdateLedgerAccountDto): Promise<LedgerAccount> {
    const { project_id } = await this.store.get(ctx, LedgerAccount, id);
    return this.config.change(ctx, project_id, async (tx) => {
      const account = await tx.target(LedgerAccount, id);
      if (type !== undefined && type !== account.type && (await this.isUsed(tx, account)))
        throw CommonErrors.resourceConflict({ message: 'The account was used, so its type cannot change; create another account.' });
      requireFit(type ?? account.type, role === undefined ? account.role : role, active ?? account.active);
      if (role !== undefined && role !== account.role) {
        await this.requireMovable(tx, account);
        if (role !== null && CUSTOMER_ROLES.includes(role) && (await this.isUsed(tx, account)))
          throw CommonErrors.resourceConflict({
            message: `The account ${account.code} was used for other postings, so it cannot get the role ${role}; create another account.`,
          });
        await this.releaseRole(tx, project_id, role);
      }
      return tx.update(account, { code, name, type, role, active });
    });
  }

  /** Foreign keys reject deleting what is used; postings find an account with a role by it. */
  async delete(ctx: Ctx, entity: new () => LedgerAccount | TaxRate, id: string): Promise<void> {
    const { project_id } = await this.store.get<LedgerAccount | TaxRate>(ctx, entity, id);
    await this.config.change(ctx, project_id, async (tx) => {
      const row = await tx.target<LedgerAccount | TaxRate>(entity, id);
      if (row instanceof LedgerAccount && row.role !== null)
        throw CommonErrors.resourceConflict({
          message: `The account ${row.code} has the role ${row.role}, so it cannot be deleted; give the role to another account first.`,
        });
      await tx.delete(row);
    });
  }

  async createTax(ctx: Ctx, { project_id, code, name, rate, category, ...body }: CreateTaxRateDto): Promise<TaxRate> {
    const { exemption_reason = null, account_id = null, active = true } = body;
    if (Number(rate) > 100) throw invalid('rate', 'must be 100 or less');
    if ((category === 'S') !== Number(rate) > 0)
      throw invalid('rate', category === 'S' ? 'must be positive' : `must be 0 for the category ${category}`);
    requireReason(category, exemption_reason);
    const project = await this.projects.resolve(ctx, project_id);
    return this.config.change(ctx, project.id, async (tx) => {
      requireRoom(await tx.list(TaxRate, { project_id: project.id }), MOST_TAXES, 'taxes');
      await this.requireTaxAccount(tx, project.id, account_id);
      const values = { code, name, rate: plainDecimal(rate), category, exemption_reason, account_id, active };
      return tx.insert(TaxRate, { project_id: project.id, ...values });
    });
  }

  async updateTax(ctx: Ctx, id: string, { name, exemption_reason, account_id, active }: UpdateTaxRateDto): Promise<TaxRate> {
    const { project_id } = await this.store.get(ctx, TaxRate, id);
    return this.config.change(ctx, project_id, async (tx) => {
      const tax = await tx.target(TaxRate, id);
      requireReason(tax.category, exemption_reason === undefined ? tax.exemption_reason : exemption_reason);
      await this.requireTaxAccount(tx, project_id, account_id ?? null);
      return tx.update(tax, { name, exemption_reason, account_id, active });
    });
  }

  async settings(ctx: Ctx, projectId: string): Promise<AccountingSettings> {
    const [settings] = await this.store.list(ctx, AccountingSettings, { project_id: projectId });
    if (!settings) throw CommonErrors.notFound();
    return settings;
  }

  async updateSettings(ctx: Ctx, projectId: string, { seller, ...body }: UpdateAccountingSettingsDto): Promise<AccountingSettings> {
    const { id } = await this.settings(ctx, projectId);
    for (const param of ['invoice_number_pattern', 'credit_note_number_pattern'] as const)
      if (body[param] !== undefined && !isNumberPattern(body[param]))
        throw invalid(param, 'must contain {YYYY} and {SEQ} or {SEQ:1} to {SEQ:9} once each');
    requireAscending(body.dunning_steps);
    requireCurrency('currency', body.currency);
    return this.config.change(ctx, projectId, async (tx) => {
      const settings = await tx.target(AccountingSettings, id);
      if (body.currency !== undefined && body.currency !== settings.currency) await this.requireUnused(tx, projectId);
      const { currency, invoice_number_pattern, credit_note_number_pattern, dunning_steps, order_invoicing, deal_customers } = body;
      const changes = { currency, invoice_number_pattern, credit_note_number_pattern, dunning_steps, order_invoicing, deal_customers };
      return tx.update(settings, { ...changes, ...(seller ? { seller: { ...settings.seller, ...seller } } : {}) });
    });
  }

  private async releaseRole(tx: Tx, project_id: string, role: AccountRole | null): Promise<void> {
    if (role === null) return;
    for (const holder of await tx.lockWhere(LedgerAccount, { project_id, role })) {
      await this.requireMovable(tx, holder);
      await tx.update(holder, { role: null });
    }
  }

  private async requireMovable(tx: Tx, account: LedgerAccount): Promise<void> {
    if (account.role === null || !CUSTOMER_ROLES.includes(account.role) || !(await this.isUsed(tx, account))) return;
    throw CommonErrors.resourceConflict({
      message: `The account ${account.code} was used, so it keeps the role ${account.role}.`,
    });
  }

  private async isUsed(tx: Tx, { id, project_id }: LedgerAccount): Promise<boolean> {
    const [{ used }] = await tx.sql<{ used: boolean }>(
      sql.inBothModes('whether entries of either mode use an account')`SELECT EXISTS (SELECT FROM ${table(JournalLineRow)} l
        WHERE ${own('l')} AND l.project_id = ${project_id} AND l.account_id = ${id}) AS used`,
    );
    return used;
  }

  /**
   * Posting takes no lock that this could wait for; an entry posted at the same moment keeps the previous base currency as its currency.
   */
  private async requireUnused(tx: Tx, projectId: string): Promise<void> {
    const [{ used }] = await tx.sql<{ used: boolean }>(
      sql.inBothModes(
        'whether either mode has invoices or entries',
      )`SELECT EXISTS (SELECT FROM ${table(JournalEntry)} e WHERE ${own('e')} AND e.project_id = ${projectId})
        OR EXISTS (SELECT FROM ${table(AccountingInvoice)} i WHERE ${own('i')} AND i.project_id = ${projectId}) AS used`,
    );
    if (used) throw CommonErrors.resourceConflict({ message: 'The base currency cannot change once there are invoices or entries.' });
  }

  private async requireTaxAccount(tx: Tx, projectId: string, id: string | null): Promise<void> {
    if (id === null) return;
    await this.config.decide(tx, projectId, (books) =>
      requireAccount(books, 'account_id', id, {
        kind: 'an active liability account without the role customer_credit',
        isUsable: ({ type, role }) => type === 'liability' && role !== 'customer_credit',
      }),
    );
  }
}

function requireFit(type: AccountType, role: AccountRole | null, active: boolean): void {
  if (role === null) return;
  if (TYPE_OF_ROLE[role] !== type)
    throw invalid('role', `must be null, because only accounts of the type ${TYPE_OF_ROLE[role]} can be ${role}`);
  if (!active) throw invalid('active', `must be true, because the account has the role ${role}; give it to another one first`);
}

function requireReason(category: TaxCategory, reason: string | null): void {
  if (reason === null && REASONED_CATEGORIES.includes(category))
    throw invalid('exemption_reason', `is required for the category ${category}`);
}

function requireAscending(steps: readonly DunningStep[] | undefined): void {
  steps?.forEach(({ after_days }, index) => {
    if (index > 0 && after_days <= steps[index - 1].after_days)
      throw invalid(`dunning_steps.${index}.after_days`, 'must be greater than that of the previous step');
  });
}
