import type { EventTriggers, TriggerStep } from '../../kit/index.js';

const CUSTOMER: TriggerStep = { call: 'create_customer', body: { name: 'Triggered {unique}' }, as: 'customer' };
const INVOICE: readonly TriggerStep[] = [
  CUSTOMER,
  { call: 'list_tax_rates', query: { project_id: '{customer.project_id}' }, as: 'taxes' },
  {
    call: 'create_invoice',
    body: {
      customer_id: '{customer.id}',
      lines: [{ description: 'Consulting', unit_amount: 12_000, tax_id: '{taxes.data[category=S].id}' }],
    },
    as: 'invoice',
  },
];
const params = { id: '{invoice.id}' };
const ISSUE: readonly TriggerStep[] = [...INVOICE, { call: 'issue_invoice', params, as: 'invoice' }];
const PAY: readonly TriggerStep[] = [
  ...ISSUE,
  {
    call: 'record_payment',
    params,
    body: { amount: '{invoice.totals.gross_amount}', paid_on: '{invoice.issued_on}' },
    as: 'payment',
  },
];

/** How `work-suite trigger` causes the events of the accounting. */
export const ACCOUNTING_TRIGGERS: EventTriggers = {
  'customer.created': [CUSTOMER],
  'customer.updated': [CUSTOMER, { call: 'update_customer', params: { id: '{customer.id}' }, body: { name: 'Changed {unique}' } }],
  'invoice.created': INVOICE,
  'invoice.updated': [...INVOICE, { call: 'update_invoice', params, body: { memo: 'Triggered {unique}' } }],
  'invoice.status_changed': ISSUE,
  'invoice.issued': ISSUE,
  'journal_entry.posted': ISSUE,
  'payment.recorded': PAY,
  'invoice.paid': PAY,
  'credit_note.issued': [...ISSUE, { call: 'create_credit_note', params, body: { reason: 'Returned' } }],
  'payment.reversed': [...PAY, { call: 'reverse_payment', params: { id: '{payment.id}' }, body: { reason: 'Charged back' } }],
};
