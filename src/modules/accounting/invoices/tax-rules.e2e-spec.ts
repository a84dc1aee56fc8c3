import { expect, test } from '@jest/globals';
import { Books, EXT_ACCOUNTING, ORG_ACCOUNTING } from '../../../../test/kit/accounting-fixture.js';
import { sharedApp } from '../../../../test/kit/hosted-app.js';

const app = await sharedApp();

type Line = [unit_amount: number, tax: string];

async function openBooks() {
  const books = await Books.open(app);
  for (const [category, exemption_reason] of [
    ['E', 'Training, § 4 Nr. 21 UStG'],
    ['AE', 'Reverse charge'],
    ['K', 'Intra-community supply'],
    ['G', 'Export'],
    ['O', 'Not subject to VAT'],
  ])
    await tax(books, category, category, exemption_reason);
  const customer = await books.customer();
  const issue = async (...lines: Line[]) => {
    const draft = await books.draft(customer.id, lines);
    const { status, body } = await books.api.post(`${EXT_ACCOUNTING}/invoices/${draft.id}/issue`);
    return { id: draft.id, status, error: body.error && [body.error.code, body.error.param], message: body.error?.message, invoice: body };
  };
  const numbered = (tax_id_number: string | null) => books.api.patch(`${EXT_ACCOUNTING}/customers/${customer.id}`, { tax_id_number });
  return { books, issue, numbered };
}

async function tax(books: Books, code: string, category: string, exemption_reason?: string): Promise<string> {
  const values = { project_id: books.project, code, name: code, rate: '0', category, exemption_reason };
  const { body } = await books.screen.post(`${ORG_ACCOUNTING}/tax-rates`, values);
  (books.ids as Record<string, string>)[code] = body.id as string;
  return body.id as string;
}

const refused = (line: number) => ({ status: 400, error: ['validation_failed', `lines.${line}.tax_id`] });

test('reverse charge and intra-community supplies are issued only to a customer with a VAT number', async () => {
  const { books, issue, numbered } = await openBooks();
  expect(await issue([100, 'VAT19'], [200, 'AE'])).toMatchObject({ ...refused(1), message: expect.stringContaining('tax_id_number') });
  expect(await issue([100, 'K'])).toMatchObject(refused(0));
  await numbered('NO912345678MVA');
  expect(await issue([100, 'AE'])).toMatchObject({ status: 200, invoice: { totals: { tax_amount: 0, gross_amount: 100 } } });
  const abroad = await issue([100, 'K']);
  expect(abroad).toMatchObject(refused(0));
  for (const number of ['ATU12345678', 'fr 40 303 265 045', 'NL-004495445-B01']) {
    await numbered(number);
    expect(await issue([100, 'K'])).toMatchObject({
      status: 200,
      invoice: { taxes: [{ category: 'K', exemption_reason: expect.any(String) }] },
    });
  }
  // what was refused is still a draft, without a number and an entry, and can be issued now
  expect(await books.issue({ id: abroad.id })).toMatchObject({ status: 'issued', number: expect.stringMatching(/-00005$/) });
});

test('what is outside the scope of VAT stands alone', async () => {
  const { issue } = await openBooks();
  expect(await issue([100, 'VAT7'], [200, 'O'])).toMatchObject({ ...refused(1), message: expect.stringContaining('S of VAT7') });
  expect(await issue([100, 'O'], [200, 'ZERO'])).toMatchObject(refused(0));
  expect(await issue([100, 'O'], [200, 'O'])).toMatchObject({ status: 200, invoice: { taxes: [{ category: 'O', net_amount: 300 }] } });
  expect(await issue([100, 'E'], [200, 'VAT19'], [300, 'G'])).toMatchObject({ status: 200, invoice: { totals: { tax_amount: 38 } } });
});

test('an invoice shows the reasons of all of its exempt lines as they are when it is issued', async () => {
  const { books, issue } = await openBooks();
  const health = await tax(books, 'E-HEALTH', 'E', 'Medical care');
  const draft = await books.draft((await books.customer()).id, [
    [100, 'E'],
    [200, 'E-HEALTH'],
  ]);
  await books.screen.patch(`${ORG_ACCOUNTING}/tax-rates/${health}`, { exemption_reason: 'Medical care, § 4 Nr. 14 UStG' });
  const issued = await books.issue(draft);
  const reason = 'Training, § 4 Nr. 21 UStG; Medical care, § 4 Nr. 14 UStG';
  expect(issued.taxes).toMatchObject([{ category: 'E', net_amount: 300, exemption_reason: reason }]);
  // a row from before the rule is readable, and credit notes of issued invoices stay possible
  await app.sql.query('UPDATE accounting_taxes SET exemption_reason = NULL WHERE id = $1', [health]);
  const { data } = await books.get('/tax-rates?limit=100');
  expect(data).toContainEqual(expect.objectContaining({ code: 'E-HEALTH', exemption_reason: null }));
  const note = await books.post(`/invoices/${issued.id}/credit-notes`, { reason: 'Cancelled' });
  expect(note.taxes).toMatchObject([{ exemption_reason: reason }]);
  // makes the service read the configuration again
  await books.screen.patch(`${ORG_ACCOUNTING}/tax-rates/${books.ids.E}`, { name: 'Training' });
  expect(await issue([100, 'E'], [100, 'E-HEALTH'])).toMatchObject(refused(1));
});

test('only the standard category has a rate', async () => {
  const { books } = await openBooks();
  const create = async (category: string, rate: string) => {
    const values = { project_id: books.project, code: `T${category}${rate}`, name: 'T', rate, category, exemption_reason: 'Reason' };
    const { status, body } = await books.screen.post(`${ORG_ACCOUNTING}/tax-rates`, values);
    return [status, body.error?.param];
  };
  for (const category of ['Z', 'E', 'AE', 'K', 'G', 'O']) expect(await create(category, '0.0001')).toEqual([400, 'rate']);
  expect(await create('S', '0')).toEqual([400, 'rate']);
  expect(await create('S', '100')).toEqual([201, undefined]);
});
