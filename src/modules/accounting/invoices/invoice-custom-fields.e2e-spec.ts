import { expect, it } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { Books, EXT_ACCOUNTING, ORG_ACCOUNTING } from '../testing/accounting-fixture.js';

const app = await sharedApp();

it('custom fields of an invoice change after its issue, when nothing else does, and are imported', async () => {
  const books = await Books.open(app);
  for (const [resource, key] of [
    ['invoice', 'cost_center'],
    ['customer', 'tier'],
  ])
    await books.screen.post('/api/v1/org/custom-fields', { resource, key, label: key, type: 'text', filterable: true });
  const upload = (list: string, lines: string[]) =>
    books.screen.send('post', `${ORG_ACCOUNTING}/imports/${list}?project_id=${books.project}`, lines.join('\n'), {
      'content-type': 'text/csv',
    });
  const customers = await upload('customers', ['external_id,name,custom_fields.tier', 'c-1,Acme,gold']);
  const head = 'external_id,customer,description,unit_amount,tax,custom_fields.cost_center';
  const invoices = await upload('invoices', [head, 'i-1,c-1,Work,1000,VAT19,K1', 'i-1,c-1,Travel,500,VAT19,']);
  expect([customers.body, invoices.body]).toEqual([
    expect.objectContaining({ imported: 1, errors: [] }),
    expect.objectContaining({ imported: 2, errors: [] }),
  ]);
  expect((await books.get('/customers?custom_fields.tier=gold')).data).toHaveLength(1);
  const [draft] = (await books.get('/invoices?custom_fields.cost_center=K1')).data as { id: string }[];
  const path = `${EXT_ACCOUNTING}/invoices/${draft.id}`;
  const issued = await books.post(`/invoices/${draft.id}/issue`);
  const changed = await books.api.patch(path, { custom_fields: { cost_center: 'K2' } });
  expect(changed.body).toEqual({ ...issued, custom_fields: { cost_center: 'K2' }, version: 3, updated_at: expect.any(String) });
  expect((await books.api.patch(path, { memo: 'Thanks', custom_fields: { cost_center: 'K3' } })).body.error.code).toBe(
    'invalid_transition',
  );
  const note = await books.post(`/invoices/${draft.id}/credit-notes`, { reason: 'Returned' });
  expect(note['custom_fields']).toEqual({});
});
