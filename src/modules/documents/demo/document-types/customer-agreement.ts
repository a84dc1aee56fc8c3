import { SIGNATORY, SIGNATORY_FIELDS, type DemoDocumentType } from './demo-document-type.js';

const TEMPLATE = `# Supply and Services Agreement

Agreement no. {{document.number}}

between

**Osei & Lindqvist Trading GmbH**, Lagerstraße 12, 10999 Berlin, Germany (the "Supplier")

and

**{{customer_name}}** (the "Customer").

| | |
|---|---|
| Address of the Customer | {{customer_address}} |
| Subject | {{subject}} |
| Fee | {{amount}} |
| Start | {{starts_on}} |
| Term | twelve months |
| Payment | thirty days from the date of the invoice |

## 1. Subject

1. The Supplier delivers the goods and performs the services described as "{{subject}}". Single deliveries are those
   that the schedule at the end of this agreement lists.
2. The Customer's general terms and conditions do not apply, even where the Customer refers to them in an order and the
   Supplier does not object.
3. Changes to the scope take effect once both parties have confirmed them in text form, together with their effect on
   the fee and the dates.

## 2. Delivery and acceptance

1. Delivery is made to the address in the table above or, where it names none, to the one that the Customer gives in
   text form. Dates are binding where the schedule states them.
2. The Customer inspects each delivery without undue delay and reports visible defects within ten working days, hidden
   ones within ten working days after they are found.
3. If a date cannot be kept, the Supplier says so as soon as it knows, names the reason and proposes a new date. Where a
   binding date is exceeded by more than four weeks, the Customer may withdraw from the part of the delivery that is
   late.

## 3. Fee and payment

1. The fee for the whole term is {{amount}}, plus value added tax at the rate in force.
2. The first invoice is issued on {{starts_on}}. Invoices are payable without deduction within thirty days from their
   date.
3. If the Customer is in default, the Supplier may charge interest at the statutory rate. The Customer may set off only
   claims that are undisputed or have been decided by a court with final effect.

## 4. Retention of title

Delivered goods remain the property of the Supplier until they are paid for in full. The Customer may resell them in the
ordinary course of business and hereby assigns the claims from such sales to the Supplier as security.

## 5. Warranty

1. The Supplier warrants that the goods conform to their description and that the services are performed with reasonable
   skill and care.
2. The Supplier remedies defects by repair or replacement, at its choice, within a reasonable period. If that fails
   twice, the Customer may reduce the fee or withdraw from the agreement as to the defective part.
3. Claims for defects become time-barred twelve months after delivery. This does not apply to the claims named in
   section 6.1.

## 6. Liability

1. Each party is liable without limit for intent and gross negligence, for injury to life, body or health, and where the
   law does not allow liability to be limited.
2. In all other cases a party is liable only for the breach of an essential obligation, and then for the damage that was
   foreseeable when this agreement was made, limited in total to the fee for the term.
3. Neither party is liable for failures that events outside its reasonable control have caused, for as long as those
   events last.

## 7. Confidentiality and data protection

1. Each party keeps the other's confidential information secret during the term and for three years after it, and uses
   it for this agreement only.
2. Where the Supplier processes personal data on behalf of the Customer, the parties first conclude a data processing
   agreement in accordance with Article 28 GDPR.

## 8. Term and termination

1. This agreement begins on {{starts_on}} and runs for twelve months. It does not renew by itself; the parties speak
   about a renewal no later than three months before the end.
2. Either party may terminate for good cause, in particular where the other party does not remedy a material breach
   within thirty days after written notice, or where insolvency proceedings over its assets are opened or refused for
   lack of assets.
3. Notice of termination must be given in writing.

## 9. Final provisions

1. German law applies, without the United Nations Convention on Contracts for the International Sale of Goods. Place of
   jurisdiction for merchants is Berlin.
2. Amendments, including of this sentence, must be in writing. There are no oral side agreements.
3. If a provision is or becomes invalid, the others remain in force, and the parties replace it by a valid one that
   comes closest to its purpose.

## Schedule of deliveries

{{#table deliveries}}

## Signatures

{{#signature customer supplier}}
`;

/** The agreement for a won deal: approved internally, then signed by both parties. */
export const CUSTOMER_AGREEMENT: DemoDocumentType = {
  type: {
    code: 'customer_agreement',
    name: 'Customer agreement',
    description: 'Supply and services for a customer. Created automatically when a deal is won, and then awaits approval.',
    field_schema: {
      type: 'object',
      required: ['customer_name', 'subject', 'amount', 'currency', 'starts_on'],
      properties: {
        customer_name: { type: 'string', minLength: 1, maxLength: 200, 'x-format': 'party', 'x-label': 'Customer', 'x-order': 10 },
        customer_address: { type: 'string', maxLength: 300, 'x-label': 'Address', 'x-order': 11 },
        contact_name: { type: 'string', minLength: 1, maxLength: 200, 'x-label': 'Signs for the customer', 'x-order': 12 },
        contact_email: { type: 'string', format: 'email', 'x-label': 'Their e-mail', 'x-order': 13 },
        contact_phone: { type: 'string', 'x-format': 'phone', 'x-label': 'Their phone', 'x-order': 14 },
        subject: { type: 'string', minLength: 1, maxLength: 255, 'x-label': 'Subject', 'x-order': 20 },
        amount: { type: 'integer', minimum: 0, 'x-format': 'money', 'x-currency': 'currency', 'x-label': 'Fee', 'x-order': 21 },
        currency: { type: 'string', pattern: '^[A-Z]{3}$', 'x-label': 'Currency', 'x-order': 22 },
        starts_on: { type: 'string', format: 'date', 'x-label': 'Start', 'x-order': 30 },
        deliveries: {
          type: 'array',
          maxItems: 100,
          'x-label': 'Deliveries',
          'x-order': 40,
          items: {
            type: 'object',
            required: ['item', 'quantity'],
            properties: {
              item: { type: 'string', minLength: 1, maxLength: 200, 'x-label': 'Item', 'x-order': 1 },
              quantity: { type: 'integer', minimum: 1, 'x-label': 'Quantity', 'x-order': 2 },
              deliver_by: { type: 'string', format: 'date', 'x-label': 'Deliver by', 'x-order': 3 },
            },
          },
        },
        ...SIGNATORY_FIELDS,
      },
    },
    requires_approval: true,
    finalize_on_approval: true,
    // in a workspace of four members, the submitter may be the only available approver
    allow_self_approval: true,
    approval_route: {
      steps: [
        {
          name: 'Commercial terms',
          mode: 'any',
          approvers: [{ kind: 'role', ref: 'admin' }],
          due_in_hours: 24,
          escalate_to: { kind: 'role', ref: 'owner' },
        },
        {
          name: 'Management, from 50,000.00',
          mode: 'all',
          approvers: [{ kind: 'role', ref: 'owner' }],
          condition: { field: 'amount', op: 'gte', operand: { value: 5_000_000 } },
          due_in_hours: 48,
        },
      ],
    },
    numbering: { pattern: 'AGR-{YYYY}-{SEQ:4}', reset: 'year', assign_at: 'create', gapless: false },
    signature_parties: [
      {
        key: 'customer',
        label: 'Customer',
        order: 1,
        kind: 'external',
        name_from: 'contact_name',
        email_from: 'contact_email',
        required: true,
        auth: 'link',
      },
      {
        key: 'supplier',
        label: 'Supplier',
        order: 2,
        kind: 'internal',
        name_from: 'our_signatory',
        email_from: 'our_signatory_email',
        required: true,
        auth: 'link',
      },
    ],
    signing_days: 14,
    obligation_rules: [
      {
        title: 'First invoice to {{customer_name}}: payment',
        kind: 'payment',
        side: 'counterparty',
        due_on_from: 'starts_on',
        due_after_days: 30,
        name_from: 'contact_name',
        email_from: 'contact_email',
        reminder_days: [7, 1],
      },
      {
        title: 'Quarterly review with {{customer_name}}',
        kind: 'report',
        side: 'us',
        due_on_from: 'starts_on',
        due_after_days: 90,
        recurrence: 'FREQ=MONTHLY;INTERVAL=3;COUNT=4',
        name_from: 'our_signatory',
        email_from: 'our_signatory_email',
        reminder_days: [14],
      },
      {
        title: 'Speak with {{customer_name}} about a renewal',
        kind: 'renewal',
        side: 'us',
        due_on_from: 'starts_on',
        due_after_days: 270,
        name_from: 'our_signatory',
        email_from: 'our_signatory_email',
        reminder_days: [30, 7],
      },
    ],
    ai_auto_run: ['risks'],
    validity_months: 12,
    template: TEMPLATE,
  },
  sample: {
    customer_name: 'Nordlys Outdoor AS',
    customer_address: 'Storgata 8, 0155 Oslo, Norway',
    contact_name: 'Ingrid Halvorsen',
    contact_email: 'ingrid@nordlys-outdoor.example',
    contact_phone: '+4722123456',
    subject: 'Autumn assortment for 12 stores',
    amount: 4_850_000,
    currency: 'EUR',
    starts_on: '2027-01-04',
    deliveries: [
      { item: 'Rain jackets, assorted sizes', quantity: 480, deliver_by: '2027-01-18' },
      { item: 'Trekking backpacks 45 l', quantity: 240, deliver_by: '2027-02-01' },
      { item: 'Shelf displays with set-up', quantity: 12, deliver_by: '2027-02-01' },
    ],
    ...SIGNATORY,
  },
};
