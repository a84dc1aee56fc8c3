import { layoutOf } from '../../model/types/type-definition.js';
import type { DemoDocumentType } from './demo-document-type.js';

/** What the items in the current group of rows cost after the discount. */
const DISCOUNTED = 'sum(items.amount) * (1 - discount_percent / 100)';

const TEMPLATE = `# Quote {{document.number}}

{{#columns}}

**{{seller_name}}**

{{seller_address}}

{{#column}}

**{{customer_name}}**

{{customer_address}}

{{/columns}}

We offer you the following until {{valid_until}}.

{{#table items}}

| | |
|---|---:|
{{#if discount_amount > 0}}
| Sum of the items | {{items_amount}} |
| Discount of {{discount_percent}} % | {{-discount_amount}} |
{{/if}}
| Net | {{net_amount}} |
{{#group items by vat_rate}}
| VAT {{vat_rate}} % of {{${DISCOUNTED}}} | {{${DISCOUNTED} * vat_rate / 100}} |
{{/group}}
| **Total** | **{{gross_amount}}** |

{{#if currency = "EUR" and pays_in_advance}}
Please pay in advance. Your bank's app reads the recipient, the amount and the reference from this code:

{{#payment_qr seller_name, seller_iban, gross_amount, document.number}}
{{else}}
Payable within thirty days of delivery.
{{/if}}
`;

const money = (label: string, order: number, calculated?: string) =>
  ({
    type: 'integer',
    'x-format': 'money',
    'x-currency': 'currency',
    'x-label': label,
    'x-order': order,
    ...(calculated === undefined ? { minimum: 0 } : { 'x-calculated': calculated }),
  }) as const;
const text = (label: string, order: number, maxLength = 200) =>
  ({ type: 'string', maxLength, 'x-label': label, 'x-order': order }) as const;

/** A quote that calculates its amounts: discount, net, tax that is rounded for each rate, and total. */
export const SALES_QUOTE: DemoDocumentType = {
  type: {
    code: 'sales_quote',
    name: 'Quote',
    description: 'A quote with prices, a discount and tax. Its amounts are calculated.',
    field_schema: {
      type: 'object',
      required: ['customer_name', 'currency', 'valid_until', 'items'],
      properties: {
        customer_name: { ...text('Customer', 1, 255), minLength: 1, 'x-format': 'party' },
        customer_address: text('Address', 2, 1_000),
        seller_name: { ...text('Seller', 3, 70), default: 'Osei & Lindqvist Trading GmbH' },
        seller_address: { ...text('Address of the seller', 4, 1_000), default: 'Lagerstraße 12\n10999 Berlin\nGermany' },
        seller_iban: { ...text('IBAN of the seller', 5, 42), default: 'DE89 3704 0044 0532 0130 00' },
        valid_until: { type: 'string', format: 'date', 'x-label': 'Valid until', 'x-order': 6 },
        currency: { type: 'string', enum: ['EUR', 'USD', 'JPY'], default: 'EUR', 'x-label': 'Currency', 'x-order': 7 },
        pays_in_advance: { type: 'boolean', 'x-label': 'Pays in advance', 'x-order': 8 },
        discount_percent: { type: 'number', minimum: 0, maximum: 100, default: 0, 'x-label': 'Discount %', 'x-order': 9 },
        items: {
          type: 'array',
          minItems: 1,
          maxItems: 200,
          'x-label': 'Items',
          'x-order': 10,
          items: {
            type: 'object',
            required: ['item', 'quantity', 'unit_price', 'vat_rate'],
            properties: {
              item: text('Item', 1, 500),
              quantity: { type: 'number', minimum: 0, 'x-label': 'Quantity', 'x-order': 2 },
              unit_price: money('Price', 3),
              vat_rate: { type: 'number', minimum: 0, maximum: 100, 'x-label': 'VAT %', 'x-order': 4 },
              amount: { ...money('Amount', 5, 'round(quantity * unit_price)'), 'x-total': true },
            },
          },
        },
        items_amount: money('Sum of the items', 11, 'sum(items.amount)'),
        discount_amount: money('Discount', 12, 'round(items_amount * discount_percent / 100)'),
        net_amount: money('Net', 13, 'items_amount - discount_amount'),
        tax_amount: money('Tax', 14, `sum(round(${DISCOUNTED} * items.vat_rate / 100) by items.vat_rate)`),
        gross_amount: money('Total', 15, 'net_amount + tax_amount'),
      },
    },
    numbering: { pattern: 'Q-{YYYY}-{SEQ:4}', reset: 'year', assign_at: 'create', gapless: false },
    template: TEMPLATE,
    layout: layoutOf({ footer: '{{seller_name}} | | {{page}} / {{pages}}' }),
  },
  sample: {
    customer_name: 'Nordlys Outdoor AS',
    customer_address: 'Storgata 1\n0155 Oslo\nNorway',
    valid_until: '2027-01-31',
    currency: 'EUR',
    pays_in_advance: true,
    discount_percent: 5,
    items: [
      { item: 'Trail tent, two persons', quantity: 12, unit_price: 12_000, vat_rate: 19 },
      { item: 'Rope, by the meter', quantity: 37.5, unit_price: 189, vat_rate: 19 },
      { item: 'Book of knots', quantity: 12, unit_price: 1_495, vat_rate: 7 },
    ],
  },
};
