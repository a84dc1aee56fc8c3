// What other modules may use of this one: its main records, for @BeforeWrite.
export { AccountingModule } from './accounting.module.js';
export { AccountingCustomer } from './model/customer.entity.js';
export { AccountingInvoice } from './model/invoice.entity.js';
