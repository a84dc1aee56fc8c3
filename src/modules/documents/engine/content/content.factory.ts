import type { DocumentContent } from './document-content.js';
import type { TemplateNames } from './document-template.js';
import type { FieldSchema } from '../../model/core/field-schema.js';

export const SCHEMA: FieldSchema = {
  type: 'object',
  properties: {
    customer: { type: 'string', 'x-format': 'party', 'x-order': 1 },
    phone: { type: 'string', 'x-format': 'phone' },
    start_on: { type: 'string', format: 'date', 'x-label': 'Begins on' },
    fee: { type: 'integer', 'x-format': 'money', 'x-currency': 'currency' },
    currency: { type: 'string' },
    renews: { type: 'boolean' },
    items: {
      type: 'array',
      'x-label': 'Services',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          price: { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR', 'x-order': 2 },
          hours: { type: 'number', 'x-order': 1 },
        },
      },
    },
  },
};

/** A document's content for a test. Pass the properties that the test depends on. */
export function documentContent(given: Partial<DocumentContent> = {}): DocumentContent {
  return {
    template: 'For {{customer}}.',
    schema: SCHEMA,
    values: { customer: 'Nordwind GmbH' },
    parties: [
      { key: 'customer', label: 'Customer', name: 'Ada Lovelace' },
      { key: 'supplier', label: 'Supplier', name: null },
    ],
    document: { number: 'AGR-2026-00042', title: 'Customer agreement', created_on: '2026-02-11', finalized_on: null },
    language: 'en',
    timeZone: 'Europe/Berlin',
    finished: false,
    ...given,
  };
}

/** What the tokens of a template can name, for a test. */
export const NAMES: TemplateNames = { schema: SCHEMA, parties: ['customer', 'supplier'] };
