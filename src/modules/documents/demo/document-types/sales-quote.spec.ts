import { expect, it } from '@jest/globals';
import { documentContent } from '../../engine/content/content.factory.js';
import { textOfHtml } from '../../engine/content/plain-text.js';
import { renderHtml } from '../../engine/content/render-html.js';
import { checkValues } from '../../model/core/data-values.js';
import { SALES_QUOTE } from './sales-quote.js';

const { type, sample } = SALES_QUOTE;
const shown = (given: Record<string, unknown>) => {
  const { values } = checkValues(type.field_schema, { seller_name: 'Osei', seller_iban: 'DE89370400440532013000', ...given });
  const html = renderHtml(documentContent({ template: type.template, schema: type.field_schema, values, finished: true }));
  return { values, html, text: textOfHtml(html).replace(/[\u00A0\u202F]/g, ' ') };
};

it('calculates discount, tax by rate and total, and prints the same', () => {
  const { values, text, html } = shown(sample);
  // 151,088 and 17,940 less 5 %, of which 19 % are 27,271.384 and 7 % are 1,193.01
  expect(values).toMatchObject({
    items_amount: 169_028,
    discount_amount: 8_451,
    net_amount: 160_577,
    tax_amount: 28_464,
    gross_amount: 189_041,
  });
  for (const line of [
    'Item: Rope, by the meter | Quantity: 37.5 | Price (EUR): 1.89 | VAT %: 19 | Amount (EUR): 70.88',
    'Total | Amount (EUR): 1,690.28',
    'Discount of 5 %: -EUR 84.51',
    'Net: EUR 1,605.77',
    'VAT 19 % of EUR 1,435.34: EUR 272.71',
    'VAT 7 % of EUR 170.43: EUR 11.93',
    'Total: EUR 1,890.41',
  ])
    expect(text).toContain(line);
  expect(html).toContain('<svg class="qr"');
});

it('is in one currency, without a discount or a code for payments in advance if there are none', () => {
  const { text, html } = shown({ ...sample, currency: 'JPY', discount_percent: 0 });
  expect(text).toContain('Total | Amount (JPY): 169,028');
  expect(text).not.toContain('Discount');
  expect(html).not.toContain('<svg');
});
