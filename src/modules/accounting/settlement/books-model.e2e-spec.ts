import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Books, type Invoice } from '../testing/accounting-fixture.js';
import { BooksModel } from '../testing/books-model.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';

const app = await sharedApp();
const today = new Date().toISOString().slice(0, 10);
const RUNS = Number(process.env.PROPERTY_RUNS ?? 6);

const step = fc.record({
  kind: fc.constantFrom('issue', 'issue', 'pay', 'pay', 'apply', 'reverse', 'credit', 'void'),
  /** Chooses among what exists. */
  pick: fc.nat(),
  other: fc.nat(),
  amount: fc.integer({ min: 1, max: 700 }),
  flag: fc.boolean(),
});
type Step = { kind: string; pick: number; other: number; amount: number; flag: boolean };

test('any history has the settlements and balances of the model', async () => {
  const workspace = await app.workspace();
  const books = await Books.open(app, { workspace });
  const { id: customer } = await books.customer();
  const model = new BooksModel();
  const history = fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 15 }), async (steps) => {
    for (const one of steps) await take(books, model, customer, one);
    expect(nonZero(await books.balances(today))).toEqual(model.balances());
    const shown = (await allInvoices(books)).map(({ id, status, totals }) => [id, status, totals.settled_amount]);
    expect(shown.sort()).toEqual(model.invoices.map((invoice) => [invoice.id, model.statusOf(invoice), invoice.settled]).sort());
  });
  await fc.assert(history, { numRuns: RUNS, seed: 20_261_123, endOnFailure: true });
  await app.runScheduledJob('accounting.recount');
  const { body } = await books.screen.get('/api/v1/org/accounting/differences');
  expect(body.data).toEqual([]);
});

async function take(books: Books, model: BooksModel, customer: string, { kind, pick, other, amount, flag }: Step): Promise<void> {
  const invoice = model.invoices[pick % model.invoices.length];
  const credit = model.credits[other % model.credits.length];
  if (kind === 'issue' || !invoice) {
    const { id } = await books.issue(await books.draft(customer, [[amount, 'VAT19', { quantity: '2' }]]));
    return model.issue(id, amount);
  }
  const send = async (path: string, body: object, happens: (record: () => Promise<string>) => Promise<string | null>) => {
    let done: string | null = null;
    const expected = await happens(async () => (done = (await books.post(path, body as never)).id));
    if (expected !== null) expect((await books.refused(path, body as never))[1]).toBe(expected);
    expect(done === null).toBe(expected !== null);
  };
  const at = `/invoices/${invoice.id}`;
  if (kind === 'pay')
    return send(`${at}/payments`, { amount, paid_on: today, excess: flag ? 'credit' : 'refuse' }, (record) =>
      model.pay(invoice, amount, flag, record),
    );
  if (kind === 'credit') {
    const [line] = (await books.invoice(invoice.id)).lines;
    const lines = flag ? {} : { lines: [{ line_id: line.id, quantity: '1' }] };
    return send(`${at}/credit-notes`, { reason: 'Returned', ...lines }, (record) => model.credit(invoice, flag, record));
  }
  if (kind === 'void') return send(`${at}/void`, { reason: 'Wrong' }, (record) => model.void(invoice, record));
  if (!credit) return;
  if (kind === 'reverse' && credit.kind === 'payment')
    return send(`/payments/${credit.id}/reverse`, { reason: 'Returned' }, (record) => model.reverse(credit, record));
  if (kind === 'apply')
    return send(`${at}/credits`, { [`${credit.kind}_id`]: credit.id }, (record) => model.apply(invoice, credit, record));
}

async function allInvoices(books: Books): Promise<Invoice[]> {
  const found: Invoice[] = [];
  for (let cursor: unknown = ''; cursor !== null;) {
    const page = await books.get(`/invoices?type=invoice&limit=100${cursor === '' ? '' : `&cursor=${String(cursor)}`}`);
    found.push(...(page.data as Invoice[]));
    cursor = page.next_cursor;
  }
  return found;
}

function nonZero(balances: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(balances).filter(([, balance]) => balance !== 0));
}
