import { Controller, Post, Query } from '@nestjs/common';
import { csvUpload, Ctx, Endpoint, IMPORT_LIMITS, ImportQuery, MoneyImportQuery, Upload, Uploaded } from '../../../kit/index.js';
import { AccountingImportDto } from './imports.dto.js';
import { AccountingImports } from './imports.service.js';

const ROWS =
  'Rows with errors are skipped and reported; a record is imported as a whole. A file can be sent again: repeated records are reported.';
const GROUPED = 'Rows with the same external_id in consecutive rows form one record; a row without external_id is rejected on its own.';
const shared = { returns: AccountingImportDto, bodyLimit: IMPORT_LIMITS.bytes, ownTransactions: true } as const;

@Controller('/api/v1/org/accounting/imports')
export class OrgAccountingImportsController {
  constructor(private readonly imports: AccountingImports) {}

  @Post('customers')
  @Endpoint({
    ...shared,
    operation: 'import_org_customers',
    summary: 'Create customers from a CSV file',
    description: `Columns are the fields of create_customer; external_id is required. ${ROWS}`,
    permission: 'accounting.invoice.manage',
    upload: csvUpload('Customers.', 'external_id,name,email\ncrm-4711,Nordlys Outdoor AS,billing@nordlys.example\n'),
  })
  customers(@Ctx() ctx: Ctx, @Query() query: ImportQuery, @Uploaded() upload: Upload): Promise<AccountingImportDto> {
    return this.imports.importCustomers(ctx, upload, query);
  }

  @Post('invoices')
  @Endpoint({
    ...shared,
    operation: 'import_org_invoices',
    summary: 'Create drafts of invoices from a CSV file',
    description:
      'Columns: external_id, customer (its external_id), description, unit_amount, tax (a code); optionally quantity, per_quantity, ' +
      `discount_percent, account (a code), currency, exchange_rate, issued_on, due_on, prices_include_tax, memo, line. ${GROUPED} ${ROWS}`,
    permission: 'accounting.invoice.manage',
    upload: csvUpload('Lines.', 'external_id,customer,description,unit_amount,tax\nerp-1,crm-4711,Consulting,12000,VAT19\n'),
  })
  invoices(@Ctx() ctx: Ctx, @Query() query: MoneyImportQuery, @Uploaded() upload: Upload): Promise<AccountingImportDto> {
    return this.imports.importInvoices(ctx, upload, query);
  }

  @Post('journal-entries')
  @Endpoint({
    ...shared,
    operation: 'import_org_journal_entries',
    summary: 'Post journal entries from a CSV file',
    description:
      'Columns: external_id, on, memo, account (a code), debit_amount, credit_amount; optionally customer (its external_id, for accounts ' +
      `of customers), currency, exchange_rate, line_memo, line. ${GROUPED} ${ROWS}`,
    permission: 'accounting.ledger.manage',
    upload: csvUpload(
      'Lines.',
      'external_id,on,memo,account,debit_amount,credit_amount\nr-1,2026-11-01,Rent,6000,9000,\nr-1,2026-11-01,Rent,1100,,9000\n',
    ),
  })
  entries(@Ctx() ctx: Ctx, @Query() query: MoneyImportQuery, @Uploaded() upload: Upload): Promise<AccountingImportDto> {
    return this.imports.importEntries(ctx, upload, query);
  }
}
