import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApp, startApp } from '../../../../../test/harness/hosted-app.js';
import type { ApiResponse, Client } from '../../../../../test/harness/client.js';
import { eventually } from '../../../../../test/harness/eventually.js';
import type { Workspace } from '../../../../../test/harness/workspace.js';
import { makeType } from '../../testing/document-types.js';

const SUMMARIZE = '/api/v1/ext/papers/ai/summarize';
const RISKS = '/api/v1/ext/papers/ai/risks';
const CREDITS = '/api/v1/org/papers/ai/credits';
const DOCUMENTS = '/api/v1/ext/papers/documents';
const TEXT = 'The Customer shall indemnify the Supplier against all claims.';

const app = await sharedApp();
let space: Workspace;
let api: Client;

beforeEach(async () => {
  space = await app.workspace();
  api = (await space.key({ module: 'documents', project_id: space.eng.id })).client;
});

const kinds = async () =>
  (
    await app.sql.query<{ kind: string }>('SELECT kind FROM ai_credit_entries WHERE organization_id = $1 ORDER BY id', [
      space.organizationId,
    ])
  ).rows.map(({ kind }) => kind);
const errorOf = ({ status, body }: ApiResponse) => [status, body.error?.code];

it('without a model the built-in provider serves live calls at the same price', async () => {
  const { body } = await api.post(RISKS, { raw_text: TEXT, perspective: 'customer' });
  expect(body).toMatchObject({
    provider: 'deterministic',
    model: 'rules-1',
    cached: false,
    credits: { charged: 2, balance: 998, would_charge: null },
  });
  expect(body.risks).toContainEqual(
    expect.objectContaining({ title: 'One-sided indemnity', severity: 'high', quote: TEXT, location: { start: 0, end: TEXT.length } }),
  );
});

it('only the body of a document is analyzed, without page header and footer', async () => {
  const { code } = await makeType(app, space.ctx(), {
    template: '# Indemnity & more\n\nThe **Customer** shall indemnify the Supplier\nagainst all claims & losses.\n\n- One\n- Two\n',
  });
  const {
    body: { id },
  } = await api.post(DOCUMENTS, { type_code: code, title: 'DRAFT of ours' });
  const { body } = await api.post(RISKS, { document_id: id, perspective: 'supplier' });
  expect(body).toMatchObject({
    document_id: id,
    risks: expect.arrayContaining([
      expect.objectContaining({ severity: 'low', quote: 'The Customer shall indemnify the Supplier against all claims & losses.' }),
    ]),
  });
  expect((await api.post(SUMMARIZE, { document_id: id })).body.summary).not.toContain('DRAFT');
});

it('the plain text of a document contains the quotes of its risks', async () => {
  const { code } = await makeType(app, space.ctx(), {
    template: '# Terms\n\nA preamble with *emphasis*.\n\n| | |\n|---|---|\n| Fee | ten |\n\nThe Customer shall indemnify the Supplier.\n',
  });
  const {
    body: { id },
  } = await api.post(DOCUMENTS, { type_code: code, title: 'Terms' });
  const { headers, text } = await api.get(`${DOCUMENTS}/${id}/content?format=text`);
  expect(headers).toMatchObject({
    'content-type': expect.stringMatching(/^text\/plain; ?charset=utf-8$/i),
    'cache-control': 'no-store',
    'content-disposition': expect.stringContaining('.txt'),
  });
  expect(text).toBe('# Terms\n\nA preamble with emphasis.\n\nFee: ten\n\nThe Customer shall indemnify the Supplier.');
  const {
    body: { risks },
  } = await api.post(RISKS, { document_id: id, perspective: 'customer' });
  const { quote, location } = risks.find(({ title }: { title: string }) => title === 'One-sided indemnity');
  expect(text.slice(location.start, location.end)).toBe(quote);
});

describe('with a test key', () => {
  beforeEach(async () => {
    api = (await space.key({ module: 'documents', mode: 'test' })).client;
  });

  it('the built-in provider responds, nothing is charged, and would_charge has the live price', async () => {
    const { body } = await api.post(RISKS, { raw_text: TEXT, perspective: 'customer' });
    expect(body).toMatchObject({ provider: 'deterministic', cached: false, credits: { charged: 0, balance: 1_000, would_charge: 2 } });
    expect(body.risks).toContainEqual(expect.objectContaining({ title: 'One-sided indemnity', severity: 'high', quote: TEXT }));
    expect((await api.post(RISKS, { raw_text: TEXT, perspective: 'customer' })).body).toMatchObject({
      cached: true,
      credits: { charged: 0, would_charge: 0 },
    });
    expect(await kinds()).toEqual([]);
  });

  it('scenarios simulate failures', async () => {
    const failed = await api.post(SUMMARIZE, { raw_text: TEXT }, { 'svc-test-scenario': 'ai_execution_failed' });
    const lacking = await api.post(SUMMARIZE, { raw_text: TEXT }, { 'svc-test-scenario': 'insufficient_credits' });
    expect([failed, lacking].map(errorOf)).toEqual(Array(2).fill([502, 'ai_execution_failed']));
    expect([failed, lacking].map(({ body }) => body.error.details?.[0]?.code)).toEqual([undefined, 'insufficient_credits']);
  });

  it('live results stay in live mode', async () => {
    const live = (await space.key({ module: 'documents' })).client;
    await live.post(SUMMARIZE, { raw_text: TEXT });
    expect((await api.post(SUMMARIZE, { raw_text: TEXT })).body.cached).toBe(false);
  });
});

describe('a type with automatic analyses', () => {
  const audit = async (id: string) =>
    (
      await app.sql.query<{ action: string; status: string; error: string | null; detail: object }>(
        `SELECT action, status, error, detail FROM document_audit_entries
         WHERE document_id = $1 AND action LIKE 'papers.ai_%' ORDER BY action`,
        [id],
      )
    ).rows;
  const submitted = async () => {
    const { code } = await makeType(app, space.ctx(), { template: TEXT, ai_auto_run: ['summary', 'risks'] });
    const {
      body: { id },
    } = await api.post(DOCUMENTS, { type_code: code, title: 'Agreement' });
    return { id: id as string, submission: await api.post(`${DOCUMENTS}/${id}/submit`, {}) };
  };

  it('runs them in jobs after the submission', async () => {
    const { id, submission } = await submitted();
    expect(submission.status).toBe(200);
    const rows = await eventually(
      () => audit(id),
      ({ length }) => length === 2,
    );
    expect(rows).toMatchObject([
      { action: 'papers.ai_risks', status: 'completed', detail: { overall_severity: 'medium' } },
      { action: 'papers.ai_summary', status: 'completed' },
    ]);
    // a later call gets the same result free of charge
    expect((await api.post(RISKS, { document_id: id })).body).toMatchObject({ cached: true, credits: { charged: 0, balance: 997 } });
  });

  it('without credits records the failure and does not retry', async () => {
    await app.sql.query('INSERT INTO ai_credit_accounts (id, organization_id, balance) VALUES (gen_random_uuid(), $1, 0)', [
      space.organizationId,
    ]);
    const { id } = await submitted();
    const rows = await eventually(
      () => audit(id),
      ({ length }) => length === 2,
    );
    expect(rows.map(({ status, error }) => [status, /credits and 0 are left/.test(error ?? '')])).toEqual(Array(2).fill(['failed', true]));
  });
});

describe('the credits', () => {
  it('can be read and granted only with the setup permission', async () => {
    const { email } = await space.member('member');
    const screen = await space.signIn(email);
    for (const reply of [
      await screen.get(CREDITS),
      await screen.get(`${CREDITS}/entries`),
      await screen.post(`${CREDITS}/grants`, { amount: 1 }),
    ])
      expect(errorOf(reply)).toEqual([403, 'permission_denied']);
  });

  it('start with an initial grant, written once even under concurrent grants, without a rejected insert', async () => {
    // PostgreSQL counts the inserts of all organizations of a database
    const own = await startApp();
    try {
      const screen = await (await own.workspace()).signIn();
      const account = { object: 'ai_credit_account', balance: 1_000, reserved: 0, available: 1_000 };
      expect((await screen.get(CREDITS)).body).toMatchObject(account);
      const kinds = async () => (await own.sql.query('SELECT kind FROM ai_credit_entries WHERE amount = 1000')).rows;
      expect(await kinds()).toEqual([]);
      await Promise.all(Array.from({ length: 5 }, () => screen.post(`${CREDITS}/grants`, { amount: 1 })));
      expect((await screen.get(CREDITS)).body).toMatchObject({ ...account, balance: 1_005, available: 1_005 });
      expect(await kinds()).toEqual([{ kind: 'grant' }]);
      // connections report their statistics at the end of a transaction that comes a second or more after the last report
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      const rejected = async () => {
        await Promise.all(Array.from({ length: 10 }, () => screen.post(`${CREDITS}/grants`, { amount: 1 })));
        const { rows } = await own.sql.query<{ n: number }>(
          `SELECT n_tup_ins::int - (SELECT count(*)::int FROM ai_credit_accounts) AS n
           FROM pg_stat_user_tables WHERE relname = 'ai_credit_accounts'`,
        );
        return rows[0].n;
      };
      expect(await eventually(rejected, (n) => n >= 0)).toBe(0);
    } finally {
      await own.close();
    }
  });
});

it('proposes obligations from the dates of a document, which a member confirms or dismisses', async () => {
  const template =
    '# Services\n\nThe Customer shall pay the fee of EUR 1,000.00 by 1 March 2099.\n\n' +
    'The Supplier shall deliver the software on 15 May 2099.\n\n' +
    'This agreement is effective as of 1 January 2099.\n\nThe first instalment was payable on 1 March 2019.';
  const { code } = await makeType(app, space.ctx(), { template });
  const { id } = (await api.post(DOCUMENTS, { type_code: code, title: 'Agreement' })).body;
  const obligations = async () => (await api.get(`${DOCUMENTS}/${id}/obligations`)).body.data;
  for (const force of [false, true]) expect((await api.post(SUMMARIZE, { document_id: id, force })).status).toBe(200);
  const [payment, delivery, ...others] = await obligations();
  expect([payment, delivery, others]).toMatchObject([
    { kind: 'payment', due_on: '2099-03-01', status: 'proposed', source: 'ai', title: 'Payment due: Agreement' },
    { kind: 'delivery', due_on: '2099-05-15', status: 'proposed', source: 'ai' },
    [],
  ]);
  const events = async () =>
    (
      await app.sql.query(`SELECT 1 FROM outbox_events WHERE organization_id = $1 AND type = 'paper.obligation_created'`, [
        space.organizationId,
      ])
    ).rowCount;
  expect(await events()).toBe(0);

  const screen = await space.signIn();
  const act = (one: { id: string }, action: string, body: object = {}) =>
    screen.post(`/api/v1/org/papers/obligations/${one.id}/${action}`, body);
  expect(errorOf(await act(payment, 'complete'))).toEqual([400, 'invalid_transition']);
  const responsible = { side: 'counterparty', name: 'Ada', email: 'ada@example.com' };
  const confirmed = await act(payment, 'confirm', {
    title: 'Yearly fee',
    kind: 'other',
    due_on: '2099-03-02',
    responsible,
    reminder_days: [7],
  });
  expect([confirmed.status, confirmed.body]).toMatchObject([
    200,
    { status: 'pending', source: 'ai', title: 'Yearly fee', due_on: '2099-03-02', responsible, reminder_days: [7] },
  ]);
  expect(await events()).toBe(1);
  expect(errorOf(await act(payment, 'confirm'))).toEqual([400, 'invalid_transition']);
  expect((await act(delivery, 'cancel')).body.status).toBe('cancelled');
  // neither comes back
  await api.post(SUMMARIZE, { document_id: id, force: true });
  expect((await obligations()).map(({ status }: { status: string }) => status)).toEqual(['pending', 'cancelled']);
});
