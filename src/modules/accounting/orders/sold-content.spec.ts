import { expect, it } from '@jest/globals';
import type { InvoicedPart } from '../model/order-posting.entity.js';
import { creditLines, type CreditedByHand } from './sold-content.js';
import type { SoldOrder } from './sold-order.js';

const [A, B] = ['a', 'b'];
const RATES = new Map([A, B].map((id) => [id, '19']));

function partOf(id: string, total_amount: number, tax_amount: number): InvoicedPart {
  return { order_line_id: id, invoice_line_id: id, total_amount, tax_amount, cancelled_amount: 0, credited_amount: 0 };
}

/** An order that charges amounts for its lines, after refunds that lowered their prices. */
function orderOf(charged: readonly number[], reductions: readonly number[][] = []): SoldOrder {
  const lines = [A, B];
  return {
    charged: charged.map((total_amount, index) => ({ line_id: lines[index], total_amount })),
    refunds: reductions.map((reduced, at) => ({
      id: `refund ${at}`,
      status: 'succeeded',
      parts: reduced.map((reduction_amount, index) => ({ line_id: lines[index], total_amount: reduction_amount, reduction_amount })),
    })),
  } as unknown as SoldOrder;
}

function byHand(line: string, total_amount: number, tax_amount: number): Map<string, CreditedByHand> {
  return new Map([[line, { total_amount, tax_amount }]]);
}

it('a credit note made by hand after a reduction of the price does not cover that reduction again', () => {
  const reductions = [[100, 100]];
  const reduced = creditLines(orderOf([900, 900], reductions), [partOf(A, 1000, 160), partOf(B, 1000, 160)], new Map(), RATES);
  expect(reduced.lines).toMatchObject([{ total_amount: 100 }, { total_amount: 100 }]);
  // 50 of the first line by hand; then a unit of the second is refunded, which names its line
  const refunded = creditLines(orderOf([900, 400], reductions), reduced.parts, byHand(A, 50, 8), RATES);
  expect(refunded).toMatchObject({ lines: [{ credits_line_id: B, total_amount: 500, tax_amount: 80 }], beyond_amount: 50 });
  // a second reduction is covered as far as it is new
  const again = creditLines(orderOf([900, 380], [...reductions, [0, 20]]), refunded.parts, byHand(A, 50, 8), RATES);
  expect(again).toMatchObject({ lines: [], beyond_amount: 30 });
});

it.each([
  // 10 with 19 percent have 1.60 of tax, 20 have 3.19: the lines have 1 and 2, or 2 and 1
  { what: 'two notes of 5 have a tax of 2 together', taxes: [1, 2], hand: 2, rest: { tax_amount: 1, net_amount: 9 } },
  { what: 'notes of 3, 3 and 4 have a tax of 1 together', taxes: [2, 1], hand: 1, rest: { tax_amount: 2, net_amount: 8 } },
])('the last credit note takes the tax and the net amount that are left: $what', ({ taxes, hand, rest }) => {
  const parts = [partOf(A, 10, taxes[0]), partOf(B, 10, taxes[1])];
  const { lines } = creditLines(orderOf([0, 0]), parts, byHand(A, 10, hand), RATES);
  expect(lines).toEqual([{ credits_line_id: B, total_amount: 10, ...rest }]);
});
