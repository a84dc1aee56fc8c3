import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Books, EXT_ACCOUNTING, type Invoice } from '../accounting/testing/accounting-fixture.js';
import { eventually } from '../../../test/harness/eventually.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { openOf, OrderModel, type ModelRefund } from './testing/order-model.js';
import { makeOrder, openStore, ORDERS, type OrderBody } from './testing/storefront-fixture.js';

const app = await sharedApp();
const today = new Date().toISOString().slice(0, 10);
const RUNS = Number(process.env.PROPERTY_RUNS ?? 3);
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_128);

const step = fc.record({
  kind: fc.constantFrom(
    ...([
      'pay',
      'settle',
      'settle',
      'cancel',
      'cancel',
      'ship',
      'ship',
      'sendAll',
      'unship',
      'units',
      'units',
      'amount',
      'amount',
    ] as const),
    ...(['failed', 'all', 'credit', 'credit', 'close'] as const),
  ),
  /** Chooses a line and how much. */
  line: fc.nat(9),
  part: fc.nat(99),
});
const history = fc.record({
  lines: fc.array(
    fc.record({ price: fc.integer({ min: 1, max: 3000 }), quantity: fc.integer({ min: 1, max: 4 }), isReduced: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  percent: fc.constantFrom(0, 0, 13, 100),
  isPlain: fc.boolean(),
  steps: fc.array(step, { minLength: 8, maxLength: 16 }),
});
/** What plain histories do instead: all that is refunded are amounts, so that the credit notes follow from them alone. */
const PLAIN: Partial<Record<string, typeof step extends fc.Arbitrary<infer T extends { kind: unknown }> ? T['kind'] : never>> = {
  cancel: 'amount',
  units: 'amount',
  all: 'credit',
  unship: 'credit',
  ship: 'settle',
};
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

describe.each([
  ['paid', true, 'EUR'],
  ['fulfilled', true, 'USD'],
  ['paid', false, 'USD'],
  ['fulfilled', false, 'EUR'],
] as const)(
  'orders that are invoiced when they are %s, with prices that include tax: %s, in %s',
  (order_invoicing, prices_include_tax, currency) => {
    test('come to the sums, invoices, credit notes and balances of the model', async () => {
      const place = await open(order_invoicing, prices_include_tax, currency);
      const property = fc.asyncProperty(history, (one) => place.run(one));
      await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true });
    });
  },
);

type OrderInvoice = Invoice & { type: string; source: { id: string } | null; credits_id: string | null };

/** What credit notes made by hand have done to an order. */
interface ByHand {
  count: number;
  /** What all credit notes come to, as long as it is exact. */
  credited: number;
  isExact: boolean;
  /** Whether one has settled an invoice that was not paid, so that the payment is not posted. */
  isEarly: boolean;
}

async function open(order_invoicing: 'paid' | 'fulfilled', prices_include_tax: boolean, currency: string) {
  const store = await openStore(app, { prices_include_tax });
  const { space, owner, client, shop, stocked, pay, act, refund, fresh, discount } = store;
  const books = await Books.open(app, { workspace: space });
  const setUp = { project_id: shop.projectId, category: 'S' };
  for (const rate of ['19', '7'])
    await owner.post('/api/v1/org/accounting/tax-rates', { ...setUp, code: `S${rate}`, name: `S${rate}`, rate });
  await owner.patch(`/api/v1/org/accounting/settings/${shop.projectId}`, { order_invoicing, currency });
  // creates the month, which steps close and reopen
  await books.period(today, 'close');
  await books.period(today, 'reopen');

  /** Waits until the accounting has heard of all that has happened. */
  const heard = async () => {
    const sql = `SELECT count(*)::int AS open FROM jobs WHERE organization_id = $1 AND name = 'accounting.hear_event' AND status = 'due'`;
    const read = async () => (await app.sql.query<{ open: number }>(sql, [space.organizationId])).rows[0].open;
    expect(await eventually(read, (count) => count === 0)).toBe(0);
  };

  /** Opens the month, and retries what failed, the latest first if `isReversed`, until all is posted. */
  const repair = async ({ id }: { id: string }, isReversed = false) => {
    await books.period(today, 'reopen');
    for (let round = 0; round < 5; round++) {
      await heard();
      const { data } = (await owner.get(`/api/v1/org/accounting/order-postings?order_id=${id}&sort=created_at&limit=100`)).body;
      const failed = (data as { id: string; status: string }[]).filter(({ status }) => status === 'failed');
      if (failed.length === 0) return;
      for (const posting of isReversed ? failed.toReversed() : failed) {
        const body = currency === 'EUR' ? {} : { exchange_rate: '0.9137' };
        await owner.post(`/api/v1/org/accounting/order-postings/${posting.id}/retry`, body);
      }
    }
  };

  const check = async (model: OrderModel, id: string) => {
    const order = (await client.get(`${ORDERS}/${id}`)).body as OrderBody;
    expect(order.state).toBe(model.state);
    expect(order.totals).toMatchObject({
      paid_amount: model.paid,
      refunded_amount: model.refunded,
      due_amount: model.due,
      refund_due_amount: model.refundDue,
      cancelled_amount: model.parts.reduce((sum, { cancelledAmount }) => sum + cancelledAmount, 0),
    });
    return order;
  };

  /** The invoice, the credit notes and the ledger, which contains nothing else. */
  /** Refunds before a credit note by hand are posted before it, unless something failed. */
  const refunded = (model: OrderModel, byHand: ByHand) => {
    if (model.isInvoiced) byHand.credited = Math.max(byHand.credited, model.released());
  };

  const checkBooks = async (model: OrderModel, { id }: OrderBody, byHand: ByHand, isEnd: boolean) => {
    refunded(model, byHand);
    await repair({ id });
    const { data: postings } = (await owner.get(`/api/v1/org/accounting/order-postings?order_id=${id}`)).body;
    const statuses = postings.map((posting: { status: string }) => posting.status);
    const mayWait = !isEnd && order_invoicing === 'fulfilled' && !model.isInvoiced && !model.isCancelled;
    expect(statuses.filter((status: string) => status !== 'done' && !(mayWait && status === 'waiting'))).toEqual([]);
    if (model.due > 0) return;
    const all = (await books.get(`/invoices?limit=100`)).data as OrderInvoice[];
    const invoices = all.filter(({ source, type }) => type === 'invoice' && source?.id === id);
    expect(invoices).toHaveLength(model.isInvoiced ? 1 : 0);
    const [invoice] = invoices;
    const notes = all.filter(({ credits_id }) => credits_id !== null && credits_id === invoice?.id);
    // only notes made by hand may be open: they may be larger than what was refunded
    for (const { status } of [...invoices, ...notes.filter(({ source }) => source !== null)]) expect(status).toBe('paid');
    const total = sum(model.charged());
    const [charged, credited] = [sum(invoices.map(grossOf)), sum(notes.map(grossOf))];
    const taxes: Record<string, { net: number; tax: number }> = {};
    for (const [list, sign] of [[invoices, 1] as const, [notes, -1] as const])
      for (const { rate, net_amount, tax_amount } of list.flatMap((one) => one.taxes)) {
        taxes[rate] ??= { net: 0, tax: 0 };
        taxes[rate].net += sign * net_amount;
        taxes[rate].tax += sign * tax_amount;
      }
    for (const { net, tax } of Object.values(taxes)) expect(net < 0 || tax < 0).toBe(false);
    const taxOf = Object.fromEntries(Object.entries(taxes).map(([rate, { tax }]) => [rate, tax]));
    if (byHand.count === 0) {
      expect(charged - credited).toBe(total);
      expect(nonZero(taxOf)).toEqual(model.taxes());
    } else {
      // all that the shop does not charge any more is credited, and what is covered by hand is not credited again
      expect(charged - credited).toBeLessThanOrEqual(total);
      if (byHand.isExact) expect(credited).toBe(byHand.credited);
    }
    const open = sum(notes.map(({ totals }) => totals.balance_amount));
    const held = charged - credited + open;
    if (byHand.isEarly) expect(held).toBeLessThanOrEqual(total);
    else expect(held).toBe(total);
    if (currency !== 'EUR') return;
    const tax = sum(Object.values(taxOf));
    const balances = { '1150': held, '1200': -open, '2200': -tax, '4000': tax - (charged - credited) };
    expect(nonZero(await books.balances(today))).toEqual(nonZero(balances));
  };

  /** Credits a part of a line, or all that is left, by hand. */
  const credit = async (order: OrderBody, byHand: ByHand, pick: number, part: number) => {
    // two thirds wait until all is posted
    if (pick % 3 > 0) await repair(order, part % 2 === 1);
    else byHand.isExact = false;
    const all = (await books.get(`/invoices?limit=100`)).data as OrderInvoice[];
    const invoice = all.find(({ source, type }) => type === 'invoice' && source?.id === order.id);
    if (!invoice) return;
    const line = invoice.lines[part % invoice.lines.length];
    const quantity = ['1', '0.5', '0.37', line.quantity][Math.floor(part / 7) % 4];
    const lines = part < 10 ? {} : { lines: [{ line_id: line.id, quantity }] };
    const { status, body } = await books.api.post(`${EXT_ACCOUNTING}/invoices/${invoice.id}/credit-notes`, { reason: 'Agreed', ...lines });
    if (status !== 201) return expect([400, 409]).toContain(status);
    byHand.count++;
    byHand.credited += body.totals.gross_amount;
    if (body.totals.settled_amount > 0) byHand.isEarly = true;
  };

  const take = async (
    model: OrderModel,
    order: OrderBody,
    byHand: ByHand,
    { kind, line: pick, part }: History['steps'][number],
  ): Promise<void> => {
    const index = pick % model.lines.length;
    const [line, { id: line_id }] = [model.lines[index], order.lines[index]];
    const units = 1 + (part % 3);
    const refuse = async (action: string, body: object, status: number) => {
      const answer = await client.post(`${ORDERS}/${order.id}/${action}`, { provider: 'bank', reference: fresh('ref'), ...body });
      expect([answer.status, answer.body.error?.code]).toEqual([status, status === 409 ? 'refund_exceeds_payment' : 'validation_failed']);
    };
    const giveBack = async (body: object, expected: number | ModelRefund) => {
      if (typeof expected === 'number') return refuse('refunds', body, expected);
      const { refunds } = (await refund(order, body)) as unknown as { refunds: { amount: number; parts: Record<string, number>[] }[] };
      const { amount, parts } = refunds.at(-1) as (typeof refunds)[number];
      expect([amount, parts.map(({ total_amount, tax_amount }) => [total_amount, tax_amount])]).toEqual([
        expected.amount,
        expected.parts.filter(([total]) => total > 0),
      ]);
    };
    if (kind === 'pay' || kind === 'settle') {
      const amount = kind === 'settle' && model.due > 0 ? model.due : 1 + Math.floor(((model.due || 300) * part) / 90);
      await pay(order, amount);
      model.pay(amount);
    } else if (kind === 'failed') {
      await pay(order, 1000, { status: 'failed' });
      if (model.due === 0 && model.net > 0) await refund(order, { amount: 1, status: 'failed' });
    } else if (kind === 'ship' && model.state === 'open' && openOf(line) > 0) {
      const quantity = Math.min(units, openOf(line));
      await act(order, 'fulfill', { lines: [{ line_id, quantity }], notify: false });
      line.shipped += quantity;
    } else if (kind === 'sendAll') {
      for (const [place, { id }] of order.lines.entries()) {
        const quantity = openOf(model.lines[place]);
        if (quantity === 0 || model.state !== 'open') continue;
        await act(order, 'fulfill', { lines: [{ line_id: id, quantity }], notify: false });
        model.lines[place].shipped += quantity;
      }
    } else if (kind === 'unship') {
      const shown = (await client.get(`${ORDERS}/${order.id}`)).body;
      const parcel = shown.fulfillments.find((one: { state: string }) => one.state === 'shipped');
      if (!parcel) return;
      const [sent] = parcel.lines as { line_id: string; quantity: number }[];
      const place = order.lines.findIndex(({ id }) => id === sent.line_id);
      const own = model.lines[place];
      const answer = await client.post(`${ORDERS}/${order.id}/fulfillments/${parcel.id}/cancel`, {});
      const isReturned = own.returned > own.shipped - sent.quantity;
      expect(answer.status).toBe(isReturned ? 400 : 200);
      if (!isReturned) own.shipped -= sent.quantity;
    } else if (kind === 'cancel' && openOf(line) > 0 && model.state === 'open') {
      const quantity = Math.min(units, openOf(line));
      await act(order, 'cancel', { lines: [{ line_id, quantity }], reason: 'Test' });
      model.cancel(model.lines.map((_, place) => (place === index ? quantity : 0)));
    } else if (kind === 'all' && part < 30 && model.state === 'open' && model.lines.every(({ shipped }) => shipped === 0)) {
      await act(order, 'cancel', { reason: 'Test' });
      model.cancel(model.lines.map(openOf));
    } else if (kind === 'credit') {
      await credit(order, byHand, pick, part);
    } else if (kind === 'close' && part < 40) {
      await heard();
      await books.period(today, 'close');
    } else if (kind === 'close') {
      await repair(order, part % 2 === 1);
    } else if (kind === 'units') {
      const quantity = Math.min(units, line.quantity);
      await giveBack({ lines: [{ line_id, quantity }] }, model.refundUnits(index, quantity));
    } else if (kind === 'amount') {
      const amount = 1 + Math.floor(((part < 50 ? model.refundDue : model.net) * (part % 50)) / 40);
      await giveBack({ amount }, model.refundAmount(amount));
    }
    // only refunds of an amount say what is credited in all
    if (kind === 'units' || kind === 'all' || (kind === 'cancel' && model.paid > 0)) byHand.isExact = false;
    if (order_invoicing === 'paid' ? model.due === 0 && !model.isCancelled : model.isShipped) model.invoice();
  };

  const run = async ({ lines, percent, isPlain, steps }: History) => {
    const code = percent === 0 ? {} : { discount_code: (await discount({ kind: 'percentage', value: String(percent) })).code };
    const bought = await Promise.all(
      lines.map(async ({ price, quantity, isReduced }) => ({
        variant_id: (await stocked('100', price, isReduced ? { tax_class: 'reduced' } : {})).variantId,
        quantity,
      })),
    );
    const order = await makeOrder(client, shop, bought, code);
    const { shipping } = order as unknown as { shipping: Record<'total_amount' | 'tax_amount', number> };
    const model = new OrderModel([
      ...order.lines.map(({ total_amount, tax_amount, quantity }, index) => ({
        total: total_amount,
        tax: tax_amount,
        quantity,
        rate: lines[index].isReduced ? '7' : '19',
      })),
      { total: shipping.total_amount, tax: shipping.tax_amount, quantity: 0, rate: '19' },
    ]);
    const byHand: ByHand = { count: 0, credited: 0, isExact: true, isEarly: false };
    for (const one of steps) {
      await take(model, order, byHand, isPlain ? { ...one, kind: PLAIN[one.kind] ?? one.kind } : one);
      refunded(model, byHand);
      await check(model, order.id);
    }
    await checkBooks(model, order, byHand, false);
    const end = (kind: 'settle' | 'sendAll') => take(model, order, byHand, { kind, part: 0, line: 0 });
    if (model.due > 0) await end('settle');
    await end('sendAll');
    await checkBooks(model, order, byHand, true);
    if (model.refundDue > 0) await refund(order, { amount: checked(model.refundAmount(model.refundDue)) });
    await checkBooks(model, order, byHand, true);
    // every cent that is still there is paid back
    if (model.net > 0) await refund(order, { amount: checked(model.refundAmount(model.net)) });
    await check(model, order.id);
    await checkBooks(model, order, byHand, true);
    if (currency === 'EUR') expect(await books.balances(today).then(nonZero)).toEqual({});
  };
  return { run };
}

function checked(refunded: number | ModelRefund): number {
  if (typeof refunded === 'number') throw new Error(`refused with ${refunded}`);
  return refunded.amount;
}

function grossOf({ totals }: Invoice): number {
  return totals.gross_amount;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0);
}

function nonZero(amounts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== 0));
}
