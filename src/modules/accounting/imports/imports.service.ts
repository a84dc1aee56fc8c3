import { Injectable, type Type } from '@nestjs/common';
import {
  CustomFieldCatalog,
  importResult,
  notOfProject,
  own,
  Projects,
  readImport,
  refusalOf,
  sql,
  Store,
  table,
  writeRows,
  type CsvSource,
  type Ctx,
  type ImportQuery,
  type ImportRowErrorDto,
  type MoneyImportQuery,
  type RawRow,
  type Tx,
} from '../../../kit/index.js';
import { AccountingConfig } from '../config/accounting-config.service.js';
import { AccountingCustomers } from '../customers/customers.service.js';
import { InvoiceDrafts } from '../invoices/invoice-drafts.service.js';
import { JournalEntries } from '../ledger/journal-entries.service.js';
import { invalid } from '../model/accounting.errors.js';
import { AccountingCustomer } from '../model/customer.entity.js';
import { recordsOf, type ImportRecord } from './import-records.js';
import { CustomerRowDto, InvoiceRowDto, JournalRowDto, type AccountingImportDto } from './imports.dto.js';

/** Records of one transaction. */
const CHUNK = 100;

/** The currencies of the rows of a file. */
type CurrenciesOf = (projectId: string, rows: readonly RawRow[]) => Promise<(string | null)[]>;

type Write<T> = (tx: Tx, projectId: string, record: ImportRecord<T>) => Promise<unknown>;

/** Imports files. Each record is written or refused as a whole; a file can be sent again, because records have an external_id. */
@Injectable()
export class AccountingImports {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: AccountingConfig,
    private readonly customers: AccountingCustomers,
    private readonly entries: JournalEntries,
    private readonly drafts: InvoiceDrafts,
    private readonly customFields: CustomFieldCatalog,
  ) {}

  importCustomers(ctx: Ctx, file: CsvSource, query: ImportQuery): Promise<AccountingImportDto> {
    return this.run(ctx, CustomerRowDto, file, { ...query, resource: 'customer' }, (tx, projectId, { rows: [{ value }] }) =>
      this.customers.createIn(ctx, tx, projectId, value),
    );
  }

  importEntries(ctx: Ctx, file: CsvSource, query: MoneyImportQuery): Promise<AccountingImportDto> {
    const currencies: CurrenciesOf = async (projectId, rows) => {
      const { settings } = await this.config.read(ctx, projectId);
      return currenciesOf(rows, () => settings.currency);
    };
    const write: Write<JournalRowDto> = async (tx, projectId, { external_id, rows }) => {
      const books = await this.config.of(tx, projectId);
      const [{ on, memo, currency, exchange_rate }] = headOf(rows, ['on', 'memo', 'currency', 'exchange_rate']);
      const customers = await customersOf(tx, projectId, rows);
      const lines = rows.map(({ value }, index) => ({
        account_id: idOf(books.accounts, `lines.${index}.account`, value.account),
        customer_id: value.customer === undefined ? undefined : customerId(customers, `lines.${index}.customer`, value.customer),
        debit_amount: value.debit_amount,
        credit_amount: value.credit_amount,
        memo: value.line_memo,
      }));
      if (lines.length < 2) throw invalid('lines', 'must be at least two rows with the same external_id');
      await this.entries.createIn(ctx, tx, projectId, { external_id, on, memo, currency, exchange_rate, lines });
    };
    return this.run(ctx, JournalRowDto, file, query, write, currencies);
  }

  importInvoices(ctx: Ctx, file: CsvSource, query: MoneyImportQuery): Promise<AccountingImportDto> {
    const shared = ['customer', 'currency', 'exchange_rate', 'issued_on', 'due_on', 'prices_include_tax', 'memo', 'custom_fields'] as const;
    const currencies: CurrenciesOf = async (projectId, rows) => {
      const ids = rows.map(({ customer = '' }) => customer);
      const customers = await this.store.write(ctx, (tx) => customerCurrencies(tx, projectId, ids));
      return currenciesOf(rows, ({ customer = '' }) => customers.get(customer) ?? null);
    };
    const write: Write<InvoiceRowDto> = async (tx, projectId, { external_id, rows }) => {
      const books = await this.config.of(tx, projectId);
      const [{ customer, ...header }] = headOf(rows, shared);
      const customer_id = customerId(await customersOf(tx, projectId, rows), 'customer', customer);
      const lines = rows.map(({ value: { description, quantity, unit_amount, per_quantity, discount_percent, ...codes } }, index) => ({
        description,
        quantity,
        unit_amount,
        per_quantity,
        discount_percent,
        tax_id: idOf(books.taxes, `lines.${index}.tax`, codes.tax),
        account_id: codes.account === undefined ? undefined : idOf(books.accounts, `lines.${index}.account`, codes.account),
      }));
      if (lines.length > 200) throw invalid('lines', 'must be at most 200 rows with the same external_id');
      await this.drafts.createIn(ctx, tx, projectId, { external_id, customer_id, ...header, lines });
    };
    return this.run(ctx, InvoiceRowDto, file, { ...query, resource: 'invoice' }, write, currencies);
  }

  private async run<T extends { external_id: string }>(
    ctx: Ctx,
    dto: Type<T>,
    source: CsvSource,
    { resource, ...query }: MoneyImportQuery & { resource?: string },
    write: Write<T>,
    currencies?: CurrenciesOf,
  ): Promise<AccountingImportDto> {
    const { project_id, dry_run: isDryRun = false } = query;
    const project = await this.projects.resolve(ctx, project_id);
    const customFields = resource === undefined ? undefined : await this.customFields.columns(ctx, resource, project.id);
    const file = await readImport(dto, source, { ...query, customFields }, currencies && ((rows) => currencies(project.id, rows)));
    const records = recordsOf(file, dto !== (CustomerRowDto as Type));
    for (let start = 0; start < records.length; start += CHUNK) {
      const chunk = records.slice(start, start + CHUNK);
      await this.store.write(ctx, (tx) =>
        writeRows(tx, chunk, (record) => write(tx, project.id, record), {
          isDryRun,
          together: true,
          onRefusal: (record, error) => file.errors.push(...refusalsOf(record, error)),
        }),
      );
    }
    return { object: 'accounting_import', ...importResult(file, isDryRun) };
  }
}

/** The currencies of customers by their external ids. */
async function customerCurrencies(tx: Tx, projectId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const found = await tx.sql<{ external_id: string; currency: string }>(
    sql`SELECT c.external_id, c.currency FROM ${table(AccountingCustomer)} c
      WHERE ${own('c')} AND c.project_id = ${projectId} AND c.external_id = ANY(${[...new Set(ids)]})`,
  );
  return new Map(found.map(({ external_id, currency }) => [external_id, currency]));
}

/** The currency of each row: as named in the first row of its record, or by default. */
function currenciesOf(rows: readonly RawRow[], byDefault: (head: RawRow) => string | null): (string | null)[] {
  let head: RawRow | undefined;
  return rows.map((row) => {
    if (row.external_id === undefined || row.external_id !== head?.external_id) head = row;
    return row.currency ?? head.currency ?? byDefault(head);
  });
}

/** The error at its row, and an error for each other row of the record, which is not written either. */
function refusalsOf({ rows }: ImportRecord<unknown>, error: unknown): ImportRowErrorDto[] {
  const refusal = refusalOf(rows[0].row, error);
  const [, index, field] = /^lines\.(\d+)\.(\w+)$/.exec(refusal.param ?? '') ?? [];
  const at = index === undefined ? rows[0] : rows[Number(index)];
  const code = refusal.code;
  const others = rows.filter((row) => row !== at);
  const message = code === 'duplicate' ? refusal.message : `The record was not imported because of row ${at.row}.`;
  return [
    { ...refusal, row: at.row, param: columnOf(field ?? refusal.param), message: refusal.message.replace(/^lines\.\d+\./, '') },
    ...others.map(({ row }) => ({ row, code, param: code === 'duplicate' ? refusal.param : null, message })),
  ];
}

const COLUMNS: Readonly<Record<string, string>> = { account_id: 'account', tax_id: 'tax', customer_id: 'customer' };

function columnOf(param: string | null): string | null {
  return param === null ? null : (COLUMNS[param] ?? param);
}

/** The ids of the customers that rows name, by external_id. */
async function customersOf(
  tx: Tx,
  project_id: string,
  rows: readonly { value: { customer?: string } }[],
): Promise<ReadonlyMap<string | null, string>> {
  const external_id = [...new Set(rows.flatMap(({ value }) => value.customer ?? []))];
  const found = external_id.length === 0 ? [] : await tx.list(AccountingCustomer, { project_id, external_id });
  return new Map(found.map((customer) => [customer.external_id, customer.id]));
}

function customerId(customers: ReadonlyMap<string | null, string>, param: string, externalId: string): string {
  const id = customers.get(externalId);
  if (id === undefined) throw notOfProject(param, `must be the external_id of a customer of the project: ${externalId}`);
  return id;
}

/** The fields that all rows of a record must share, from its first row. */
function headOf<T extends object, K extends keyof T>(rows: readonly { value: T }[], names: readonly K[]): [Pick<T, K>] {
  const [{ value: first }, ...others] = rows;
  for (const { value } of others)
    for (const name of names)
      if (value[name] !== undefined && JSON.stringify(value[name]) !== JSON.stringify(first[name]))
        throw invalid(String(name), 'must be the same in all rows with the same external_id');
  return [first];
}

function idOf(rows: ReadonlyMap<string, { id: string; code: string }>, param: string, code: string): string {
  const found = [...rows.values()].find((row) => row.code === code);
  if (!found) throw notOfProject(param, `must be a code of the project: ${code}`);
  return found.id;
}
