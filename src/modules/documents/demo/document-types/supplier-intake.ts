import type { DemoDocumentType } from './demo-document-type.js';

const TEMPLATE = `# Supplier application

Application {{document.number}} of {{document.created_on}}

| | |
|---|---|
| Company | {{company_name}} |
| Address | {{address}} |
| Registration number | {{registration_number}} |
| VAT number | {{vat_number}} |
| Contact | {{contact_name}} |
| E-mail | {{contact_email}} |
| Phone | {{contact_phone}} |

## What is offered

Category: {{category}}

{{offer}}

Expected volume in a year: {{yearly_volume}}

## Standards

| Requirement | Answer |
|---|---|
| Quality management certified to ISO 9001 | {{iso_9001}} |
| Environmental management certified to ISO 14001 | {{iso_14001}} |
| Supplier code of conduct accepted | {{accepts_code_of_conduct}} |

By accepting the code of conduct the applicant undertakes to respect human rights and the labour standards of the
International Labour Organization, to offer or take no improper advantage, to obey the environmental law of the places
where it produces, and to ask the same of its own suppliers.

## Decision

Purchasing admits a supplier for two years. Certificates are checked again every year. The admission obliges neither
side to order or to deliver anything.
`;

/** The document of a submitted public form. It has no approval route, so any member who may approve documents can decide. */
export const SUPPLIER_INTAKE: DemoDocumentType = {
  type: {
    code: 'supplier_intake',
    name: 'Supplier application',
    description: 'Application of a company that wants to supply us; submitted by a form and decided by purchasing.',
    field_schema: {
      type: 'object',
      required: ['company_name', 'contact_name', 'contact_email', 'category', 'offer', 'accepts_code_of_conduct'],
      properties: {
        company_name: { type: 'string', minLength: 1, maxLength: 200, 'x-format': 'party', 'x-label': 'Company', 'x-order': 10 },
        address: { type: 'string', maxLength: 300, 'x-label': 'Address', 'x-order': 11 },
        registration_number: { type: 'string', maxLength: 50, 'x-label': 'Registration number', 'x-order': 12 },
        vat_number: { type: 'string', maxLength: 20, 'x-label': 'VAT number', 'x-order': 13 },
        contact_name: { type: 'string', minLength: 1, maxLength: 200, 'x-label': 'Contact', 'x-order': 20 },
        contact_email: { type: 'string', format: 'email', 'x-label': 'E-mail', 'x-order': 21 },
        contact_phone: { type: 'string', 'x-format': 'phone', 'x-label': 'Phone', 'x-order': 22 },
        category: { type: 'string', enum: ['goods', 'packaging', 'transport', 'services'], 'x-label': 'Category', 'x-order': 30 },
        offer: { type: 'string', minLength: 1, maxLength: 2_000, 'x-label': 'What do you offer?', 'x-order': 31 },
        yearly_volume: {
          type: 'integer',
          minimum: 0,
          'x-format': 'money',
          'x-currency': 'EUR',
          'x-label': 'Expected volume in a year',
          'x-order': 32,
        },
        iso_9001: { type: 'boolean', 'x-label': 'Certified to ISO 9001', 'x-order': 40 },
        iso_14001: { type: 'boolean', 'x-label': 'Certified to ISO 14001', 'x-order': 41 },
        accepts_code_of_conduct: { type: 'boolean', 'x-label': 'We accept the supplier code of conduct', 'x-order': 42 },
      },
    },
    requires_approval: true,
    finalize_on_approval: true,
    allow_self_approval: true,
    numbering: { pattern: 'SUP-{YYYY}-{SEQ:4}', reset: 'year', assign_at: 'create', gapless: false },
    obligation_rules: [
      {
        title: 'Check the certificates of {{company_name}}',
        kind: 'report',
        side: 'us',
        due_after_days: 365,
        recurrence: 'FREQ=YEARLY;COUNT=2',
        reminder_days: [30],
      },
    ],
    template: TEMPLATE,
  },
  sample: {
    company_name: 'Kartonwerk Havel GmbH',
    address: 'Hafenstraße 40, 14770 Brandenburg an der Havel, Germany',
    registration_number: 'HRB 31415 P',
    vat_number: 'DE123456789',
    contact_name: 'Jonas Weber',
    contact_email: 'jonas@kartonwerk-havel.example',
    contact_phone: '+49338155500',
    category: 'packaging',
    offer: 'Shipping cartons from recycled fibre in eleven sizes, printed from 500 pieces, delivered within five working days.',
    yearly_volume: 3_600_000,
    iso_9001: true,
    iso_14001: true,
    accepts_code_of_conduct: true,
  },
};
