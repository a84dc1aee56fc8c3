import { Injectable } from '@nestjs/common';
import {
  changedFrom,
  definedOf,
  plainDecimal,
  Projects,
  requireNew,
  sql,
  Store,
  type Ctx,
  type Decimal,
  type Page,
  type Tx,
} from '../../../kit/index.js';
import {
  AccountingConfig,
  accountWith,
  requireAccount,
  requireRate,
  requireTax,
  type ProjectBooks,
} from '../config/accounting-config.service.js';
import { inBase } from '../ledger/posting.js';
import { AccountingErrors, invalid } from '../model/accounting.errors.js';
import { AccountingCustomer } from '../model/customer.entity.js';
import { requireBookDay } from '../model/days.js';
import { AccountingInvoice, IS_OVERDUE, type CustomerSnapshot, type InvoiceLine } from '../model/invoice.entity.js';
import { amountsOf, type InvoiceAmounts } from './invoice-amounts.js';
import { secondInvoiceNotice } from './invoiced-orders.js';
import { replaceLines, sendLines, type NewLine } from './invoice-rows.js';
import { invoiceView, readLines } from './invoice-views.js';
import type { CreateInvoiceDto, InvoiceLineInputDto, InvoicesQuery, UpdateInvoiceDto } from './invoice-requests.dto.js';
import type { InvoiceDto } from './invoice.dto.js';
import { InvoiceEvents } from './invoices.events.js';

/** The content of a draft. Its amounts are computed from its lines or copied from an order. */
export interface DraftContent extends Omit<InvoiceAmounts, 'lines'> {
  currency: string;
  exchange_rate: Decimal;
  prices_include_tax: boolean;
  lines: NewLine[];
}

/** The other fields of a draft. */
type DraftHeader = Pick<AccountingInvoice, 'project_id' | 'external_id' | 'memo' | 'issued_on' | 'due_on' | 'supply_on'> &
  Partial<Pick<AccountingInvoice, 'type' | 'credits_id' | 'source_type' | 'source_id' | 'custom_fields'>>;

/** Drafts of invoices, and reading all invoices. */
@Injectable()
export class InvoiceDrafts {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: AccountingConfig,
  ) {}

  page(ctx: Ctx, query: InvoicesQuery): Promise<Page<AccountingInvoice>> {
    const { overdue } = query;
    const conditions = overdue === undefined ? [] : [overdue ? sql`${IS_OVERDUE} IS TRUE` : sql`${IS_OVERDUE} IS NOT TRUE`];
    return this.store.page(ctx, AccountingInvoice, query, ...conditions);
  }

  get(ctx: Ctx, id: string): Promise<AccountingInvoice> {
    return this.store.get(ctx, AccountingInvoice, id);
  }

  async create(ctx: Ctx, { project_id, ...body }: CreateInvoiceDto): Promise<InvoiceDto> {
    const project = await this.projects.resolve(ctx, project_id, [AccountingCustomer, body.customer_id]);
    return this.store.write(ctx, (tx) => this.createIn(ctx, tx, project.id, body));
  }

  async createIn(ctx: Ctx, tx: Tx, project_id: string, body: Omit<CreateInvoiceDto, 'project_id'>): Promise<InvoiceDto> {
    const { issued_on = null, due_on = null, supply_on = null, memo = null, external_id = null } = body;
    requireDays({ issued_on, due_on, supply_on });
    const [customer, notice] = await Promise.all([
      requireCustomer(tx, project_id, body.customer_id),
      secondInvoiceNotice(tx, { customer_id: body.customer_id, memo, external_id }),
      requireNew(tx, AccountingInvoice, project_id, 'external_id', external_id),
    ]);
    const content = await this.config.decide(tx, project_id, (books) =>
      contentOf(books, { ...body, currency: body.currency ?? customer.currency }),
    );
    const custom_fields = await tx.customFields.ofNew(AccountingInvoice, body.custom_fields, { projectId: project_id });
    const header = { project_id, issued_on, due_on, supply_on, memo, external_id, custom_fields };
    const { invoice, lines } = await this.insert(ctx, tx, header, customer.id, snapshotOf(customer), content);
    const object = invoiceView(invoice, lines);
    tx.emit(InvoiceEvents.invoiceCreated, { object, projectId: project_id });
    return { ...object, ...notice };
  }

  /** Writes a draft with known amounts, without waiting for the database. Without custom fields it has their defaults. Emits nothing. */
  async insert(
    ctx: Ctx,
    tx: Tx,
    { type = 'invoice', credits_id = null, source_type = null, source_id = null, custom_fields, ...header }: DraftHeader,
    customer_id: string,
    customer_snapshot: CustomerSnapshot,
    { lines, ...content }: DraftContent,
  ): Promise<{ invoice: AccountingInvoice; lines: InvoiceLine[] }> {
    const nothing = { number: null, seller_snapshot: null, settled_amount: 0, base_settled_amount: 0, reminders_sent: 0, overdue_at: null };
    const values = { ...header, type, credits_id, source_type, source_id, customer_id, customer_snapshot, ...content, ...nothing };
    const base_gross_amount = inBase(content.gross_amount, content.exchange_rate);
    const invoice = await tx.advanced.pipelined.insert(AccountingInvoice, {
      ...values,
      status: 'draft',
      base_gross_amount,
      closed_on: null,
      void_reason: null,
      journal_entry_id: null,
      created_by: ctx.actor,
      taxes: content.taxes,
      custom_fields:
        custom_fields ?? (await tx.customFields.ofNew(AccountingInvoice, undefined, { projectId: header.project_id, isComplete: false })),
    });
    return { invoice, lines: sendLines(tx, invoice, lines) };
  }

  update(ctx: Ctx, id: string, body: UpdateInvoiceDto): Promise<InvoiceDto> {
    return this.store.write(ctx, async (tx) => {
      const draft = await tx.target(AccountingInvoice, id);
      if (draft.status !== 'draft' && Object.keys(definedOf(body)).some((name) => name !== 'custom_fields'))
        throw AccountingErrors.invalidTransition({
          param: 'status',
          message: `The invoice is ${draft.status}, and only custom_fields can be changed; correct the rest with create_credit_note.`,
          allowed: ['draft'],
        });
      const before = await readLines(tx, draft);
      const { issued_on, due_on, supply_on, memo, external_id } = body;
      requireDays({ issued_on: draft.issued_on, due_on: draft.due_on, supply_on: draft.supply_on, ...definedDays(body) });
      if (external_id !== draft.external_id) await requireNew(tx, AccountingInvoice, draft.project_id, 'external_id', external_id);
      const customer = body.customer_id === undefined ? null : await requireCustomer(tx, draft.project_id, body.customer_id);
      const header = {
        issued_on,
        due_on,
        supply_on,
        memo,
        external_id,
        custom_fields: await tx.customFields.ofChanged(draft, body.custom_fields),
        ...(customer ? { customer_id: customer.id, customer_snapshot: snapshotOf(customer) } : {}),
      };
      const { lines, changed } = changesContent(body)
        ? await this.changeContent(tx, draft, before, body, header)
        : { lines: before, changed: await tx.update(draft, header) };
      const object = invoiceView(changed, lines);
      if (changed.version === draft.version) return object;
      const previous = changedFrom(invoiceView(draft, before), object);
      tx.emit(InvoiceEvents.invoiceUpdated, { object, previous, projectId: draft.project_id });
      return object;
    });
  }

  private async changeContent(
    tx: Tx,
    draft: AccountingInvoice,
    before: readonly InvoiceLine[],
    body: UpdateInvoiceDto,
    header: Partial<AccountingInvoice>,
  ): Promise<{ lines: readonly InvoiceLine[]; changed: AccountingInvoice }> {
    const content = await this.config.decide(tx, draft.project_id, (books) => contentOf(books, mergedInput(draft, before, body)));
    const { lines: newLines, ...amounts } = content;
    const lines = linesDiffer(before, newLines) ? replaceLines(tx, draft, newLines) : before;
    const changes = { ...header, ...amounts, base_gross_amount: inBase(amounts.gross_amount, amounts.exchange_rate) };
    return { lines, changed: await (lines === before ? tx.update(draft, changes) : tx.advanced.touch(draft, changes)) };
  }
}

/** The fields that determine the amounts of a draft. */
interface ContentInput {
  currency: string;
  exchange_rate?: Decimal;
  prices_include_tax?: boolean;
  lines: readonly InvoiceLineInputDto[];
}

function contentOf(books: ProjectBooks, { currency, exchange_rate, prices_include_tax = false, lines }: ContentInput): DraftContent {
  const priced = lines.map(({ quantity = '1', unit_amount, per_quantity = '1', discount_percent = '0', ...line }, index) => {
    if (Number(discount_percent) > 100) throw invalid(`lines.${index}.discount_percent`, 'must be 100 or less');
    const tax = requireTax(books, `lines.${index}.tax_id`, line.tax_id);
    const numbers = {
      quantity: plainDecimal(quantity),
      per_quantity: plainDecimal(per_quantity),
      discount_percent: plainDecimal(discount_percent),
    };
    return { ...numbers, unit_amount, tax: { ...tax, rate: plainDecimal(tax.rate) } };
  });
  const { lines: amounts, ...totals } = amountsOf(priced, prices_include_tax);
  return {
    currency,
    exchange_rate: requireRate(books, currency, exchange_rate),
    prices_include_tax,
    ...totals,
    lines: priced.map(({ tax, ...line }, index) => ({
      description: lines[index].description,
      ...line,
      tax_id: tax.id,
      ...amounts[index],
      account_id: revenueAccount(books, `lines.${index}.account_id`, lines[index].account_id),
    })),
  };
}

function revenueAccount(books: ProjectBooks, param: string, id: string | undefined): string {
  if (id === undefined) return accountWith(books, 'revenue').id;
  const isUsable = ({ type, role }: { type: string; role: string | null }) =>
    type === 'income' || (type === 'liability' && role !== 'customer_credit' && role !== 'tax');
  return requireAccount(books, param, id, { kind: 'an active income or liability account', isUsable }).id;
}

function changesContent({ currency, exchange_rate, prices_include_tax, lines }: UpdateInvoiceDto): boolean {
  return [currency, exchange_rate, prices_include_tax, lines].some((value) => value !== undefined);
}

/** The draft with the changes; the rate of another currency must be given. */
function mergedInput(draft: AccountingInvoice, lines: readonly InvoiceLine[], body: UpdateInvoiceDto): ContentInput {
  const currency = body.currency ?? draft.currency;
  const keepsRate = currency === draft.currency && body.exchange_rate === undefined;
  return {
    currency,
    exchange_rate: keepsRate ? draft.exchange_rate : body.exchange_rate,
    prices_include_tax: body.prices_include_tax ?? draft.prices_include_tax,
    lines: body.lines ?? lines,
  };
}

function linesDiffer(before: readonly InvoiceLine[], after: readonly NewLine[]): boolean {
  const differs = (line: NewLine, index: number) =>
    Object.entries(line).some(([name, value]) => value !== before[index][name as keyof InvoiceLine]);
  return before.length !== after.length || after.some(differs);
}

export function snapshotOf({ name, email, tax_id_number, address }: AccountingCustomer): CustomerSnapshot {
  return { name, email, tax_id_number, address };
}

/** A foreign key guards it, so that the reads of a draft need no transaction. */
function requireCustomer(tx: Tx, projectId: string, id: string): Promise<AccountingCustomer> {
  return tx.reference(AccountingCustomer, id, 'customer_id', { projectId, message: 'must be a customer of the project', lock: 'none' });
}

type Days = Partial<Record<'issued_on' | 'due_on' | 'supply_on', string | null>>;

function definedDays({ issued_on, due_on, supply_on }: Days): Days {
  return Object.fromEntries(Object.entries({ issued_on, due_on, supply_on }).filter(([, day]) => day !== undefined));
}

function requireDays(days: Days): void {
  for (const [param, day] of Object.entries(days)) requireBookDay(param, day);
  const { issued_on, due_on } = days;
  if (issued_on && due_on && due_on < issued_on) throw invalid('due_on', `must not be before issued_on, ${issued_on}`);
}
