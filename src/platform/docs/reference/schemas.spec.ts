import { expect, test } from '@jest/globals';
import type { ApiDocument } from '../../client/api-document.js';
import { Schemas } from './schemas.js';

const text = (example: string) => ({ type: 'string', examples: [example] });

test('the members of an example that show one record agree with each other', () => {
  const record = { type: 'object', properties: { id: text('other'), name: text('Other'), position: { type: 'integer', examples: [4] } } };
  const task = {
    type: 'object',
    properties: {
      status_id: text('s1'),
      status_name: text('Open'),
      status: record,
      label_ids: { type: 'array', items: { type: 'string' }, examples: [['l1']] },
      labels: { type: 'array', items: record },
      parent_id: { type: ['string', 'null'], examples: [null] },
      parent: record,
    },
  };
  const schemas = new Schemas({ components: { schemas: {} } } as unknown as ApiDocument);
  expect(schemas.example(task)).toEqual({
    status_id: 's1',
    status_name: 'Open',
    status: { id: 's1', name: 'Open', position: 4 },
    label_ids: ['l1'],
    labels: [{ id: 'l1', name: 'Other', position: 4 }],
    parent_id: null,
    parent: { id: 'other', name: 'Other', position: 4 },
  });
});
