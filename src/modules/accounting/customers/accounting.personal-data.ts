import { ERASED_NAME, own, personalData, sql, table } from '../../../kit/index.js';
import { AccountingCustomer } from '../model/customer.entity.js';
import { AccountingInvoice } from '../model/invoice.entity.js';
import { JournalEntry } from '../model/journal-entry.entity.js';
import { JournalLineRow } from '../model/sql-rows.entity.js';

const KEPT = 'Issued invoices and the books name the customer, and the law requires them to be kept for years.';

/** What the module stores about people: customers. */
export const ACCOUNTING_PERSONAL_DATA = [
  personalData(JournalEntry, {
    title: 'journal entries',
    where: ({ email }) => sql`
      t.id IN (SELECT l.entry_id FROM ${table(JournalLineRow)} l JOIN ${table(AccountingCustomer)} c ON c.id = l.customer_id
        WHERE ${own('l')} AND ${own('c')} AND lower(c.email) = ${email})`,
    keep: { why: KEPT },
  }),
  personalData(AccountingInvoice, {
    title: 'invoices',
    where: ({ email }) => sql`
      lower(t.customer_snapshot ->> 'email') = ${email}
      OR t.customer_id IN (SELECT c.id FROM ${table(AccountingCustomer)} c WHERE ${own('c')} AND lower(c.email) = ${email})`,
    erase: { customer_snapshot: { name: ERASED_NAME, email: null, tax_id_number: null, address: null }, memo: null, custom_fields: {} },
    keep: { where: sql`t.status <> 'draft'`, why: KEPT },
  }),
  personalData(AccountingCustomer, {
    title: 'customers',
    where: ({ email }) => sql`lower(t.email) = ${email}`,
    names: ['name'],
    erase: { name: ERASED_NAME, email: null, tax_id_number: null, address: null, contact_id: null, external_id: null, custom_fields: {} },
    keep: {
      where: sql`EXISTS (SELECT FROM ${table(AccountingInvoice)} i
        WHERE ${own('i')} AND i.customer_id = t.id AND i.status <> 'draft')`,
      why: KEPT,
    },
  }),
];
