import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Order } from '../model/order.entity.js';
import type { ShownLine } from '../model/shown-parts.js';
import { openOf, OrderModel, type ModelRefund } from '../testing/order-model.js';
import {
  balanceOf,
  cancelUnits,
  chargedOf,
  refundableUnits,
  refundAmount,
  refundUnits,
  shippingOf,
  type DividedRefund,
} from './order-money.js';

const KINDS = [
  'pay',
  'settle',
  'settle',
  'ship',
  'ship',
  'cancel',
  'cancel',
  'all',
  'units',
  'units',
  'units',
  'amount',
  'amount',
] as const;
const step = fc.record({ kind: fc.constantFrom(...KINDS), line: fc.nat(9), units: fc.integer({ min: 1, max: 3 }), part: fc.nat(99) });
const price = fc.integer({ min: 0, max: 3000 });
const history = fc.record({
  lines: fc.array(fc.record({ price, quantity: fc.integer({ min: 1, max: 5 }), tax: price }), { minLength: 1, maxLength: 3 }),
  shipping: fc.constantFrom(0, 490),
  steps: fc.array(step, { minLength: 6, maxLength: 20 }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

it('payments, cancellations and refunds in any order come to the sums of the model', () => {
  fc.assert(fc.property(history, compare), { numRuns: 400, seed: 20_261_129 });
});

const NOTHING = { cancelled_amount: 0, returned_amount: 0, refunded_amount: 0, refund_due_amount: 0 };
const NO_UNITS = { fulfilled_quantity: 0, cancelled_quantity: 0, refunded_quantity: 0, returned_quantity: 0, refund_due_quantity: 0 };

function compare({ lines: given, shipping, steps }: History): void {
  const taxOf = (total: number, tax: number) => Math.min(tax, total);
  let lines = given.map((line, index) => {
    // a discount makes it no multiple of the quantity
    const total_amount = line.price;
    const amounts = { total_amount, tax_amount: taxOf(total_amount, line.tax) };
    return {
      id: String(index),
      quantity: line.quantity,
      tax_code: 'VAT',
      tax_rate: '19',
      ...amounts,
      ...NOTHING,
      ...NO_UNITS,
    } as ShownLine;
  });
  const shippingColumns = Object.fromEntries(Object.entries(NOTHING).map(([name, amount]) => [`shipping_${name}`, amount]));
  let order = {
    ...NOTHING,
    ...shippingColumns,
    paid_amount: 0,
    shipping_total_amount: shipping,
    shipping_tax_amount: taxOf(shipping, 78),
    shipping_tax_code: 'VAT',
    shipping_tax_rate: '19',
    total_amount: lines.reduce((sum, { total_amount }) => sum + total_amount, Number(shipping)),
  } as unknown as Order;
  const model = new OrderModel([
    ...lines.map(({ total_amount, tax_amount, quantity }) => ({ total: total_amount, tax: tax_amount, quantity, rate: '19' })),
    { total: shipping, tax: order.shipping_tax_amount, quantity: 0, rate: '19' },
  ]);

  /** As the service refunds: the status of a refusal, or what is refunded. */
  const refund = (divide: () => DividedRefund | null, amount?: number): number | ModelRefund => {
    const left = order.paid_amount - order.refunded_amount;
    if (balanceOf(order) > 0 || (amount ?? 0) > left) return 409;
    const divided = divide();
    if (divided === null || divided.amount === 0) return 400;
    lines = divided.lines;
    order = { ...order, ...divided.columns, refunded_amount: order.refunded_amount + divided.amount } as Order;
    return { amount: divided.amount, parts: divided.parts.map(({ total_amount, tax_amount }) => [total_amount, tax_amount]) };
  };
  const withoutNothing = (expected: number | ModelRefund) =>
    typeof expected === 'number' ? expected : { ...expected, parts: expected.parts.filter(([total]) => total > 0) };

  for (const { kind, line: pick, units, part } of steps) {
    const index = pick % lines.length;
    const modelLine = model.lines[index];
    const open = Math.min(units, openOf(modelLine));
    if (kind === 'pay' || kind === 'settle') {
      const amount = kind === 'settle' && model.due > 0 ? model.due : 1 + Math.floor(((model.due || 300) * part) / 90);
      order = { ...order, paid_amount: order.paid_amount + amount } as Order;
      model.pay(amount);
    } else if (kind === 'ship') {
      lines = lines.map((one, place) => (place === index ? { ...one, fulfilled_quantity: one.fulfilled_quantity + open } : one));
      modelLine.shipped += open;
    } else if (kind === 'cancel' || (kind === 'all' && part < 30)) {
      const counts = model.lines.map((one, place) => (kind === 'all' ? openOf(one) : place === index ? open : 0));
      if (counts.every((count) => count === 0)) continue;
      const isWhole = model.lines.every((one, place) => one.shipped === 0 && openOf(one) === counts[place]);
      const named = lines.flatMap((line, place) => (counts[place] === 0 ? [] : [{ line, quantity: counts[place] }]));
      const changed = cancelUnits(order, lines, named, isWhole);
      lines = changed.lines;
      order = { ...order, ...changed.columns } as Order;
      model.cancel(counts);
    } else if (kind === 'units') {
      const quantity = Math.min(units, modelLine.quantity);
      const isRefundable = quantity <= refundableUnits(order, lines, lines[index]);
      const divide = () => (isRefundable ? refundUnits(order, lines, [{ line: lines[index], quantity }]) : null);
      const expected = withoutNothing(model.refundUnits(index, quantity));
      expect(refund(divide)).toEqual(expected);
    } else if (kind === 'amount') {
      const amount = 1 + Math.floor(((part < 50 ? model.refundDue : model.net) * (part % 50)) / 40);
      const expected = withoutNothing(model.refundAmount(amount));
      expect(refund(() => refundAmount(order, lines, amount), amount)).toEqual(expected);
    }
    const refused = lines.find(
      (one) =>
        one.refunded_quantity > one.quantity ||
        one.returned_quantity > Math.min(one.fulfilled_quantity, one.refunded_quantity) ||
        one.refund_due_quantity > one.cancelled_quantity,
    );
    if (refused) throw new Error(`The table refuses ${JSON.stringify(refused)}`);
    const parts = [...lines, shippingOf(order)];
    expect([balanceOf(order), order.refunded_amount, parts.map(chargedOf), parts.map((one) => one.refund_due_amount)]).toEqual([
      model.kept - model.net,
      model.refunded,
      model.parts.map(({ kept, due }) => kept + due),
      model.parts.map(({ due }) => due),
    ]);
  }
}
