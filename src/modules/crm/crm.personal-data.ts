import { ERASED_NAME, own, personalData, sql, table, type Person, type Sql } from '../../kit/index.js';
import { Contact } from './contacts/contact.entity.js';
import { Lead } from './leads/lead.entity.js';
import { ConsentRecord } from './person/consent-record.entity.js';

const isTheirs = ({ email }: Person): Sql => sql`lower(t.email) = ${email} OR t.email_normalized = ${email}`;

/** What the module stores about people. A lead is nothing but a person; deals and invoices refer to contacts. */
export const CRM_PERSONAL_DATA = [
  personalData(ConsentRecord, {
    title: 'consents',
    where: ({ email }) => sql`
      t.resource_id IN (SELECT l.id FROM ${table(Lead)} l WHERE ${own('l')} AND l.email_normalized = ${email})
      OR t.resource_id IN (SELECT c.id FROM ${table(Contact)} c WHERE ${own('c')} AND c.email_normalized = ${email})`,
    keep: { why: 'The proof of what was allowed. It contains neither name nor address.' },
  }),
  personalData(Lead, { title: 'leads', where: isTheirs, names: ['full_name'], erase: 'delete' }),
  personalData(Contact, {
    title: 'contacts',
    where: isTheirs,
    names: ['full_name'],
    erase: {
      full_name: ERASED_NAME,
      first_name: null,
      last_name: null,
      email: null,
      email_normalized: null,
      phone: null,
      phone_normalized: null,
      company_name: null,
      job_title: null,
      external_id: null,
      custom_fields: {},
    },
  }),
];
