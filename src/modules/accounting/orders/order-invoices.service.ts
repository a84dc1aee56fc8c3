import { Injectable } from '@nestjs/common';
import {
  CommonErrors,
  Contexts,
  DomainError,
  Store,
  type Ctx,
  type Decimal,
  type InternalEvent,
  type Page,
  type Tx,
} from '../../../kit/index.js';
import { AccountingConfig } from '../config/accounting-config.service.js';
import { DEAL_WON } from '../deals/customers-of-deals.js';
import { AccountingInvoice } from '../model/invoice.entity.js';
import { OrderPosting } from '../model/order-posting.entity.js';
import type { OrderInvoicing } from '../model/settings.entity.js';
import { OrderBooks } from './order-books.service.js';
import type { OrderPostingsQuery, RetryOrderPostingDto } from './order-postings.dto.js';
import { creditLines } from './sold-content.js';
import { moneyOf, orderOf, paymentsOf, refundsOf, unseen, type SoldOrder } from './sold-order.js';

const INVOICE_AFTER = { off: null, paid: 'order.paid', fulfilled: 'order.fulfilled' } as const;

/** An event of an order, with the postings that the order has. */
interface Heard {
  event: InternalEvent;
  order: SoldOrder;
  postings: readonly OrderPosting[];
  rate?: Decimal;
}

/**
 * Creates invoices from orders, and credits what an order no longer charges. Each event that is posted has one posting, which
 * records a failure and can be retried.
 */
@Injectable()
export class OrderInvoices {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly config: AccountingConfig,
    private readonly books: OrderBooks,
  ) {}

  page(ctx: Ctx, query: OrderPostingsQuery): Promise<Page<OrderPosting>> {
    return this.store.page(ctx, OrderPosting, query);
  }

  async handle(ctx: Ctx, event: InternalEvent): Promise<void> {
    const { project_id: projectId } = event;
    if (projectId === null) return;
    const suite = this.contexts.system({ organizationId: ctx.organizationId, projectId, mode: ctx.mode });
    const { settings } = await this.config.read(suite, projectId);
    const order = event.data as SoldOrder;
    if (!(await this.concerns(suite, settings.order_invoicing, event, order))) return;
    try {
      await this.store.write(suite, (tx) => this.post(suite, tx, projectId, event, order));
    } catch (error) {
      if (!(error instanceof DomainError) || error.spec.status >= 500) throw error;
      await this.store.write(suite, (tx) => this.recordFailure(tx, projectId, event, order, error));
    }
  }

  /** Which document the event will make, so that nobody makes a second one by hand. */
  async foresee(ctx: Ctx, event: InternalEvent): Promise<string[]> {
    const { project_id: projectId } = event;
    if (projectId === null || event.type === DEAL_WON) return [];
    const suite = this.contexts.systemWithin(ctx);
    const order = event.data as SoldOrder;
    const [{ settings }, postings] = await Promise.all([
      this.config.read(suite, projectId),
      this.store.list(suite, OrderPosting, { order_id: order.id }),
    ]);
    const invoiced = postings.find(isInvoiced);
    if (!invoiced) return foreseenWithout(settings.order_invoicing, { event, order, postings });
    const invoice = await this.store.get(suite, AccountingInvoice, invoiced.invoice_id as string);
    return invoice.status === 'void' ? [] : foreseenAfter(invoiced, { event, order, postings });
  }

  /** Whether the event may need a posting: an order that has one needs them even if orders are no longer invoiced. */
  private async concerns(ctx: Ctx, invoicing: OrderInvoicing, { type }: InternalEvent, { id, fulfillments }: SoldOrder): Promise<boolean> {
    if (type === INVOICE_AFTER[invoicing] || (type === 'order.refunded' && invoicing !== 'off')) return true;
    if (invoicing === 'fulfilled' && fulfillments.length > 0) return true;
    return (await this.store.list(ctx, OrderPosting, { order_id: id })).length > 0;
  }

  /** Retries a failed posting, or one that waits for an invoice; throws the error of this attempt. */
  async retry(ctx: Ctx, id: string, { exchange_rate }: RetryOrderPostingDto): Promise<OrderPosting> {
    return this.store.write(ctx, async (tx) => {
      const { status, project_id, event_id, event_type, payload } = await tx.target(OrderPosting, id);
      if (status === 'done') throw CommonErrors.resourceConflict({ message: 'The posting is done; only others can be retried.' });
      const event = { id: event_id, type: event_type, project_id, data: payload };
      await this.post(ctx, tx, project_id, event, payload as SoldOrder, exchange_rate);
      const posting = await tx.get(OrderPosting, id);
      if (posting.status === 'waiting')
        throw CommonErrors.resourceConflict({
          message: 'The refund waits for the invoice of the order. It is posted when the order is shipped, or a failed invoice is retried.',
        });
      return posting;
    });
  }

  private async post(ctx: Ctx, tx: Tx, projectId: string, event: InternalEvent, order: SoldOrder, rate?: Decimal): Promise<void> {
    // events of one order may be handled at once
    await tx.advanced.mutex(`accounting order ${order.id}`);
    const postings = await tx.lockWhere(OrderPosting, { order_id: order.id });
    if (postings.some(({ event_id, status }) => event_id === event.id && status === 'done')) return;
    const heard: Heard = { event, order, postings, rate };
    const invoiced = postings.find(isInvoiced);
    if (invoiced) return this.follow(ctx, tx, projectId, heard, invoiced);
    const { order_invoicing } = (await this.config.of(tx, projectId)).settings;
    if (isDue(order_invoicing, heard)) return this.invoice(ctx, tx, projectId, heard);
    if (event.type === 'order.refunded') {
      const status = waits(order_invoicing, heard) ? 'waiting' : 'done';
      return this.write(tx, projectId, heard, { status, invoice_id: null });
    }
    // no invoice will be made for which its refunds could wait
    if (event.type === 'order.cancelled' || event.type === 'order.fulfilled')
      for (const posting of waiting(postings)) await tx.update(posting, { status: 'done' });
    if (isEarly(order_invoicing, heard) || isKnown(heard)) await this.write(tx, projectId, heard, { invoice_id: null });
  }

  /** Makes the invoice, and credits what was refunded before it, also of an order that has been cancelled since it was paid. */
  private async invoice(ctx: Ctx, tx: Tx, projectId: string, heard: Heard): Promise<void> {
    const { order, postings, rate } = heard;
    const payloads = [order, ...postings.map(({ payload }) => payload as SoldOrder)];
    const { invoice_id, parts } = await this.books.invoice(ctx, tx, projectId, order, paymentsOf(payloads), rate);
    const earlier = postings.filter(({ event_type, status }) => event_type === 'order.refunded' && status !== 'failed');
    const reason = `Refund of order ${order.number}`;
    const crediting = { order: orderOf(payloads), parts, earlierNotes: [], reason, money: moneyOf(payloads), isRefund: true };
    const credited = await this.books.credit(ctx, tx, invoice_id, crediting);
    for (const posting of earlier) await tx.update(posting, { status: 'done', invoice_id: credited.invoice_id });
    await this.write(tx, projectId, heard, { invoice_id, parts: credited.parts });
  }

  /** Posts what has happened since the invoice: payments, refunds, and cancellations of what was not paid. */
  private async follow(ctx: Ctx, tx: Tx, projectId: string, heard: Heard, invoiced: OrderPosting): Promise<void> {
    const { event, order, postings } = heard;
    const needsPosting = event.type === 'order.refunded' || isKnown(heard);
    const invoice = await tx.get(AccountingInvoice, invoiced.invoice_id as string);
    // a void invoice charges nothing that could be paid or credited
    if (invoice.status === 'void') return needsPosting ? this.write(tx, projectId, heard, { invoice_id: null }) : undefined;
    const done = postings.filter(({ status }) => status === 'done');
    const seen = done.map(({ payload }) => payload as SoldOrder);
    const payments = unseen(paymentsOf([order]), paymentsOf(seen));
    // not by the event: a later one, which is handled before it, knows the refund as well
    const isRefund = unseen(refundsOf([order]), refundsOf(seen)).length > 0;
    const isPaid = await this.books.recordPayments(ctx, tx, invoice.id, payments, heard.rate);
    const credited = await this.books.credit(ctx, tx, invoice.id, {
      order: orderOf([order, ...seen]),
      parts: invoiced.parts,
      earlierNotes: done.filter(({ payload }) => !(payload as SoldOrder).charged).flatMap(({ invoice_id }) => invoice_id ?? []),
      reason: order.refund?.reason ?? `${isRefund ? 'Refund' : 'Cancellation'} of order ${order.number}`,
      money: moneyOf([order, ...seen]),
      isRefund,
    });
    await tx.update(invoiced, { parts: credited.parts });
    if (!needsPosting && credited.invoice_id === null && !isPaid) return;
    const failure = credited.unpaid_amount > 0 ? { status: 'failed' as const, error: usedElsewhere(credited.unpaid_amount) } : {};
    await this.write(tx, projectId, heard, { invoice_id: credited.invoice_id ?? (isPaid ? invoice.id : null), ...failure });
  }

  /** Writes the posting of the event; its status is done unless given. */
  private async write(tx: Tx, projectId: string, { event, order, postings }: Heard, values: Partial<OrderPosting>): Promise<void> {
    const known = postings.find(({ event_id }) => event_id === event.id);
    const posting = { status: 'done' as const, error: null, ...values };
    if (known) await tx.update(known, posting);
    else await tx.insert(OrderPosting, { ...rowOf(projectId, event, order), parts: [], ...posting });
  }

  private async recordFailure(
    tx: Tx,
    projectId: string,
    event: InternalEvent,
    order: SoldOrder,
    { spec, occurrence, message }: DomainError,
  ) {
    const error = { code: spec.code, param: occurrence.param ?? null, message };
    const [known] = await tx.lockWhere(OrderPosting, { event_id: event.id });
    if (known) await tx.update(known, { status: 'failed', error });
    else await tx.insert(OrderPosting, { ...rowOf(projectId, event, order), status: 'failed', error, invoice_id: null, parts: [] });
  }
}

/**
 * Whether the event makes the invoice. A refund that waits for the shipment gets its invoice then, also if orders are invoiced when they
 * are paid by now.
 */
function isDue(invoicing: OrderInvoicing, heard: Heard): boolean {
  const { type } = heard.event;
  if (type === INVOICE_AFTER[invoicing]) return true;
  if (type === 'order.fulfilled' && invoicing !== 'off' && waiting(heard.postings).length > 0) return true;
  return isInvoicing(type) && isKnown(heard);
}

/** Whether an invoice is still to come: when the order is shipped, or one that failed is retried. */
function waits(invoicing: OrderInvoicing, { order: { state, fulfillment_state }, postings }: Heard): boolean {
  if (state === 'cancelled') return false;
  const isOpen = invoicing === 'fulfilled' && fulfillment_state !== 'fulfilled';
  return isOpen || hasFailed(postings);
}

/**
 * Whether the event is to be remembered, because an earlier one may still make the invoice: one that failed, or that is handled after
 * this one.
 */
function isEarly(invoicing: OrderInvoicing, { event, order, postings }: Heard): boolean {
  const isShipped = event.type === 'order.cancelled' ? order.fulfillments.length > 0 : order.fulfillment_state === 'fulfilled';
  if (!(invoicing === 'fulfilled' && isShipped) && !hasFailed(postings)) return false;
  const seen = postings.map(({ payload }) => payload as SoldOrder);
  return event.type === 'order.cancelled' || unseen(paymentsOf([order]), paymentsOf(seen)).length > 0;
}

/** Whether the event has a posting, which is done once nothing is left to post, such as after a later event has posted it. */
function isKnown({ event, postings }: Heard): boolean {
  return postings.some(({ event_id }) => event_id === event.id);
}

function hasFailed(postings: readonly OrderPosting[]): boolean {
  return postings.some(({ status, event_type }) => status === 'failed' && isInvoicing(event_type));
}

/** What follows an event of an order without an invoice. */
function foreseenWithout(invoicing: OrderInvoicing, heard: Heard): string[] {
  const { number } = heard.order;
  if (isDue(invoicing, heard)) return [`Accounting then issues the invoice of order ${number} by itself.`];
  if (heard.event.type !== 'order.refunded' || !waits(invoicing, heard)) return [];
  return [`Accounting credits the refund of order ${number} by itself once it has issued the invoice.`];
}

/** What follows an event of an order with an invoice. A cancellation credits what was not paid: paid parts are charged until the refund. */
function foreseenAfter({ parts }: OrderPosting, { event, order, postings }: Heard): string[] {
  const { number } = order;
  switch (event.type) {
    case 'order.refunded':
      return [`Accounting then credits the refund of order ${number} by itself.`];
    case 'order.payment_received':
      return [`Accounting then records the payment on the invoice of order ${number} by itself.`];
    case 'order.cancelled': {
      const seen = postings.filter(({ status }) => status === 'done').map(({ payload }) => payload as SoldOrder);
      const { lines } = creditLines(orderOf([order, ...seen]), parts, new Map(), new Map());
      return lines.length > 0 ? [`Accounting then credits what order ${number} no longer charges by itself.`] : [];
    }
    default:
      return [];
  }
}

function isInvoiced({ status, parts }: OrderPosting): boolean {
  return status === 'done' && parts.length > 0;
}

/** A member has to post the amount; a retry then finds nothing left to do. */
function usedElsewhere(amount: number): OrderPosting['error'] {
  const message =
    `${amount} of the refund is not posted: its credit note was made by hand and has been used for other invoices. ` +
    'Post the payment to the customer by a journal entry, then retry.';
  return { code: 'resource_conflict', param: null, message };
}

function isInvoicing(type: string): boolean {
  return type === 'order.paid' || type === 'order.fulfilled';
}

function waiting(postings: readonly OrderPosting[]): OrderPosting[] {
  return postings.filter(({ status }) => status === 'waiting');
}

function rowOf(project_id: string, event: InternalEvent, order: SoldOrder): Partial<OrderPosting> {
  return { project_id, event_id: event.id, event_type: event.type, order_id: order.id, order_number: order.number, payload: order };
}
