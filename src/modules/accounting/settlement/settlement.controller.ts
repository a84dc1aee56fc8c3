import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, RequestedPaymentDto, RequestPaymentDto, type ListBody } from '../../../kit/index.js';
import { InvoiceDto } from '../invoices/invoice.dto.js';
import { AccountingErrors } from '../model/accounting.errors.js';
import { CreditNotes } from './credit-notes.service.js';
import { Credits } from './credits.service.js';
import { ApplyCreditDto, CreateCreditNoteDto, PaymentDto, PaymentsQuery, RecordPaymentDto, ReversePaymentDto } from './payments.dto.js';
import { Payments } from './payments.service.js';
import { InvoiceEvents } from '../invoices/invoices.events.js';
import { JournalEntryEvents } from '../ledger/journal-entries.events.js';
import { PaymentEvents } from './payments.events.js';
import { INVOICE_NUMBER } from '../model/row-numbers.js';

const member = { permission: 'accounting.invoice.manage' };
const INVOICE = 'Id or number of the invoice.';
const settling = [AccountingErrors.invalidTransition, AccountingErrors.setupIncomplete, AccountingErrors.periodClosed];

@Controller('/api/v1/ext/accounting')
export class SettlementController {
  constructor(
    private readonly payments: Payments,
    private readonly credits: Credits,
    private readonly creditNotes: CreditNotes,
  ) {}

  @Post('invoices/:id/credit-notes')
  @Endpoint({
    scope: 'accounting:invoice:write',
    member,
    operation: 'create_credit_note',
    summary: 'Credit an invoice',
    description: 'Issues a credit note at once. It settles the invoice first; what is left can settle others with apply_credit.',
    returns: InvoiceDto,
    status: 201,
    ifMatch: true,
    errors: [...settling, AccountingErrors.alreadyCredited],
    emits: [
      JournalEntryEvents.journalEntryPosted,
      InvoiceEvents.creditNoteIssued,
      InvoiceEvents.invoiceUpdated,
      InvoiceEvents.invoiceStatusChanged,
      InvoiceEvents.invoicePaid,
    ],
  })
  creditNote(@Ctx() ctx: Ctx, @Id('id', INVOICE, INVOICE_NUMBER) id: string, @Body() body: CreateCreditNoteDto): Promise<InvoiceDto> {
    return this.creditNotes.create(ctx, id, body);
  }

  @Post('invoices/:id/payment-requests')
  @Endpoint({
    scope: 'accounting:payment:write',
    member,
    operation: 'request_invoice_payment',
    summary: 'Get a page or reference from the payment provider',
    description: 'For what is open; records nothing. Each call makes another page. Without a provider: the number to state in a transfer.',
    returns: RequestedPaymentDto,
    ownTransactions: true,
    dryRun: true,
    openWorld: true,
    errors: [AccountingErrors.invalidTransition, CommonErrors.paymentRefused],
  })
  requestPayment(
    @Ctx() ctx: Ctx,
    @Id('id', INVOICE, INVOICE_NUMBER) id: string,
    @Body() body: RequestPaymentDto,
  ): Promise<RequestedPaymentDto> {
    return this.payments.request(ctx, id, body);
  }

  @Post('invoices/:id/payments')
  @Endpoint({
    scope: 'accounting:payment:write',
    member,
    operation: 'record_payment',
    summary: 'Record a payment of an invoice',
    returns: PaymentDto,
    status: 201,
    ifMatch: true,
    errors: [...settling, AccountingErrors.paymentExceedsBalance, CommonErrors.duplicate],
    emits: [
      JournalEntryEvents.journalEntryPosted,
      InvoiceEvents.invoiceUpdated,
      InvoiceEvents.invoiceStatusChanged,
      InvoiceEvents.invoicePaid,
      PaymentEvents.paymentRecorded,
    ],
  })
  pay(@Ctx() ctx: Ctx, @Id('id', INVOICE, INVOICE_NUMBER) id: string, @Body() body: RecordPaymentDto): Promise<PaymentDto> {
    return this.payments.record(ctx, id, body);
  }

  @Post('invoices/:id/credits')
  @Endpoint({
    scope: 'accounting:payment:write',
    member,
    operation: 'apply_credit',
    summary: 'Settle an invoice with a credit',
    description: 'Returns the invoice. The credit is what is left of a payment or of a credit note of its customer.',
    returns: InvoiceDto,
    ifMatch: true,
    errors: [...settling, AccountingErrors.paymentExceedsBalance],
    emits: [
      JournalEntryEvents.journalEntryPosted,
      InvoiceEvents.invoiceUpdated,
      InvoiceEvents.invoiceStatusChanged,
      InvoiceEvents.invoicePaid,
    ],
  })
  credit(@Ctx() ctx: Ctx, @Id('id', INVOICE, INVOICE_NUMBER) id: string, @Body() body: ApplyCreditDto): Promise<InvoiceDto> {
    return this.credits.apply(ctx, id, body);
  }

  @Get('payments')
  @Endpoint({
    scope: 'accounting:invoice:read',
    member,
    operation: 'list_payments',
    summary: 'List payments',
    returns: PaymentDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: PaymentsQuery): Promise<ListBody<PaymentDto>> {
    return listBody(await this.payments.page(ctx, query), (payment) => PaymentDto.from(payment));
  }

  @Post('payments/:id/reverse')
  @Endpoint({
    scope: 'accounting:payment:write',
    member,
    operation: 'reverse_payment',
    summary: 'Reverse a payment',
    description:
      'For a payment that was returned or recorded by mistake. The amounts that it settled are open again from the day of the reversal.',
    returns: PaymentDto,
    ifMatch: true,
    destructive: true,
    errors: [AccountingErrors.alreadyReversed, AccountingErrors.periodClosed],
    emits: [
      JournalEntryEvents.journalEntryPosted,
      InvoiceEvents.invoiceUpdated,
      InvoiceEvents.invoiceStatusChanged,
      InvoiceEvents.invoicePaid,
      PaymentEvents.paymentReversed,
    ],
  })
  reverse(@Ctx() ctx: Ctx, @Id('id', 'Id of the payment.') id: string, @Body() body: ReversePaymentDto): Promise<PaymentDto> {
    return this.payments.reverse(ctx, id, body);
  }
}
