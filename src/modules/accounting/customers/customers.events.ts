import { event } from '../../../kit/index.js';
import { AccountingCustomerDto } from './customers.dto.js';

const permission = 'accounting.invoice.manage';
const scope = 'accounting:invoice:write';

export const AccountingCustomerEvents = {
  customerCreated: event({
    name: 'customer.created',
    description: 'A customer was created.',
    permission,
    scope,
    payload: AccountingCustomerDto,
  }),
  customerUpdated: event({
    name: 'customer.updated',
    description: 'A customer was changed.',
    permission,
    scope,
    payload: AccountingCustomerDto,
  }),
};
