import { event } from '../../../kit/index.js';
import { PaymentDto } from './payments.dto.js';

const shared = { permission: 'accounting.invoice.manage', scope: 'accounting:payment:write', payload: PaymentDto };

export const PaymentEvents = {
  paymentRecorded: event({
    ...shared,
    name: 'payment.recorded',
    description: 'A payment was recorded.',
    context: { invoice_id: 'The invoice that it was recorded for.' },
  }),
  paymentReversed: event({ ...shared, name: 'payment.reversed', description: 'A payment was reversed; what it settled is open again.' }),
};
