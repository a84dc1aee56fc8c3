import { event } from '../../../kit/index.js';
import { AccountingPeriodDto } from './periods.dto.js';

export const PeriodEvents = {
  periodStatusChanged: event({
    name: 'accounting_period.status_changed',
    description: 'A month was closed or reopened.',
    permission: 'accounting.ledger.manage',
    payload: AccountingPeriodDto,
    context: { from: 'The status before.', to: 'The status now.', trigger: '`close` or `reopen`.' },
  }),
};
