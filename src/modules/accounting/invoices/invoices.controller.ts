import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { AccountingErrors } from '../model/accounting.errors.js';
import { InvoiceDrafts } from './invoice-drafts.service.js';
import { InvoiceIssue } from './invoice-issue.service.js';
import { InvoiceNames } from './invoice-names.service.js';
import { CreateInvoiceDto, InvoicesQuery, ReasonDto, UpdateInvoiceDto } from './invoice-requests.dto.js';
import { InvoiceDto } from './invoice.dto.js';
import { InvoiceEvents } from './invoices.events.js';
import { JournalEntryEvents } from '../ledger/journal-entries.events.js';
import { INVOICE_NUMBER } from '../model/row-numbers.js';

const member = { permission: 'accounting.invoice.manage' };

@Controller('/api/v1/ext/accounting/invoices')
export class InvoicesController {
  constructor(
    private readonly drafts: InvoiceDrafts,
    private readonly issuing: InvoiceIssue,
    private readonly names: InvoiceNames,
  ) {}

  @Get()
  @Endpoint({
    scope: 'accounting:invoice:read',
    member,
    operation: 'list_invoices',
    summary: 'List invoices and credit notes',
    returns: InvoiceDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: InvoicesQuery): Promise<ListBody<InvoiceDto>> {
    const page = await this.drafts.page(ctx, query);
    return listBody(page, await this.names.mapper(ctx, page.data));
  }

  @Get(':id')
  @Endpoint({
    scope: 'accounting:invoice:read',
    member,
    operation: 'get_invoice',
    summary: 'Get one invoice or credit note',
    returns: InvoiceDto,
  })
  async get(@Ctx() ctx: Ctx, @Id(INVOICE_NUMBER) id: string): Promise<InvoiceDto> {
    const invoice = await this.drafts.get(ctx, id);
    return (await this.names.mapper(ctx, [invoice]))(invoice);
  }

  @Post()
  @Endpoint({
    scope: 'accounting:invoice:write',
    member,
    operation: 'create_invoice',
    summary: 'Create a draft of an invoice',
    description: 'Check its totals and notice, then issue_invoice. Orders of the storefront invoice themselves, if the project says so.',
    returns: InvoiceDto,
    status: 201,
    errors: [CommonErrors.duplicate, AccountingErrors.setupIncomplete],
    emits: [InvoiceEvents.invoiceCreated],
  })
  create(@Ctx() ctx: Ctx, @Body() body: CreateInvoiceDto): Promise<InvoiceDto> {
    return this.drafts.create(ctx, body);
  }

  @Patch(':id')
  @Endpoint({
    scope: 'accounting:invoice:write',
    member,
    operation: 'update_invoice',
    summary: 'Change a draft',
    description: 'Of an issued invoice only custom_fields.',
    returns: InvoiceDto,
    errors: [CommonErrors.duplicate, AccountingErrors.invalidTransition, AccountingErrors.setupIncomplete],
    emits: [InvoiceEvents.invoiceUpdated],
  })
  update(@Ctx() ctx: Ctx, @Id(INVOICE_NUMBER) id: string, @Body() body: UpdateInvoiceDto): Promise<InvoiceDto> {
    return this.drafts.update(ctx, id, body);
  }

  @Post(':id/issue')
  @Endpoint({
    scope: 'accounting:invoice:write',
    member,
    operation: 'issue_invoice',
    summary: 'Issue a draft',
    description: 'Assigns a number and posts the invoice, which cannot be changed afterwards.',
    returns: InvoiceDto,
    ifMatch: true,
    errors: [AccountingErrors.invalidTransition, AccountingErrors.setupIncomplete, AccountingErrors.periodClosed],
    emits: [JournalEntryEvents.journalEntryPosted, InvoiceEvents.invoiceStatusChanged, InvoiceEvents.invoiceIssued],
  })
  issue(@Ctx() ctx: Ctx, @Id(INVOICE_NUMBER) id: string): Promise<InvoiceDto> {
    return this.issuing.issue(ctx, id);
  }

  @Post(':id/void')
  @Endpoint({
    scope: 'accounting:invoice:write',
    member,
    operation: 'void_invoice',
    summary: 'Void an invoice',
    description: 'Only while nothing is settled and its month is open. Its number stays.',
    returns: InvoiceDto,
    ifMatch: true,
    destructive: true,
    errors: [AccountingErrors.invalidTransition, AccountingErrors.useCreditNote, AccountingErrors.periodClosed],
    emits: [JournalEntryEvents.journalEntryPosted, InvoiceEvents.invoiceStatusChanged],
  })
  void(@Ctx() ctx: Ctx, @Id(INVOICE_NUMBER) id: string, @Body() { reason }: ReasonDto): Promise<InvoiceDto> {
    return this.issuing.void(ctx, id, reason);
  }
}
