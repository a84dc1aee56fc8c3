import { Injectable } from '@nestjs/common';
import { CachedNames, Store, type Ctx } from '../../../kit/index.js';
import { AccountingInvoice } from '../model/invoice.entity.js';
import type { InvoiceDto } from './invoice.dto.js';
import { invoiceView } from './invoice-views.js';

/** Adds the numbers of the invoices that they credit to credit notes that are read. */
@Injectable()
export class InvoiceNames {
  private readonly numbers: CachedNames;

  constructor(store: Store) {
    this.numbers = CachedNames.ofColumn(store, AccountingInvoice, 'number');
  }

  async mapper(ctx: Ctx, invoices: readonly AccountingInvoice[]): Promise<(invoice: AccountingInvoice) => InvoiceDto> {
    const number = await this.numbers.of(
      ctx,
      invoices.map(({ credits_id }) => credits_id),
    );
    return (invoice) => {
      const view = invoiceView(invoice);
      return invoice.credits_id === null ? view : { ...view, credits_number: number(invoice.credits_id) };
    };
  }
}
