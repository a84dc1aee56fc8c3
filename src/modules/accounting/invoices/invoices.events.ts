import { event } from '../../../kit/index.js';
import { InvoiceDto } from './invoice.dto.js';

const permission = 'accounting.invoice.manage';
const scope = 'accounting:invoice:write';
const payload = InvoiceDto;
const shared = { permission, scope, payload };

/** A change of status emits one event; `invoice.updated` is for other changes. Credit notes emit the same events. */
export const InvoiceEvents = {
  invoiceCreated: event({ ...shared, name: 'invoice.created', description: 'A draft of an invoice was created.' }),
  invoiceUpdated: event({
    ...shared,
    name: 'invoice.updated',
    description: 'A draft was changed, or another partial payment of an invoice was recorded.',
  }),
  invoiceStatusChanged: event({
    ...shared,
    name: 'invoice.status_changed',
    description: 'The status of an invoice or credit note changed.',
    context: {
      from: 'The status before; null for a credit note, which is issued at once.',
      to: 'The status now.',
      trigger: '`issue`, `settle`, `reverse_payment` or `void`.',
    },
  }),
  invoiceIssued: event({ ...shared, name: 'invoice.issued', description: 'An invoice was issued.', internal: true }),
  invoicePaid: event({ ...shared, name: 'invoice.paid', description: 'An invoice is fully settled.', internal: true }),
  invoiceOverdue: event({
    permission,
    payload,
    name: 'invoice.overdue',
    description: 'The due date of an invoice has passed; once for each invoice.',
    internal: true,
  }),
  creditNoteIssued: event({ ...shared, name: 'credit_note.issued', description: 'A credit note was issued.', internal: true }),
};
