import { expect, test } from '@jest/globals';
import { Books, EXT_ACCOUNTING, ORG_ACCOUNTING } from '../testing/accounting-fixture.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';

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
  // not of the seller's own state; GR is not a prefix of VAT numbers
  await books.screen.patch(`${ORG_ACCOUNTING}/settings/${books.project}`, { seller: { tax_id_number: 'DE 811 907 980' } });
  for (const number of ['DE123456789', 'ATXXXXXXXXX', 'ATU1234567', 'FR1', 'GR094259216', 'EL000000000', 'GB123456789', null]) {
    await numbered(number);
    expect(await issue([100, 'K'])).toMatchObject(refused(0));
  }
  for (const number of ['-', 'n/a', 'FR1', 'ATXXXXXXXXX', 'DE12', 'none', '0000 0000', '   ']) {
    await numbered(number);
    expect(await issue([100, 'AE'])).toMatchObject(refused(0));
  }
  for (const [category, number] of [
    ...['DE123456789', 'CHE-123.456.789 MWST', 'GB 123 4567 89', 'HRB 98765 B', '12-3456789'].map((one) => ['AE', one]),
    ...['EL 094259216', 'XI123456789', 'ESX1234567R', 'IE1234567FA', 'BE0403170701', 'NL004495445B01'].map((one) => ['K', one]),
  ]) {
    await numbered(number);
    expect([number, (await issue([100, category])).status]).toEqual([number, 200]);
  }
  await numbered('FR40303265045');
  // what was refused is still a draft, without a number and an entry, and can be issued now
  expect(await books.issue({ id: abroad.id })).toMatchObject({ status: 'issued', number: expect.stringMatching(/-00016$/) });
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
