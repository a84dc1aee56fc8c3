import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Books, EXT_ACCOUNTING } from '../testing/accounting-fixture.js';
import type { Json } from '../../../../test/harness/api-document.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';

const app = await sharedApp();
const RUNS = Number(process.env.PROPERTY_RUNS ?? 4);
const DAYS = 20;
/** Days of these zones always differ, so a history can go on on a later day. */
const [EARLIER, LATER] = ['Etc/GMT+12', 'Pacific/Kiritimati'];

const step = fc.record({
  kind: fc.constantFrom('issue', 'issue', 'pay', 'pay', 'pay', 'apply', 'apply', 'reverse', 'reverse', 'credit', 'void', 'manual', 'undo'),
  /** Chooses among what exists. */
  pick: fc.nat(),
  other: fc.nat(),
  amount: fc.integer({ min: 1, max: 900 }),
  ago: fc.integer({ min: 0, max: DAYS }),
  flag: fc.boolean(),
});
type Step = { kind: string; pick: number; other: number; amount: number; ago: number; flag: boolean };

interface Known {
  books: Books;
  today: string;
  lastIssue: string;
  invoices: { id: string; currency: string }[];
  /** Payments and credit notes. */
  credits: { id: string; kind: 'payment' | 'credit_note' }[];
  entries: string[];
  customers: string[];
}

test('on any past day the aged receivables are the balances of the ledger, for any history', async () => {
  const history = fc.asyncProperty(fc.array(step, { minLength: 14, maxLength: 14 }), fc.array(step, { minLength: 10, maxLength: 10 }), run);
  await fc.assert(history, { numRuns: RUNS, seed: 20_261_128, endOnFailure: true });
});

async function run(first: Step[], second: Step[]): Promise<void> {
  const books = await Books.open(app);
  const customers = [(await books.customer()).id, (await books.customer({ name: 'Fjell AS' })).id];
  const known: Known = { books, today: '', lastIssue: '', invoices: [], credits: [], entries: [], customers };
  for (const [zone, steps] of [
    [EARLIER, first],
    [LATER, second],
  ] as const) {
    await books.screen.patch(`/api/v1/org/projects/${books.project}`, { timezone: zone });
    known.today = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date());
    for (const one of steps) await take(known, one);
  }
  const lines = await linesOfCustomers(books);
  for (let ago = 0; ago <= DAYS + 3; ago++) {
    const day = daysBefore(known.today, ago);
    const aged = await books.get(`/reports/aged-receivables?as_of=${day}`);
    const ledger = await books.balances(day);
    expect([day, aged.receivable_amount, aged.customer_credit_amount]).toEqual([day, ledger['1200'] ?? 0, 0 - (ledger['2100'] ?? 0)]);
    // in the currencies of the documents, in which exchange differences do not exist
    const net: Record<string, number> = { EUR: 0, USD: 0 };
    for (const line of lines) if (line.on <= day) net[line.currency] += line.amount;
    const totals = aged.totals as { currency: string; total_amount: number; credit_amount: number }[];
    for (const [currency, expected] of Object.entries(net)) {
      const { total_amount = 0, credit_amount = 0 } = totals.find((one) => one.currency === currency) ?? {};
      expect([day, currency, total_amount - credit_amount]).toEqual([day, currency, expected]);
    }
  }
}

async function take(known: Known, { kind, pick, other, amount, ago, flag }: Step): Promise<void> {
  const { books, invoices, credits, today } = known;
  const day = daysBefore(today, ago);
  const invoice = invoices[pick % invoices.length];
  const credit = credits[other % credits.length];
  const customer = known.customers[pick % 2];
  const [currency, exchange_rate] = flag ? ['USD', '0.9137'] : ['EUR', undefined];
  const rate = currency === 'USD' || invoice?.currency === 'USD' ? `0.${8 + (amount % 2)}${ago}3` : undefined;
  if (kind === 'issue' || !invoice) {
    if (day > known.lastIssue) known.lastIssue = day;
    const lines: [number, string, Json][] = [[amount, 'VAT19', { quantity: '2' }]];
    const draft = await books.draft(customer, lines, { currency, exchange_rate, issued_on: known.lastIssue, due_on: known.lastIssue });
    const { id } = await books.issue(draft);
    return void invoices.push({ id, currency });
  }
  const at = `/invoices/${invoice.id}`;
  if (kind === 'pay') {
    const body = { amount, paid_on: day, excess: flag ? 'credit' : 'refuse', exchange_rate: invoice.currency === 'USD' ? rate : undefined };
    const id = await attempt(books, `${at}/payments`, body, ['payment_exceeds_balance', 'invalid_transition']);
    if (id) credits.push({ id, kind: 'payment' });
  } else if (kind === 'credit') {
    const lines = flag ? [] : [{ line_id: (await books.invoice(invoice.id)).lines[0].id, quantity: '1' }];
    const body = { reason: 'Returned', ...(flag ? {} : { lines }) };
    const id = await attempt(books, `${at}/credit-notes`, body, ['already_credited', 'invalid_transition']);
    if (id) credits.push({ id, kind: 'credit_note' });
  } else if (kind === 'void') {
    await attempt(books, `${at}/void`, { reason: 'Wrong' }, ['use_credit_note', 'invalid_transition']);
  } else if (kind === 'apply' && credit) {
    const refusals = ['payment_exceeds_balance', 'invalid_transition', 'validation_failed'];
    await attempt(books, `${at}/credits`, { [`${credit.kind}_id`]: credit.id, ...(flag ? { amount } : {}) }, refusals);
  } else if (kind === 'reverse' && credit?.kind === 'payment') {
    const reversed_on = amount % 3 === 0 ? {} : { reversed_on: day };
    // a day before the payment is refused
    await attempt(books, `/payments/${credit.id}/reverse`, { reason: 'Returned', ...reversed_on }, [
      'already_reversed',
      'validation_failed',
    ]);
  } else if (kind === 'manual') {
    const account = books.ids[amount % 2 === 0 ? '1200' : '2100'];
    const sides = flag ? (['debit_amount', 'credit_amount'] as const) : (['credit_amount', 'debit_amount'] as const);
    const lines = [
      { account_id: account, [sides[0]]: amount, customer_id: customer },
      { account_id: books.ids['4000'], [sides[1]]: amount },
    ];
    const money = other % 2 === 0 ? {} : { currency: 'USD', exchange_rate: '0.88' };
    known.entries.push((await books.post('/journal-entries', { on: day, memo: 'Opening balance', lines, ...money })).id);
  } else if (kind === 'undo' && known.entries.length > 0) {
    const id = known.entries[pick % known.entries.length];
    await attempt(books, `/journal-entries/${id}/reverse`, flag ? {} : { on: day }, ['already_reversed', 'validation_failed']);
  }
}

/** The id of what was created, or null if it was refused for one of these reasons. */
async function attempt(books: Books, path: string, body: Json, refusals: string[]): Promise<string | null> {
  const answer = await books.api.post(EXT_ACCOUNTING + path, body);
  if (answer.status < 300) return answer.body.id as string;
  expect(refusals).toContain(answer.body.error.code);
  return null;
}

/** What was posted to the accounts of customers, in the currency of the entry. */
async function linesOfCustomers(books: Books): Promise<{ on: string; currency: string; amount: number }[]> {
  const accounts = [books.ids['1200'], books.ids['2100']];
  const found: { on: string; currency: string; amount: number }[] = [];
  for (let cursor: unknown = ''; cursor !== null;) {
    const page = await books.get(
      `/journal-entries?account_id=${accounts.join(',')}&limit=100${cursor === '' ? '' : `&cursor=${String(cursor)}`}`,
    );
    for (const entry of page.data as Json[]) {
      if ((entry.source as Json).type === 'exchange_difference') continue;
      for (const line of entry.lines as { account_id: string; debit_amount: number; credit_amount: number }[])
        if (accounts.includes(line.account_id))
          found.push({ on: String(entry.on), currency: String(entry.currency), amount: line.debit_amount - line.credit_amount });
    }
    cursor = page.next_cursor;
  }
  return found;
}

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10);
}
