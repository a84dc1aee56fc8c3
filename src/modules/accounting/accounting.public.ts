// What other modules may use of this one: its main records, for @BeforeWrite, and what records payments, for a provider of payments.
export { AccountingModule } from './accounting.module.js';
export { AccountingCustomer } from './model/customer.entity.js';
export { AccountingInvoice } from './model/invoice.entity.js';
export { Payments } from './settlement/payments.service.js';
