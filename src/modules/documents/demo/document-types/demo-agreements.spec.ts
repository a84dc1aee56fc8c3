import { expect, it } from '@jest/globals';
import { DeterministicProvider } from '../../analysis/built-in/deterministic-provider.js';
import { textOfHtml } from '../../engine/content/plain-text.js';
import { renderHtml } from '../../engine/content/render-html.js';
import { CUSTOMER_AGREEMENT } from './customer-agreement.js';
import type { DemoDocumentType } from './demo-document-type.js';
import { MUTUAL_NDA } from './mutual-nda.js';
import { SUPPLIER_INTAKE } from './supplier-intake.js';

// The built-in AI provider's results for the demo's documents, which are what most users see first.

const provider = new DeterministicProvider();
const options = { perspective: 'neutral', customFocus: null, signal: new AbortController().signal };

function textOf({ type, sample }: DemoDocumentType, values: Record<string, unknown> = sample): string {
  const parties = (type.signature_parties ?? []).map(({ key, label }) => ({ key, label, name: 'Ada Osei' }));
  const document = { number: 'AGR-2026-0001', title: type.name, created_on: '2026-11-02', finalized_on: '2026-11-03' };
  return textOfHtml(
    renderHtml({
      template: type.template!,
      schema: type.field_schema,
      values,
      parties,
      document,
      language: 'en',
      timeZone: 'UTC',
      finished: true,
    }),
  );
}
const summaryOf = (type: DemoDocumentType) => provider.analyse('summary', textOf(type), options);
const risksOf = async (type: DemoDocumentType) =>
  (await provider.analyse('risks', textOf(type), options)).risks.map(({ title, quote }) => [title, quote]);

it('finds no risks in the customer agreement', async () => {
  expect(await risksOf(CUSTOMER_AGREEMENT)).toEqual([]);
});

it('finds the clauses that the non-disclosure agreement omits', async () => {
  expect(await risksOf(MUTUAL_NDA)).toEqual([
    ['No warranty', 'It is provided as it is;'],
    ['No limit of liability', null],
    ['No data protection clause', null],
  ]);
});

it('finds no risks in the supplier application', async () => {
  expect(await risksOf(SUPPLIER_INTAKE)).toEqual([]);
});

it('summarizes the customer agreement with its parties, key points and dates', async () => {
  const { summary, key_points: points, ...facts } = await summaryOf(CUSTOMER_AGREEMENT);
  const parties = 'Osei & Lindqvist Trading GmbH (Supplier) and Nordlys Outdoor AS (Customer)';
  expect(summary.startsWith(`Supply and Services Agreement between ${parties}. The Supplier delivers`)).toBe(true);
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

it('summarizes the non-disclosure agreement and the supplier application', async () => {
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

it('renders an agreement without contact and address with dashes in tables only', () => {
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
  // a dash replaces a missing value in tables, never in sentences
  for (const line of text.split('\n').filter((each) => each.includes('—'))) expect(line).toMatch(/^[^.]+: —(?: \||$)/);
});
