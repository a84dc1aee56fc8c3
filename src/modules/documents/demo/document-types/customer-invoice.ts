import type { DemoDocumentType } from './demo-document-type.js';

const TEMPLATE = `# Invoice {{invoice_number}}

{{seller_name}}

{{seller_address}}

| | |
|---|---|
| Customer | {{customer_name}} |
| Address | {{customer_address}} |
| VAT number | {{customer_tax_id}} |
| Date | {{issued_on}} |
| Date of supply | {{supply_on}} |
| Payable until | {{due_on}} |
| Note | {{memo}} |

{{#table lines}}

{{#if prices_include_tax}}

The prices and amounts of the lines include tax.

{{/if}}

| | |
|---|---|
| Net | {{net_amount}} |
| Tax | {{tax_amount}} |
| **Total** | **{{gross_amount}}** |

{{#table taxes}}

Please pay the total until {{due_on}} and name {{invoice_number}} as the reference. Our VAT number is {{seller_tax_id}}.
`;

const money = (label: string, order: number) =>
  ({ type: 'integer', 'x-format': 'money', 'x-currency': 'currency', 'x-label': label, 'x-order': order }) as const;
const text = (label: string, order: number, maxLength = 200) =>
  ({ type: 'string', maxLength, 'x-label': label, 'x-order': order }) as const;

/** The PDF of an issued invoice. Accounting has numbered it, so the document only repeats the number. */
export const CUSTOMER_INVOICE: DemoDocumentType = {
  type: {
    code: 'customer_invoice',
    name: 'Customer invoice',
    description: 'The PDF of an invoice. Created and finalized automatically when accounting issues the invoice.',
    field_schema: {
      type: 'object',
      required: ['invoice_number', 'customer_name', 'issued_on', 'currency', 'gross_amount', 'lines'],
      properties: {
        invoice_number: text('Invoice', 1, 60),
        customer_name: { ...text('Customer', 10, 255), minLength: 1, 'x-format': 'party' },
        customer_address: text('Address', 11, 1_000),
        customer_tax_id: text('VAT number', 12),
        seller_name: text('Seller', 20, 255),
        seller_address: text('Address of the seller', 21, 1_000),
        seller_tax_id: text('VAT number of the seller', 22),
        issued_on: { type: 'string', format: 'date', 'x-label': 'Date', 'x-order': 30 },
        due_on: { type: 'string', format: 'date', 'x-label': 'Payable until', 'x-order': 31 },
        supply_on: { type: 'string', format: 'date', 'x-label': 'Date of supply', 'x-order': 32 },
        prices_include_tax: { type: 'boolean', 'x-label': 'Prices include tax', 'x-order': 33 },
        currency: { type: 'string', pattern: '^[A-Z]{3}$', 'x-label': 'Currency', 'x-order': 40 },
        net_amount: money('Net', 41),
        tax_amount: money('Tax', 42),
        gross_amount: money('Total', 43),
        lines: {
          type: 'array',
          maxItems: 200,
          'x-label': 'Lines',
          'x-order': 50,
          items: {
            type: 'object',
            required: ['item', 'amount'],
            properties: {
              item: text('Item', 1, 500),
              quantity: text('Quantity', 2, 40),
              unit_amount: money('Price', 3),
              per_quantity: text('For', 4, 40),
              discount_percent: text('Discount %', 5, 20),
              amount: { ...money('Amount', 6), 'x-total': true },
            },
          },
        },
        taxes: {
          type: 'array',
          maxItems: 200,
          'x-label': 'Taxes',
          'x-order': 51,
          items: {
            type: 'object',
            required: ['tax', 'net_amount', 'tax_amount'],
            properties: {
              tax: text('Tax', 1, 40),
              rate: text('Percent', 2, 20),
              net_amount: money('Net', 3),
              tax_amount: money('Tax amount', 4),
              exemption_reason: text('Why no tax is due', 5, 255),
            },
          },
        },
        memo: text('Note', 60, 2_000),
      },
    },
    // the invoice has its own number; this one tells copies of the file apart
    numbering: { pattern: 'INVOICE-PDF-{YYYY}-{SEQ:5}', reset: 'year', assign_at: 'create', gapless: false },
    template: TEMPLATE,
  },
  sample: {
    invoice_number: 'INV-2026-00042',
    customer_name: 'Nordlys Outdoor AS',
    customer_address: 'Storgata 1\n0155 Oslo\nNorway',
    customer_tax_id: 'NO912345678MVA',
    seller_name: 'Osei & Lindqvist Trading GmbH',
    seller_address: 'Lagerstraße 12\n10999 Berlin\nGermany',
    seller_tax_id: 'DE123456789',
    issued_on: '2026-11-21',
    due_on: '2026-12-21',
    supply_on: '2026-11-20',
    prices_include_tax: false,
    currency: 'EUR',
    net_amount: 180_000,
    tax_amount: 34_200,
    gross_amount: 214_200,
    lines: [
      { item: 'Trail tent, two persons', quantity: '12', unit_amount: 12_000, per_quantity: '1', discount_percent: '0', amount: 144_000 },
      { item: 'Pegs', quantity: '2400', unit_amount: 2_000, per_quantity: '100', discount_percent: '25', amount: 36_000 },
    ],
    taxes: [{ tax: 'VAT19', rate: '19', net_amount: 180_000, tax_amount: 34_200 }],
    memo: 'Thank you for your order.',
  },
};
