import { expect, it } from '@jest/globals';
import { DeterministicProvider } from '../../modules/documents/ai/providers/built-in/deterministic-provider.js';
import { textOfHtml } from '../../modules/documents/rendering/content/plain-text.js';
import { renderHtml } from '../../modules/documents/rendering/content/render-html.js';
import { CUSTOMER_AGREEMENT } from './customer-agreement.js';
import type { DemoDocumentType } from './demo-document-type.js';
import { MUTUAL_NDA } from './mutual-nda.js';
import { SUPPLIER_INTAKE } from './supplier-intake.js';

// What the built-in reader says of the demo's own documents, which is what most people see of it first.

const provider = new DeterministicProvider();
const options = { perspective: 'neutral', customFocus: null, signal: new AbortController().signal };

function textOf({ type, sample }: DemoDocumentType, values: Record<string, unknown> = sample): string {
  const document = { number: 'AGR-2026-0001', title: type.name, created_on: '2026-11-02', finalized_on: '2026-11-03' };
  return textOfHtml(renderHtml({ template: type.template!, schema: type.field_schema, values, document, language: 'en', finished: true }));
}
const summaryOf = (type: DemoDocumentType) => provider.analyse('summary', textOf(type), options);
const risksOf = async (type: DemoDocumentType) =>
  (await provider.analyse('risks', textOf(type), options)).risks.map(({ title, quote }) => [title, quote]);

it('the customer agreement is balanced, and nothing is called missing that it has', async () => {
  expect(await risksOf(CUSTOMER_AGREEMENT)).toEqual([]);
});

it('the non-disclosure agreement has what such a short one leaves open', async () => {
  expect(await risksOf(MUTUAL_NDA)).toEqual([
    ['No warranty', 'It is provided as it is;'],
    ['No limit of liability', null],
    ['No data protection clause', null],
  ]);
});

it('the application binds nobody', async () => {
  expect(await risksOf(SUPPLIER_INTAKE)).toEqual([]);
});

it('the customer agreement is told by its parties, its facts and its days', async () => {
  const { summary, key_points: points, ...facts } = await summaryOf(CUSTOMER_AGREEMENT);
  expect(summary).toMatch(
    /^Supply and Services Agreement between Osei & Lindqvist Trading GmbH \(Supplier\) and Nordlys Outdoor AS \(Customer\)\. The Supplier delivers/,
  );
  expect(summary).not.toMatch(/EUR|Start:|Term:|Item:/);
  expect(points).toEqual(
    expect.arrayContaining([
      'Subject: Autumn assortment for 12 stores',
      'Fee: EUR 48,500.00',
      'Start: January 4, 2027',
      'Term: twelve months',
      expect.stringMatching(/^Governing law: German law applies/),
    ]),
  );
  expect(facts).toEqual({
    parties: [
      { name: 'Osei & Lindqvist Trading GmbH', role: 'Supplier' },
      { name: 'Nordlys Outdoor AS', role: 'Customer' },
    ],
    key_dates: [
      { on: '2027-01-04', label: 'Start' },
      { on: '2027-01-04', label: 'Invoice' },
      { on: '2027-01-18', label: 'Delivery' },
      { on: '2027-02-01', label: 'Delivery' },
    ],
    amounts: [{ amount: 4_850_000, currency: 'EUR', label: 'Fee' }],
    warnings: [],
  });
});

it('the non-disclosure agreement and the application are too', async () => {
  expect(await summaryOf(MUTUAL_NDA)).toMatchObject({
    summary: expect.stringMatching(
      /^Mutual Non-Disclosure Agreement between Osei & Lindqvist Trading GmbH and Hoshi Ceramics K\.K\. \p{Lu}/u,
    ),
    key_dates: [{ on: '2026-12-01', label: 'Effective date' }],
  });
  const application = await summaryOf(SUPPLIER_INTAKE);
  expect(application.summary).toMatch(/^Supplier application\. Shipping cartons/);
  expect(application.key_points).toEqual(expect.arrayContaining(['Category: packaging', 'Quality management certified to ISO 9001: Yes']));
  expect(application.amounts).toEqual([{ amount: 3_600_000, currency: 'EUR', label: 'Expected volume in a year' }]);
});

it('an agreement of a deal without a contact and an address reads well', () => {
  const {
    customer_address: _address,
    contact_name: _name,
    contact_email: _email,
    contact_phone: _phone,
    deliveries: _deliveries,
    ...values
  } = CUSTOMER_AGREEMENT.sample;
  const text = textOf(CUSTOMER_AGREEMENT, values);
  expect(text).toContain('Nordlys Outdoor AS (the "Customer").');
  expect(text).toContain('Address of the Customer: —');
  expect(text).not.toContain('named above');
  // a dash stands for a value in a table alone, never in a sentence
  for (const line of text.split('\n').filter((each) => each.includes('—'))) expect(line).toMatch(/^[^.]+: —(?: \||$)/);
});
