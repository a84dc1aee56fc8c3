import { expect, test } from '@jest/globals';
import { Client } from '../../../../../test/harness/client.js';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { ORG_DOCUMENTS, WorkflowFixture } from '../../testing/workflow-fixture.js';

const app = await sharedApp();
const workflow = await WorkflowFixture.open(app);
const visitor = new Client(app.url, { accept: 'text/html' });

const SCHEMA = {
  type: 'object',
  properties: {
    customer: { type: 'string', 'x-label': 'Customer' },
    price: { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR', 'x-label': 'Price' },
    clause: { type: 'string', 'x-label': 'Clause' },
    items: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, count: { type: 'integer' } } },
    },
  },
} as const;

async function newestMail(to: string): Promise<string> {
  const { rows } = await app.sql.query<{ text: string }>('SELECT text FROM mails WHERE recipient = $1 ORDER BY created_at DESC LIMIT 1', [
    to,
  ]);
  return rows[0].text;
}

const pageOf = async (mail: string) =>
  (await visitor.get((/(\/a\/[\w-]{43})/.exec(mail) as RegExpExecArray)[1])).text.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');

test('an approver sees the amount, the submitter, the note, and what has changed since the last submission', async () => {
  const ada = await workflow.space.member('admin');
  const { code } = await workflow.approvedBy([ada], { field_schema: SCHEMA });
  const parts = 'every part of the order in good time and '.repeat(5);
  const clause = `The supplier delivers ${parts}within 30 days of the order, at its own risk.`;
  const data_values = { customer: 'Acme', price: 123_450, clause, items: [{ name: 'Bolt', count: 2 }] };
  const { id } = await workflow.draft(code, { data_values });
  expect((await workflow.submit(id, { comment: 'Please look at the price.' })).status).toBe(200);
  const first = await newestMail(ada.email);
  for (const part of [/Price: EUR\s?1,234\.50/, 'Submitted by: Olga Owner', 'Comment: Please look at the price.']) {
    expect(first).toMatch(part);
    expect(await pageOf(first)).toMatch(typeof part === 'string' ? part.slice(part.indexOf(':') + 2) : /EUR\s?1,234\.50/);
  }
  expect(first).not.toContain('Changed since');

  await workflow.decide(id, 'RETURN', ada, { comments: 'Too cheap' });
  const changed = {
    title: 'Agreement with Acme',
    data_values: { price: 200_000, clause: clause.replace('30 days', '45 days'), items: [{ name: 'Bolt', count: 3 }] },
  };
  expect((await workflow.screen.patch(`${ORG_DOCUMENTS}/${id}`, changed)).status).toBe(200);
  expect((await workflow.submit(id)).status).toBe(200);
  const second = await newestMail(ada.email);
  expect(second).toContain('Changed since the last submission');
  expect(second).toContain('Title: Agreement → Agreement with Acme');
  expect(second).toMatch(/Price: EUR\s?1,234\.50 → EUR\s?2,000\.00/);
  // of the long text only the part that differs
  expect(second).toContain(
    'Clause: … in good time and within 30 days of the order, at … → … in good time and within 45 days of the order, at …',
  );
  expect(second).toContain('Items: 1 row Bolt · 2 → 1 row Bolt · 3');
  expect(second).not.toContain('Customer: Acme →');
  expect(await pageOf(second)).toMatch(/Changed since the last submission Title Before: Agreement Now: Agreement with Acme ?Price/);

  await workflow.decide(id, 'RETURN', ada, { comments: 'Why?' });
  expect((await workflow.submit(id)).status).toBe(200);
  expect(await newestMail(ada.email)).toContain('Changed since the last submission\nNothing has changed.');
});

test('a replacement is compared with the document that it replaces', async () => {
  const ada = await workflow.space.member('admin');
  const { code } = await workflow.approvedBy([ada], { field_schema: SCHEMA });
  const { id } = await workflow.draft(code, { data_values: { customer: 'Acme', price: 100 } });
  await workflow.put(id, 'executed', { executed_at: new Date(), finalized_at: new Date() });
  const { body } = await workflow.screen.post(`${ORG_DOCUMENTS}/${id}/replacement`, { data_values: { customer: null } });
  expect((await workflow.submit(body.id as string)).status).toBe(200);
  const mail = await newestMail(ada.email);
  expect(mail).toContain('Changed since the document that this one replaces');
  expect(mail).toContain('Customer: Acme → empty');
});
