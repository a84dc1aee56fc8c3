import { Field, plainDecimal } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { Order } from '../model/order.entity.js';
import { chargedOf, shippingOf } from '../pricing/order-money.js';
import { taxShare } from '../pricing/shares.js';
import { amount } from '../model/field-options.js';
import { OrderRefundDto } from './order-refund.dto.js';
import { TaxedAmountDto } from './order-totals.dto.js';
import { OrderDto, type OrderParts } from './order.dto.js';

/** A line of an invoice: the rest of an order line after cancellations, or shipping. Copy the amounts; never compute them again. */
export class InvoiceLineDto extends TaxedAmountDto {
  @Field.uuid({
    description: 'Line of the order; null: shipping.',
    example: EXAMPLE.line,
    nullable: true,
  })
  line_id: string | null;

  @Field.string({
    description: 'What it is.',
    example: 'Office chair, Black',
  })
  description: string;

  @Field.integer({
    description: 'Units.',
    example: 2,
    minimum: 1,
    maximum: 9999,
  })
  quantity: number;
}

/** What the invoice and the credit notes of a part must come to. */
export class ChargedPartDto {
  @Field.uuid({
    description: 'Line of the order; null: shipping.',
    example: EXAMPLE.line,
    nullable: true,
  })
  line_id: string | null;

  @amount('What the buyer keeps, and what was cancelled after it was paid and is not refunded yet, with tax.')
  total_amount: number;
}

/** An order with everything that an invoice needs. */
export class InvoiceableOrderDto extends OrderDto {
  @Field.object(() => InvoiceLineDto, {
    description: 'What an invoice charges.',
    example: [],
    list: { maxItems: 201 },
  })
  invoice_lines: InvoiceLineDto[];

  @Field.object(() => ChargedPartDto, {
    description: 'What the invoice less its credit notes must come to, by line.',
    example: [],
    list: { maxItems: 201 },
  })
  charged: ChargedPartDto[];

  static override from(this: void, order: Order, parts?: OrderParts): InvoiceableOrderDto {
    const shown = OrderDto.from(order, parts);
    const { lines } = parts ?? { lines: order.lines ?? [] };
    const charged = lines.map((line) => ({ line_id: line.id, total_amount: chargedOf(line) }));
    return {
      ...shown,
      invoice_lines: invoiceLines(order, { lines }),
      charged: [...charged, { line_id: null, total_amount: chargedOf(shippingOf(order)) }],
    };
  }
}

/** An order with the refund that a credit note is for. */
export class RefundedOrderDto extends InvoiceableOrderDto {
  @Field.object(() => OrderRefundDto, {
    description: 'The refund.',
    example: undefined,
  })
  refund: OrderRefundDto;
}

function invoiceLines(order: Order, { lines }: Pick<OrderParts, 'lines'>): InvoiceLineDto[] {
  const goods = lines.map((line) => ({
    ...left({ tax: line.tax_amount, total: line.total_amount }, line.cancelled_amount),
    line_id: line.id,
    description: [line.title, ...line.option_values].join(', '),
    quantity: line.quantity - line.cancelled_quantity,
    tax_code: line.tax_code,
    tax_rate: line.tax_rate,
  }));
  const { shipping_name: description, shipping_tax_code: tax_code, shipping_tax_rate, shipping_tax_amount: tax } = order;
  if (description === null || tax_code === null || shipping_tax_rate === null) return goods.filter(({ quantity }) => quantity > 0);
  const shipping = {
    ...left({ tax, total: order.shipping_total_amount }, order.shipping_cancelled_amount),
    line_id: null,
    description,
    quantity: 1,
    tax_code,
    tax_rate: plainDecimal(shipping_tax_rate),
  };
  return [...goods.filter(({ quantity }) => quantity > 0), ...(shipping.total_amount > 0 ? [shipping] : [])];
}

function left(part: { tax: number; total: number }, cancelled: number) {
  const tax_amount = part.tax - taxShare(part, 0, cancelled);
  const total_amount = part.total - cancelled;
  return { net_amount: total_amount - tax_amount, tax_amount, total_amount };
}
