import { QUOTE } from './quote-example.js';
import type { TypeExample } from './type-example.js';

const OFFER: TypeExample = {
  id: 'offer',
  title: 'An offer: fields, amounts, days and sections',
  text:
    'The currency is a field of its own, so each offer can have another. The section about the deposit is printed for offers ' +
    'of at least 10,000.00.',
  type: {
    code: 'offer',
    name: 'Offer',
    language: 'en',
    field_schema: {
      type: 'object',
      required: ['customer', 'price', 'currency', 'valid_until'],
      properties: {
        customer: { type: 'string', maxLength: 200, 'x-format': 'party', 'x-label': 'Customer' },
        price: { type: 'integer', minimum: 0, 'x-format': 'money', 'x-currency': 'currency', 'x-label': 'Price' },
        currency: { type: 'string', enum: ['EUR', 'USD'], default: 'EUR', 'x-label': 'Currency' },
        valid_until: { type: 'string', format: 'date', 'x-label': 'Valid until' },
        includes_installation: { type: 'boolean', 'x-label': 'With installation' },
      },
    },
    template: `{{#logo}}

# Offer {{document.number}} for {{customer}}

We offer the goods below for **{{price}}** until {{valid_until}}.

{{#if includes_installation}}
Installation is included.
{{else}}
Installation is charged by the hour.
{{/if}}

{{#if price >= 1000000}}
A deposit of one third is due with the order.
{{/if}}`,
  },
  document: {
    type_code: 'offer',
    title: 'Offer for ten desks',
    data_values: { customer: 'Acme GmbH', price: 1_250_000, currency: 'EUR', valid_until: '2027-03-31', includes_installation: true },
  },
};

const ORDER: TypeExample = {
  id: 'order',
  title: 'An order in German: a table, its total, and the amount in words',
  text:
    'x-total ends the printed table with the sum of the column. Dates, amounts and numbers are formatted for the ' +
    'language of the type.',
  type: {
    code: 'bestellung',
    name: 'Bestellung',
    language: 'de',
    numbering: { pattern: 'B-{YYYY}-{SEQ:4}', reset: 'year' },
    field_schema: {
      type: 'object',
      required: ['lieferant', 'positionen'],
      properties: {
        lieferant: { type: 'string', 'x-format': 'party', 'x-label': 'Lieferant', 'x-order': 1 },
        liefertermin: { type: 'string', format: 'date', 'x-label': 'Liefertermin', 'x-order': 2 },
        positionen: {
          type: 'array',
          minItems: 1,
          'x-label': 'Positionen',
          'x-order': 3,
          items: {
            type: 'object',
            required: ['artikel', 'menge', 'preis'],
            properties: {
              artikel: { type: 'string', 'x-label': 'Artikel' },
              menge: { type: 'integer', minimum: 1, 'x-label': 'Menge' },
              preis: { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR', 'x-label': 'Preis', 'x-total': true },
            },
          },
        },
      },
    },
    template: `# Bestellung {{document.number}}

An **{{lieferant}}**, vom {{document.created_on}}. {{#if liefertermin}}Liefertermin ist der {{liefertermin}}.{{/if}}

{{#table positionen}}

Gesamtbetrag: {{sum positionen.preis}} (in Worten: {{words sum positionen.preis}}).`,
  },
  document: {
    type_code: 'bestellung',
    title: 'Büromöbel',
    data_values: {
      lieferant: 'Möbelwerk Süd GmbH',
      liefertermin: '2027-02-15',
      positionen: [
        { artikel: 'Schreibtisch', menge: 10, preis: 499_000 },
        { artikel: 'Bürostuhl', menge: 10, preis: 219_050 },
      ],
    },
  },
};

const PURCHASE: TypeExample = {
  id: 'purchase',
  title: 'A purchase request: approval by amount, and stages of its own',
  text:
    'One administrator approves every request. From 10,000.00 on, the owner decides as well. The last approval finalizes the ' +
    'document.',
  type: {
    code: 'purchase_request',
    name: 'Purchase request',
    requires_approval: true,
    finalize_on_approval: true,
    field_schema: {
      type: 'object',
      required: ['item', 'amount'],
      properties: {
        item: { type: 'string', 'x-label': 'What' },
        amount: { type: 'integer', minimum: 1, 'x-format': 'money', 'x-currency': 'EUR', 'x-label': 'Amount' },
      },
    },
    approval_route: {
      steps: [
        {
          name: 'Administration',
          mode: 'any',
          approvers: [{ kind: 'role', ref: 'admin' }],
          due_in_hours: 48,
          escalate_to: { kind: 'role', ref: 'owner' },
        },
        {
          name: 'Management',
          mode: 'all',
          approvers: [{ kind: 'role', ref: 'owner' }],
          condition: { field: 'amount', op: 'gte', operand: { value: 1_000_000 } },
        },
      ],
    },
    lifecycle: {
      stages: [
        { code: 'wanted', label: 'Wanted', state: 'draft' },
        { code: 'in_review', label: 'In review', state: 'in_approval' },
        { code: 'refused', label: 'Refused', state: 'rejected' },
        { code: 'agreed', label: 'Agreed', state: 'approved' },
        { code: 'ordered', label: 'Can be ordered', state: 'finalized' },
      ],
      transitions: [
        { code: 'ask', label: 'Ask for it', from: ['wanted'], to: 'in_review', trigger: 'submit' },
        { code: 'agree', label: 'Agree', from: ['in_review'], to: 'agreed', trigger: 'approve' },
        { code: 'refuse', label: 'Refuse', from: ['in_review'], to: 'refused', trigger: 'reject' },
        { code: 'release', label: 'Release', from: ['agreed'], to: 'ordered', trigger: 'finalize' },
      ],
    },
    template: null,
  },
  document: { type_code: 'purchase_request', title: 'A laser cutter', data_values: { item: 'Laser cutter', amount: 1_890_000 } },
};

const CONTRACT: TypeExample = {
  id: 'contract',
  title: 'A contract: two signing parties, a term and obligations',
  text:
    'The customer signs first, with a code from a second mail, and may pass the document on. All must sign within 14 days. The ' +
    'signed contract is valid for a year and creates an obligation for each quarter.',
  type: {
    code: 'service_agreement',
    name: 'Service agreement',
    field_schema: {
      type: 'object',
      required: ['customer_name', 'customer_email', 'our_name', 'our_email', 'starts_on', 'fee'],
      properties: {
        customer_name: { type: 'string', 'x-format': 'party', 'x-label': 'Customer' },
        customer_email: { type: 'string', format: 'email', 'x-label': 'Their e-mail' },
        our_name: { type: 'string', 'x-label': 'Signs for us' },
        our_email: { type: 'string', format: 'email', 'x-label': 'Our e-mail' },
        starts_on: { type: 'string', format: 'date', 'x-label': 'Start' },
        fee: { type: 'integer', 'x-format': 'money', 'x-currency': 'USD', 'x-label': 'Fee per quarter' },
      },
    },
    signature_parties: [
      {
        key: 'customer',
        label: 'Customer',
        order: 1,
        name_from: 'customer_name',
        email_from: 'customer_email',
        auth: 'otp',
        may_delegate: true,
      },
      { key: 'us', label: 'Supplier', order: 2, kind: 'internal', name_from: 'our_name', email_from: 'our_email' },
    ],
    signing_days: 14,
    validity_months: 12,
    obligation_rules: [
      {
        title: 'Fee of {{customer_name}}',
        kind: 'payment',
        side: 'counterparty',
        due_on_from: 'starts_on',
        due_after_days: 30,
        recurrence: 'FREQ=MONTHLY;INTERVAL=3;COUNT=4',
        name_from: 'customer_name',
        email_from: 'customer_email',
        reminder_days: [7],
      },
    ],
    template: `# Service agreement

between us and **{{customer_name}}**, from {{starts_on}}, for {{fee}} per quarter.

1. Either party may end it with a notice of three months.
2. The fee is due within thirty days.

Signed by the customer on {{signed_on customer}}, and by us on {{signed_on us}}:

{{#signature customer us}}`,
  },
  document: {
    type_code: 'service_agreement',
    title: 'Service agreement with Acme',
    data_values: {
      customer_name: 'Ada Lovelace',
      customer_email: 'ada@example.com',
      our_name: 'Grace Hopper',
      our_email: 'grace@example.com',
      starts_on: '2027-01-01',
      fee: 240_000,
    },
  },
};

const FILE: TypeExample = {
  id: 'file',
  title: 'An existing PDF with placed fields',
  text:
    'The type has no template: each document is a file that is uploaded. The customer signs on its first page and fills in the ' +
    'place; the date is filled in automatically.',
  type: {
    code: 'uploaded_lease',
    name: 'Lease on paper',
    field_schema: {
      type: 'object',
      required: ['tenant', 'tenant_email'],
      properties: {
        tenant: { type: 'string', 'x-format': 'party', 'x-label': 'Tenant' },
        tenant_email: { type: 'string', format: 'email', 'x-label': 'E-mail' },
      },
    },
    signature_parties: [{ key: 'tenant', label: 'Tenant', name_from: 'tenant', email_from: 'tenant_email' }],
  },
  document: {
    type_code: 'uploaded_lease',
    title: 'Lease of a flat',
    data_values: { tenant: 'Ada Lovelace', tenant_email: 'ada@example.com' },
  },
  placed: {
    fields: [
      { key: 'signature', party: 'tenant', kind: 'signature', page: 1, x: 0.1, y: 0.8, w: 0.35, h: 0.06 },
      { key: 'place', party: 'tenant', kind: 'text', label: 'Place', page: 1, x: 0.1, y: 0.88, w: 0.2, h: 0.03 },
      { key: 'day', party: 'tenant', kind: 'date', page: 1, x: 0.32, y: 0.88, w: 0.2, h: 0.03 },
    ],
  },
};

const JAPANESE: TypeExample = {
  id: 'japanese',
  title: 'A purchase order in Japanese',
  text: 'The suite includes fonts for all supported scripts; only the language must be set.',
  type: {
    code: 'hacchusho',
    name: '発注書',
    language: 'ja',
    field_schema: {
      type: 'object',
      required: ['supplier', 'amount'],
      properties: {
        supplier: { type: 'string', 'x-format': 'party', 'x-label': '取引先' },
        amount: { type: 'integer', 'x-format': 'money', 'x-currency': 'JPY', 'x-label': '金額' },
        due_on: { type: 'string', format: 'date', 'x-label': '納期' },
      },
    },
    template: `# 発注書

{{supplier}} 御中

金額は{{amount}}(金{{words amount}})です。{{#if due_on}}納期は{{due_on}}です。{{/if}}`,
  },
  document: {
    type_code: 'hacchusho',
    title: '机十台',
    data_values: { supplier: '株式会社青木', amount: 450_000, due_on: '2027-02-15' },
  },
};

export const TYPE_EXAMPLES: readonly TypeExample[] = [OFFER, ORDER, QUOTE, PURCHASE, CONTRACT, FILE, JAPANESE];
