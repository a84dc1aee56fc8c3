import { describe, expect, test } from '@jest/globals';
import { dayText } from '../../../kit/index.js';
import { Books, ORG_ACCOUNTING } from '../testing/accounting-fixture.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';

const app = await sharedApp();
const today = new Date().toISOString().slice(0, 10);
const inDays = (days: number) => new Date(Date.parse(today) + days * 86_400_000 + 12 * 3_600_000);
const dayIn = (days: number) => inDays(days).toISOString().slice(0, 10);

describe('imports', () => {
  const csv = { 'content-type': 'text/csv' };

  test('one file twice, and rows twice in one file: one set of entries, repeats named', async () => {
    const books = await Books.open(app);
    const rows = [
      'external_id,on,memo,account,debit_amount,credit_amount',
      `a,${today},Rent,6000,9000,`,
      `a,${today},Rent,1100,,9000`,
      `b,${today},Cash,1000,500,`,
      `b,${today},Cash,1000,500,`,
      `b,${today},Cash,1100,,500`,
      `a,${today},Rent,6000,9000,`,
      `a,${today},Rent,1100,,9000`,
      `c,${today},Wrong,6000,100,`,
      `c,${today},Wrong,1100,,99`,
      `d,${today},Wrong,nothing,100,`,
      `d,${today},Wrong,1100,,100`,
      `e,${today},Wrong,6000,100,`,
      `e,not a day,Wrong,1100,,100`,
    ];
    const send = (query = '') =>
      books.screen.post(`${ORG_ACCOUNTING}/imports/journal-entries?project_id=${books.project}${query}`, rows.join('\n'), csv);
    const named = (body: { errors: { row: number; code: string; param: string | null }[] }) =>
      body.errors.map(({ row, code, param }) => `${row} ${code} ${param}`);
    const errors = [
      '4 duplicate external_id',
      '6 duplicate external_id',
      '7 duplicate external_id',
      '8 entry_unbalanced lines',
      '9 entry_unbalanced null',
      '10 validation_failed account',
      '11 validation_failed null',
      '12 validation_failed null',
      '13 validation_failed on',
    ];
    const dry = await send('&dry_run=true');
    expect(dry.body).toMatchObject({ object: 'accounting_import', dry_run: true, rows: 13, imported: 4, failed: 9 });
    expect((await books.get('/journal-entries')).data).toEqual([]);
    const first = await send();
    expect([named(dry.body), named(first.body)]).toEqual([errors, errors]);
    const again = await send();
    expect(again.body).toMatchObject({ imported: 0, failed: 13 });
    expect(named(again.body).slice(0, 3)).toEqual(['1 duplicate external_id', '2 duplicate external_id', '3 duplicate external_id']);
    expect(await books.balances(today)).toEqual({ '1000': 500, '1100': -9_500, '6000': 9_000 });
  });

  test('customers and drafts of invoices', async () => {
    const books = await Books.open(app);
    const send = (kind: string, rows: string[]) =>
      books.screen.post(`${ORG_ACCOUNTING}/imports/${kind}?project_id=${books.project}`, rows.join('\n'), csv);
    const customers = [
      'external_id,name,email',
      'n,Nordlys,billing@nordlys.example',
      'n,Nordlys,billing@nordlys.example',
      'x,Broken,no mail',
    ];
    expect((await send('customers', customers)).body).toMatchObject({
      imported: 1,
      errors: [
        { row: 2, code: 'duplicate', message: 'external_id is that of row 1' },
        { row: 3, code: 'validation_failed', param: 'email' },
      ],
    });
    const invoices = [
      'external_id;customer;description;quantity;unit_amount;tax;memo',
      'i-1;n;Consulting;1.5;10000;VAT19;Thank you',
      'i-1;n;Travel;1;5000;VAT7;',
      'i-2;nobody;Consulting;1;1;VAT19;',
      'i-3;n;Consulting;1;1;VAT99;',
    ];
    expect((await send('invoices', invoices)).body).toMatchObject({
      rows: 4,
      imported: 2,
      failed: 2,
      errors: [
        { row: 3, param: 'customer' },
        { row: 4, param: 'tax' },
      ],
    });
    const { data } = await books.get('/invoices?external_id=i-1');
    expect(data).toMatchObject([{ status: 'draft', memo: 'Thank you', totals: { net_amount: 20_000, tax_amount: 3_200 } }]);
  });
});

describe('a file of a spreadsheet', () => {
  const send = (books: Books, file: string, query: string) =>
    books.screen.post(
      `${ORG_ACCOUNTING}/imports/journal-entries?project_id=${books.project}${query}`,
      Buffer.from(file, 'latin1') as never,
      {
        'content-type': 'text/csv',
      },
    );
  const [year, month, day] = today.split('-');
  const file = [
    'external_id;on;memo;account;debit_amount;credit_amount',
    `a;${day}.${month}.${year};Büromöbel;6000;1.234,50;`,
    `a;${day}.${month}.${year};Büromöbel;1100;;1.234,50`,
    ';;;;;',
    ';;;Summe;1.234,50;1.234,50',
    `b;${day}.${month}.${year};Miete;6000;900,00;`,
    `b;${day}.${month}.${year};"Miete" Juli;6000;1,00;`,
    `b;${day}.${month}.${year};Miete;1100;;900,00`,
    `c;${day}.${month}.${year};Miete;6000;900,00;`,
    `c;${day}.${month}.${year};Miete;1100;;900,00`,
    ';;;;;',
  ].join('\r\n');

  test('posts amounts in major units to the cent, and a row refuses only its own record', async () => {
    const books = await Books.open(app);
    for (const isDryRun of [true, false]) {
      const { body } = await send(books, file, `&locale=de-DE&amounts=major&dry_run=${isDryRun}`);
      expect(body).toMatchObject({ rows: 8, imported: 4, failed: 4, encoding: 'windows-1252', delimiter: 'semicolon', locale: 'de-DE' });
      expect([...new Set((body.errors as { row: number }[]).map(({ row }) => row))]).toEqual([3, 4, 5, 6]);
      expect(body.errors.find(({ row }: { row: number }) => row === 4).message).toBe('The record was not imported because of row 5.');
    }
    expect(await books.balances(today)).toEqual({ '1100': -213_450, '6000': 213_450 });
  });

  test('with amounts such as 900.00 posts nothing unless it declares them', async () => {
    const books = await Books.open(app);
    const rows = ['external_id,on,memo,account,debit_amount,credit_amount', `r,${today},Rent,6000,900.00,`, `r,${today},Rent,1100,,900.00`];
    const { body } = await send(books, rows.join('\n'), '');
    expect(body).toMatchObject({ imported: 0, failed: 2, errors: [{ param: 'debit_amount' }, { param: 'credit_amount' }] });
    expect(body.errors[0].message).toContain('12000 for 120.00 EUR or 120 for 120 JPY');
    expect((await send(books, rows.join('\n'), '&amounts=major')).body).toMatchObject({ imported: 2, failed: 0 });
    expect(await books.balances(today)).toEqual({ '1100': -90_000, '6000': 90_000 });
  });
});

describe('by time', () => {
  test('an invoice becomes overdue once, and its customer is reminded by the steps until it is paid', async () => {
    const books = await Books.open(app);
    const email = `billing-${books.project}@nordlys.example`;
    const step = (after_days: number) => ({
      after_days,
      subject: `Step ${after_days}: {NUMBER}`,
      text: '{CUSTOMER} owes {BALANCE} since {DUE_ON}.',
    });
    const settings = `${ORG_ACCOUNTING}/settings/${books.project}`;
    const descending = await books.screen.patch(settings, { dunning_steps: [step(7), step(7)] });
    expect(descending.body.error.param).toBe('dunning_steps.1.after_days');
    await books.screen.patch(settings, { dunning_steps: [step(3), step(7), step(14)] });
    const customer = await books.customer({ email, payment_terms_days: 0 });
    const { id, number } = await books.issue(await books.draft(customer.id, [[12_345, 'ZERO']]));
    const run = async (days: number) => {
      for (const job of ['find_overdue', 'send_reminders']) await app.runScheduledJob(`accounting.${job}`, inDays(days));
    };
    const mails = async () =>
      (await app.sql.query<{ subject: string; text: string }>('SELECT subject, text FROM mails WHERE recipient = $1 ORDER BY id', [email]))
        .rows;
    await run(0);
    expect(await mails()).toEqual([]);
    await run(8);
    await run(8);
    expect(await mails()).toEqual([
      {
        subject: `Step 7: ${String(number)}`,
        text: expect.stringContaining(`Nordlys Outdoor AS owes €123.45 since ${dayText(today)}.\n\nInvoice: `),
      },
    ]);
    expect(await books.invoice(id)).toMatchObject({ reminders_sent: 2 });
    const overdue = `
      SELECT count(*)::int AS count FROM outbox_events WHERE type = 'invoice.overdue' AND body::jsonb #>> '{data,object,id}' = $1`;
    expect((await app.sql.query(overdue, [id])).rows).toEqual([{ count: 1 }]);
    await books.post(`/invoices/${id}/payments`, { amount: 12_345, paid_on: today });
    await run(20);
    expect(await mails()).toHaveLength(1);
    const late = await books.draft(customer.id, [[100, 'ZERO']], { issued_on: today, due_on: today });
    await books.issue(late);
    // the due date passes at midnight where the project is
    await app.sql.query(`UPDATE projects SET timezone = 'Pacific/Kiritimati' WHERE id = $1`, [books.project]);
    const isTomorrow = new Date().getUTCHours() >= 10;
    expect(((await books.get('/invoices?overdue=true')).data as unknown[]).length).toBe(isTomorrow ? 1 : 0);
  });

  test('the recount reports a seeded difference, and notes when it is gone', async () => {
    const books = await Books.open(app);
    const months = [dayIn(-80), dayIn(-40)];
    for (const month of months) await books.entry(month, '1100', '3000', 1_000);
    for (const month of months) expect((await books.period(month, 'close')).status).toBe(200);
    // what SQL changes while triggers are off
    const seed = (sql: string) => app.sql.query(`BEGIN; SET LOCAL session_replication_role = replica; ${sql}; COMMIT`);
    const { id } = await books.issue(await books.draft((await books.customer()).id, [[500, 'ZERO']]));
    const paid = await books.post(`/invoices/${id}/payments`, { amount: 600, paid_on: today, excess: 'credit' });
    const reported = async () => {
      await app.runScheduledJob('accounting.recount');
      const { body } = await books.screen.get(`${ORG_ACCOUNTING}/differences?project_id=${books.project}&resolved=false`);
      return (body.data as { subject: string; stored: string; computed: string }[])
        .map((row) => [row.subject, row.stored, row.computed])
        .sort();
    };
    expect(await reported()).toEqual([]);
    const bank = books.ids['1100'];
    const lastMonth = `account_id = '${bank}' AND month = date_trunc('month', date '${months[1]}')`;
    await seed(`UPDATE accounting_balances SET debit_amount = debit_amount + 5 WHERE ${lastMonth}`);
    await seed(`UPDATE accounting_payments SET unallocated_amount = 90 WHERE id = '${paid.id}'`);
    const firstMonth = `date_trunc('month', date '${months[0]}')`;
    await seed(`DELETE FROM accounting_balances WHERE account_id = '${books.ids['3000']}' AND month = ${firstMonth}`);
    expect(await reported()).toEqual([
      ['account_balance', '0', '-1000'],
      ['account_balance', '2005', '2000'],
      ['payment_unallocated', '90', '100'],
    ]);
    await seed(`UPDATE accounting_balances SET debit_amount = debit_amount - 5 WHERE ${lastMonth}`);
    await seed(`
      INSERT INTO accounting_balances
      SELECT organization_id, project_id, ${firstMonth}, account_id, 0, 1000
      FROM accounting_balances WHERE account_id = '${books.ids['3000']}'`);
    expect(await reported()).toEqual([['payment_unallocated', '90', '100']]);
  });

  test('test rows can be erased although they were posted; live rows stay', async () => {
    const books = await Books.open(app);
    const trial = await Books.open(app, { workspace: books.workspace, mode: 'test' });
    for (const some of [books, trial]) {
      const { id } = await some.issue(await some.draft((await some.customer()).id, [[500, 'VAT19']]));
      const paid = await some.post(`/invoices/${id}/payments`, { amount: 600, paid_on: today, excess: 'credit' });
      await some.post(`/invoices/${id}/credit-notes`, { reason: 'Returned' });
      await some.post(`/payments/${paid.id}/reverse`, { reason: 'Returned' });
      await some.post(`/journal-entries/${(await some.entry(today, '1100', '3000', 5)).id}/reverse`);
    }
    const { rows } = await app.sql.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
      books.workspace.organizationId,
    ]);
    const testData = '/api/v1/org/developer/test-data';
    const { body: erasure } = await books.screen.post(`${testData}/erase`, { organization_name: rows[0].name });
    const ended = await eventually(
      async () => (await books.screen.get(`${testData}/erasures/${erasure.id as string}`)).body,
      ({ status }) => status !== 'running',
    );
    expect(ended).toMatchObject({ status: 'done', deleted: { accounting: expect.any(Number) } });
    expect([(await trial.get('/invoices')).data, (await trial.get('/journal-entries')).data]).toEqual([[], []]);
    expect((await books.get('/invoices')).data).toHaveLength(2);
  });

  test('a won deal makes its contact a customer, once', async () => {
    const books = await Books.open(app);
    await books.screen.patch(`${ORG_ACCOUNTING}/settings/${books.project}`, { deal_customers: true });
    const { client: crm } = await books.workspace.key({ module: 'crm', project_id: books.project });
    const contact = { full_name: 'Ada Lovelace', company_name: 'Analytical Engines', email: 'Ada@engines.example' };
    const { id: contact_id } = (await crm.post('/api/v1/ext/crm/contacts', contact)).body;
    for (const title of ['First', 'Second'])
      await crm.post('/api/v1/ext/crm/deals', { title, currency: 'EUR', status: 'won', contact_ids: [contact_id] });
    const jobs = `SELECT 1 FROM jobs WHERE organization_id = $1 AND name = 'accounting.hear_event' AND status = 'due'`;
    await eventually(
      async () => (await app.sql.query(jobs, [books.workspace.organizationId])).rows.length,
      (count) => count === 0,
    );
    const { data } = await books.get('/customers?email=ada@ENGINES.example');
    expect(data).toMatchObject([{ name: 'Analytical Engines', contact_id, email: 'Ada@engines.example' }]);
  });
});
