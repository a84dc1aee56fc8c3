import type { TypeExample } from './type-example.js';

const money = { type: 'integer', 'x-format': 'money', 'x-currency': 'currency' } as const;

export const QUOTE: TypeExample = {
  id: 'quote',
  title: 'A quote: calculated amounts, tax by rate, columns and a code to pay',
  text:
    'The amounts are calculated when the document is created; the tax is rounded once for each rate. The section for each group of rows ' +
    'prints the rates that occur. The pages have Letter format and a footer of their own.',
  type: {
    code: 'quote',
    name: 'Quote',
    field_schema: {
      type: 'object',
      required: ['customer', 'currency', 'items'],
      properties: {
        customer: { type: 'string', 'x-format': 'party', 'x-label': 'Customer' },
        seller: { type: 'string', default: 'Acme GmbH', 'x-label': 'Seller' },
        iban: { type: 'string', default: 'DE89 3704 0044 0532 0130 00', 'x-label': 'IBAN' },
        currency: { type: 'string', default: 'EUR', 'x-label': 'Currency' },
        items: {
          type: 'array',
          minItems: 1,
          'x-label': 'Items',
          items: {
            type: 'object',
            required: ['item', 'quantity', 'price', 'vat_rate'],
            properties: {
              item: { type: 'string', 'x-label': 'Item' },
              quantity: { type: 'number', 'x-label': 'Quantity' },
              price: { ...money, 'x-label': 'Price' },
              vat_rate: { type: 'number', 'x-label': 'VAT %' },
              amount: { ...money, 'x-label': 'Amount', 'x-total': true, 'x-calculated': 'round(quantity * price)' },
            },
          },
        },
        net: { ...money, 'x-label': 'Net', 'x-calculated': 'sum(items.amount)' },
        tax: {
          ...money,
          'x-label': 'Tax',
          'x-calculated': 'sum(round(sum(items.amount) * items.vat_rate / 100) by items.vat_rate)',
        },
        gross: { ...money, 'x-label': 'Total', 'x-calculated': 'net + tax' },
      },
    },
    layout: { paper: 'letter', footer: '{{document.number}} | | {{page}} / {{pages}}', currency: 'symbol' },
    template: `# Quote {{document.number}}

{{#columns}}

From **{{seller}}**

{{#column}}

For **{{customer}}**

{{/columns}}

{{#table items}}

| | |
|---|---:|
| Net | {{net}} |
{{#group items by vat_rate}}
| VAT {{vat_rate}} % of {{sum(items.amount)}} | {{sum(items.amount) * vat_rate / 100}} |
{{/group}}
| **Total** | **{{gross}}** |

{{#if gross >= 100000 and currency = "EUR"}}
Please pay one third in advance: {{round(gross / 3)}}.

{{#payment_qr seller, iban, gross / 3, document.number}}
{{else}}
Payable by {{document.created_on + 30}}.
{{/if}}`,
  },
  document: {
    type_code: 'quote',
    title: 'Quote for ten desks',
    data_values: {
      customer: 'Nordwind GmbH',
      items: [
        { item: 'Desk', quantity: 10, price: 49_900, vat_rate: 19 },
        { item: 'Oak board, by the meter', quantity: 2.75, price: 8_450, vat_rate: 19 },
        { item: 'Book of joints', quantity: 1, price: 3_500, vat_rate: 7 },
      ],
    },
  },
};
