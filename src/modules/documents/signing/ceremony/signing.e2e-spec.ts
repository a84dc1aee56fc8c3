import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestApp, type TestApp } from '../../../../../test/kit/app.js';
import type { Answer } from '../../../../../test/kit/client.js';
import { Mailbox } from '../../../../../test/kit/mailbox.js';
import { poppler } from '../../../../../test/kit/poppler.js';
import { party, SigningDesk } from '../../../../../test/kit/signing-desk.js';
import { CONSENT_TEXT } from './signature-form.js';

const tools = poppler();
let app: TestApp;
let mailbox: Mailbox;
let desk: SigningDesk;

beforeAll(async () => {
  mailbox = await Mailbox.start();
  app = await createTestApp({ env: mailbox.env });
  desk = await SigningDesk.open(app, mailbox);
}, 60_000);
afterAll(async () => {
  await app.close();
  await mailbox.stop();
});

const statuses = async (id: string) =>
  Object.fromEntries(
    (await desk.papers.read(id)).signature.parties.map(({ key, status }: { key: string; status: string }) => [key, status]),
  );
const both = [party('customer'), party('supplier')];
const gone = async (link: string): Promise<string> => {
  const answers = [
    await desk.visitor.get(link),
    await desk.visitor.get(`${link}/pdf`),
    await desk.sign(link),
    await desk.post(`${link}/decline`, { reason: 'x' }),
    await desk.post(`${link}/code`, {}),
  ];
  expect(answers.map(({ status }) => status)).toEqual([410, 410, 410, 410, 410]);
  expect(answers[0].headers['content-type']).toBe('text/html; charset=utf-8');
  return (/<p>([^<]*)<\/p>/.exec(answers[0].text) as RegExpExecArray)[1];
};

describe('sending', () => {
  test('mails each party of the first turn a link of its own, and stores no token', async () => {
    const { id, customer, supplier } = await desk.sent([party('customer'), party('supplier', { order: 2 })], { signing_days: 14 });
    const { text, subject } = await mailbox.newest(customer, 'Please sign');
    expect(subject).toBe('Please sign: Agreement & <terms>');
    expect(text).toContain('Hello Ada Lovelace');
    const link = await desk.link(customer);
    await desk.delivered(customer);
    expect(await statuses(id)).toEqual({ customer: 'invited', supplier: 'waiting' });
    const { rows } = await app.sql.query<{ token_hash: string | null; row: string }>(
      'SELECT token_hash, p::text AS row FROM signature_parties p WHERE document_id = $1 ORDER BY turn',
      [id],
    );
    const token = link.slice('/s/'.length);
    expect(rows.map(({ token_hash }) => token_hash)).toEqual([createHash('sha256').update(token).digest('hex'), null]);
    expect(rows[0].row).not.toContain(token);
    expect(mailbox.received.filter(({ to }) => to === supplier)).toEqual([]);
    expect(await desk.papers.events(id)).toEqual([
      'paper.created',
      'paper.state_changed finalized',
      'paper.finalized',
      'paper.state_changed sent',
      'paper.sent',
    ]);
    const { deadline_at } = (await desk.papers.read(id)).signature;
    expect(Math.abs(Date.parse(deadline_at) - Date.now() - 14 * 86_400_000)).toBeLessThan(60_000);
  });

  test('names every address and name that the document lacks, and sends nothing', async () => {
    const { code } = await desk.papers.type({
      field_schema: {
        type: 'object',
        properties: {
          customer: { type: 'string' },
          customer_email: { type: 'string' },
          supplier: { type: 'string' },
          supplier_email: { type: 'string' },
        },
      },
      signature_parties: both,
    });
    const { id } = await desk.papers.draft(code, { data_values: { customer: 'Ada', supplier: 'Grace', supplier_email: 'no address' } });
    await desk.papers.org(id, 'finalize');
    const refused = await desk.papers.org(id, 'send');
    expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([
      400,
      'missing_fields',
      'data_values.customer_email',
    ]);
    expect(refused.body.error.details.map(({ param, code: problem }: Record<string, string>) => [param, problem])).toEqual([
      ['data_values.customer_email', 'missing'],
      ['data_values.supplier_email', 'invalid_value'],
    ]);
    expect([(await desk.papers.read(id)).state, await desk.papers.mails(id)]).toEqual(['finalized', []]);
  });

  test('is refused for a type that names nobody who signs, and before the document is finalized', async () => {
    const { id } = await desk.finalized([]);
    expect((await desk.papers.org(id, 'send')).body.error).toMatchObject({
      code: 'invalid_transition',
      message: expect.stringContaining('names nobody who signs'),
    });
    const { code } = await desk.papers.type({ signature_parties: [party('customer')] });
    const draft = await desk.papers.draft(code);
    expect((await desk.papers.org(draft.id, 'send')).body.error.code).toBe('invalid_transition');
  });

  test('with a key runs by TRANSITION', async () => {
    const { id, customer } = await desk.finalized();
    const sent = await desk.papers.move(id, 'send');
    expect([sent.status, sent.body.state]).toEqual([200, 'sent']);
    expect(await desk.link(customer)).toMatch(/^\/s\//);
  });
});

describe('the signing page', () => {
  test('shows the document to whoever has the link, and nobody else asks for or keeps anything', async () => {
    const { id, customer, supplier } = await desk.sent(both, { signing_days: 3, template: 'Between {{customer}} and {{supplier}}.' });
    await desk.delivered(customer, supplier);
    const link = await desk.link(customer);
    const { version } = await desk.papers.read(id);
    const { status, headers, text } = await desk.visitor.get(link);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
    });
    const nonces = [...text.matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce);
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'nonce-${nonces[0]}'; script-src 'nonce-${nonces[0]}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(text).toContain('<h1>Please sign: Agreement &amp; &lt;terms&gt;</h1>');
    for (const part of [CONSENT_TEXT, 'Grace Hopper', '(Customer, you)', 'Sign by', 'has not signed', `href="${link}/pdf"`])
      expect(text).toContain(part);
    expect(text).not.toContain(customer);
    const after = await desk.papers.read(id);
    expect([await statuses(id), after.version]).toEqual([{ customer: 'viewed', supplier: 'invited' }, version + 1]);
    await desk.visitor.get(link);
    expect((await desk.papers.read(id)).version).toBe(version + 1);
    const pdf = await desk.visitor.get(`${link}/pdf`);
    expect([
      pdf.headers['content-type'],
      pdf.headers['cache-control'],
      createHash('sha256')
        .update(pdf.body as Buffer)
        .digest('hex'),
    ]).toEqual(['application/pdf', 'no-store', after.content_sha256]);
  });

  test('is not there for a token that is unknown or none', async () => {
    for (const token of ['x', `${'A'.repeat(43)}`, `${'A'.repeat(42)}%00`, "' OR 1=1 --"])
      expect((await desk.visitor.get(`/s/${encodeURIComponent(token)}`)).status).toBe(404);
  });

  test('does not take a typed name that the certificate could not show', async () => {
    const { id, customer } = await desk.sent();
    const link = await desk.link(customer);
    const refused = await desk.sign(link, { typed_name: '田中 😀' });
    expect([refused.status, await statuses(id)]).toEqual([400, expect.not.objectContaining({ customer: 'signed' })]);
    expect(refused.text).toContain(
      'Your name has characters that cannot be printed: 田 中 😀. Type it in Latin letters, or draw it instead.',
    );
    expect((await desk.sign(link, { typed_name: 'Željko Ωμέγα' })).status).toBe(303);
    expect(await statuses(id)).toEqual({ customer: 'signed' });
  });

  test('says beside each field what is lacking, and keeps what was entered', async () => {
    const { id, customer } = await desk.sent();
    const link = await desk.link(customer);
    const empty = await desk.post(`${link}/sign`, { kind: 'typed', typed_name: '  ', drawing: '' });
    expect(empty.status).toBe(400);
    for (const part of [
      'role="alert"',
      'href="#typed_name"',
      'href="#consent"',
      'id="typed_name_error"',
      'aria-invalid="true" aria-describedby="typed_name_error"',
    ])
      expect(empty.text).toContain(part);
    const unticked = await desk.sign(link, { typed_name: '"><script>alert(1)</script>', consent: '' });
    expect(unticked.text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    for (const drawing of ['', 'data:image/svg+xml;base64,PHN2Zz4=', `data:image/png;base64,${Buffer.from('no png').toString('base64')}`]) {
      expect((await desk.sign(link, { kind: 'drawn', drawing })).text).toContain('id="kind_drawn_error"');
    }
    expect((await desk.post(`${link}/decline`, { reason: ' ' })).text).toContain('href="#reason"');
    expect((await desk.papers.read(id)).state).toBe('sent');
  });
});

describe('a signature', () => {
  test('of one of two leaves the other, in turn, and the last one executes the document', async () => {
    const { id, customer, supplier } = await desk.sent([party('customer'), party('supplier', { order: 2 })], { validity_months: 12 });
    const first = await desk.link(customer);
    const signed = await desk.sign(first, { typed_name: 'Ada  Lovelace' });
    expect([signed.status, signed.headers.location, signed.text]).toEqual([303, first, '']);
    const page = await desk.visitor.get(first);
    expect(page.text).toContain('You have signed.');
    expect(page.text).not.toContain('<form');
    await desk.delivered(supplier);
    expect([(await desk.papers.read(id)).state, await statuses(id)]).toEqual([
      'partially_signed',
      { customer: 'signed', supplier: 'invited' },
    ]);

    const second = await desk.link(supplier);
    expect((await desk.sign(second, { typed_name: 'Grace Hopper' })).status).toBe(303);
    const document = await desk.papers.read(id);
    expect(document).toMatchObject({
      state: 'executed',
      executed_at: expect.any(String),
      valid_until_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(document.executed_at).toBe(document.signature.parties[1].signed_at);
    expect(await desk.papers.events(id)).toEqual([
      'paper.created',
      'paper.state_changed finalized',
      'paper.finalized',
      'paper.state_changed sent',
      'paper.sent',
      'paper.state_changed partially_signed',
      'paper.signed',
      'paper.state_changed executed',
      'paper.signed',
      'paper.fully_executed',
    ]);
    const { rows } = await app.sql.query<{ body: { actor: object; data: { context: object } } }>(
      `SELECT body::jsonb AS body FROM outbox_events WHERE type = 'paper.signed' AND body::jsonb #>> '{data,object,id}' = $1 ORDER BY sequence`,
      [id],
    );
    expect(rows.map(({ body }) => [body.actor, body.data.context])).toEqual([
      [
        { type: 'guest', id: null, email: customer },
        { party: { key: 'customer', name: 'Ada Lovelace', email: customer }, reason: null },
      ],
      [
        { type: 'guest', id: null, email: supplier },
        { party: { key: 'supplier', name: 'Grace Hopper', email: supplier }, reason: null },
      ],
    ]);

    const copies = [await desk.link(customer, 'Signed by all'), await desk.link(supplier, 'Signed by all')];
    const files = await Promise.all([...copies, `${first}/pdf`, `${second}/pdf`].map((path) => desk.visitor.get(path)));
    expect(files.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const file = files[0].body as Buffer;
    expect(files.every(({ body }) => (body as Buffer).equals(file))).toBe(true);
    const final = await app.sql.query<{ pdf: Buffer }>(`SELECT pdf FROM document_renditions WHERE document_id = $1 AND kind = 'final'`, [
      id,
    ]);
    expect(file.subarray(0, final.rows[0].pdf.length).equals(final.rows[0].pdf)).toBe(true);
    if (tools) {
      expect(tools.signatures(file)).toContain('Signature is Valid');
      expect(tools.signatures(file)).toContain('Total document signed');
      for (const part of ['Signature certificate', 'Ada Lovelace', 'Grace Hopper', customer, '127.0.0.1', 'Test browser'])
        expect(tools.text(file)).toContain(part);
    }
    expect((await desk.visitor.get(second)).text).toContain('All parties have signed.');
  });

  test('stands on record with consent, address, browser and a chain of evidence', async () => {
    const { id, customer, supplier } = await desk.sent(both);
    await desk.sign(await desk.link(supplier), { typed_name: 'Grace' });
    await desk.sign(await desk.link(customer));
    const { rows } = await app.sql.query<Record<string, unknown>>(
      'SELECT key, status, consent_text, address, user_agent, evidence_sha256, signature, signed_at FROM signature_parties WHERE document_id = $1 ORDER BY signed_at',
      [id],
    );
    expect(rows[0]).toMatchObject({
      key: 'supplier',
      status: 'signed',
      consent_text: CONSENT_TEXT,
      address: '127.0.0.1',
      user_agent: 'Test browser',
      signature: { kind: 'typed', text: 'Grace' },
    });
    const { content_sha256 } = await desk.papers.read(id);
    const link = (previous: string, row: Record<string, unknown>, name: string, label: string, email: string) =>
      createHash('sha256')
        .update(previous)
        .update(
          JSON.stringify({
            consent_text: CONSENT_TEXT,
            email,
            ip: '127.0.0.1',
            label,
            name,
            signature: { kind: 'typed', text: (row.signature as { text: string }).text },
            signed_at: (row.signed_at as Date).toISOString(),
            user_agent: 'Test browser',
          }),
        )
        .digest('hex');
    expect(rows[0].evidence_sha256).toBe(link(content_sha256, rows[0], 'Grace Hopper', 'Supplier', supplier));
    expect(rows[1].evidence_sha256).toBe(link(rows[0].evidence_sha256 as string, rows[1], 'Ada Lovelace', 'Customer', customer));
  });

  test('given twice counts once', async () => {
    const { id, customer } = await desk.sent(both);
    const link = await desk.link(customer);
    const answers = await Promise.all([desk.sign(link), desk.sign(link), desk.sign(link)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await desk.papers.events(id)).filter((type) => type === 'paper.signed').length).toBe(1);
  });

  test('of two at the same time counts for both, and one of them executes the document', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, customer, supplier } = await desk.sent(both);
      const links = [await desk.link(customer), await desk.link(supplier)];
      expect((await Promise.all(links.map((link) => desk.sign(link)))).map(({ status }) => status)).toEqual([303, 303]);
      const events = (await desk.papers.events(id)).slice(5);
      expect(events).toEqual([
        'paper.state_changed partially_signed',
        'paper.signed',
        'paper.state_changed executed',
        'paper.signed',
        'paper.fully_executed',
      ]);
      const { rows } = await app.sql.query(`SELECT 1 FROM document_renditions WHERE document_id = $1 AND kind = 'executed'`, [id]);
      expect(rows.length).toBe(1);
    }
  });

  test("in the middle of three changes no state, but the document's version", async () => {
    const three = [
      party('customer'),
      party('supplier'),
      party('supplier', { key: 'witness', label: 'Witness', email_from: 'customer_email', name_from: 'customer' }),
    ];
    const { id, customer, supplier } = await desk.sent(three);
    await desk.sign(await desk.link(customer));
    const { version } = await desk.papers.read(id);
    await desk.sign(await desk.link(supplier));
    expect((await desk.papers.events(id)).slice(5)).toEqual(['paper.state_changed partially_signed', 'paper.signed', 'paper.signed']);
    expect((await desk.papers.read(id)).version).toBeGreaterThan(version);
  });

  test('that is not required is not waited for, and its link ends', async () => {
    const { id, customer, supplier } = await desk.sent([party('customer'), party('supplier', { required: false })]);
    const [needed, optional] = [await desk.link(customer), await desk.link(supplier)];
    await desk.sign(needed);
    expect([(await desk.papers.read(id)).state, await statuses(id)]).toEqual(['executed', { customer: 'signed', supplier: 'cancelled' }]);
    expect(await gone(optional)).toBe('The document was completed without your signature.');
  });

  test('comes too late after the deadline, before any sweep has run', async () => {
    const { id, customer } = await desk.sent([party('customer')], { signing_days: 1 });
    const link = await desk.link(customer);
    await app.sql.query(`UPDATE documents SET signing_deadline_at = now() - interval '1 second' WHERE id = $1`, [id]);
    expect(await gone(link)).toContain('The time to sign this document is over.');
    expect((await desk.papers.read(id)).state).toBe('sent');
  });

  test('of the test mode is mailed to nobody and says that it has no effect', async () => {
    const key = await desk.papers.key({ mode: 'test' });
    const { code } = await desk.papers.type({
      field_schema: { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } },
      signature_parties: [party('customer')],
    });
    const { id } = await desk.papers.draft(code, { data_values: { customer: 'Tess', customer_email: 'tess@example.com' } }, key);
    for (const lifecycle_action of ['finalize', 'send']) expect((await desk.papers.move(id, lifecycle_action, {}, key)).status).toBe(200);
    const { rows } = await app.sql.query<{ text: string; status: string }>(
      `SELECT text, status FROM mails WHERE recipient = 'tess@example.com'`,
    );
    expect(rows.map(({ status }) => status)).toEqual(['suppressed']);
    const [link] = /\/s\/[\w-]{43}/.exec(rows[0].text) as RegExpExecArray;
    expect((await desk.visitor.get(link)).text).toContain('TEST: signatures have no effect');
    expect((await desk.sign(link)).status).toBe(303);
    const file = await desk.visitor.get(`${link}/pdf`);
    if (tools)
      expect(
        tools
          .text(file.body as Buffer)
          .split('\f')
          .slice(0, 2)
          .every((side) => side.includes('TEST')),
      ).toBe(true);
    expect(mailbox.received.filter(({ to }) => to === 'tess@example.com')).toEqual([]);
  });
});

describe('declining', () => {
  test('ends it for all, with the reason, and tells who sent it and those who signed', async () => {
    const { id, customer, supplier } = await desk.sent([...both, party('customer', { key: 'later', order: 2 })]);
    const [first, second] = [await desk.link(customer), await desk.link(supplier)];
    const signed = await desk.sign(first);
    const declined = await desk.post(`${second}/decline`, { reason: 'Clause 4 <is> wrong.' });
    expect([declined.status, declined.text.includes('You have declined to sign')]).toEqual([200, true]);
    expect([(await desk.papers.read(id)).state, await statuses(id)]).toEqual([
      'declined',
      { customer: 'signed', supplier: 'declined', later: 'cancelled' },
    ]);
    expect((await desk.papers.events(id)).slice(-2)).toEqual(['paper.state_changed declined', 'paper.declined']);
    const { rows } = await app.sql.query(
      `SELECT body::jsonb #> '{data,context}' AS context, body::jsonb #>> '{request,id}' AS request FROM outbox_events WHERE type IN ('paper.signed', 'paper.declined') AND body::jsonb #>> '{data,object,id}' = $1 ORDER BY sequence`,
      [id],
    );
    expect(rows).toEqual([
      {
        context: { party: { key: 'customer', name: 'Ada Lovelace', email: customer }, reason: null },
        request: signed.headers['request-id'],
      },
      {
        context: { party: { key: 'supplier', name: 'Grace Hopper', email: supplier }, reason: 'Clause 4 <is> wrong.' },
        request: declined.headers['request-id'],
      },
    ]);
    for (const to of [customer, desk.papers.space.owner.email])
      expect((await mailbox.newest(to, 'Declined')).text).toContain('Clause 4 <is> wrong.');
    expect(await gone(second)).toBe('You have declined to sign this document.');
    expect(await gone(first)).toBe('Another party has declined to sign this document.');
  });

  test('is not possible for who has signed', async () => {
    const { id, customer } = await desk.sent(both);
    const link = await desk.link(customer);
    await desk.sign(link);
    const answer = await desk.post(`${link}/decline`, { reason: 'I think otherwise now.' });
    expect([answer.status, answer.text.includes('you cannot decline it any more')]).toEqual([400, true]);
    expect((await desk.papers.read(id)).state).toBe('partially_signed');
  });

  test('and signing at the same time: one wins', async () => {
    const { id, customer } = await desk.sent();
    const link = await desk.link(customer);
    const [signed, declined] = await Promise.all([desk.sign(link), desk.post(`${link}/decline`, { reason: 'No.' })]);
    const { state } = await desk.papers.read(id);
    expect([
      ['executed', 303, 400],
      ['declined', 410, 200],
    ]).toContainEqual([state, signed.status, declined.status]);
  });
});

describe("a document that leaves the parties' hands", () => {
  test.each<[string, (id: string) => Promise<Answer>, string]>([
    ['is revoked', (id) => desk.papers.org(id, 'revoke', { reason: 'Wrong price.' }), 'The sender has withdrawn this document.'],
    [
      'is set back by hand',
      (id) => desk.papers.org(id, 'override', { to: 'finalized', reason: 'Wrong price.' }),
      'This document is no longer to be signed.',
    ],
    [
      'is made a draft by hand',
      (id) => desk.papers.org(id, 'override', { to: 'draft', reason: 'Wrong price.' }),
      'This link is no longer valid; if the document is sent again, you will get a new one.',
    ],
  ])('and %s: open parties are cancelled and their links end with a reason', async (_what, move, reason) => {
    const { id, customer } = await desk.sent(both);
    const link = await desk.link(customer);
    await desk.visitor.get(link);
    const moved = await move(id);
    expect(moved.status).toBe(200);
    const { rows } = await app.sql.query<{ status: string }>('SELECT status FROM signature_parties WHERE document_id = $1', [id]);
    expect(rows.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect(await gone(link)).toBe(reason);
  });

  test('and expires: open parties are cancelled; of an executed one all who signed keep their copy', async () => {
    const [late, old] = [
      await desk.sent([party('customer')], { signing_days: 1 }),
      await desk.sent([party('customer')], { validity_months: 1 }),
    ];
    const [lateLink, oldLink] = [await desk.link(late.customer), await desk.link(old.customer)];
    await desk.sign(oldLink);
    await app.sql.query(`UPDATE documents SET signing_deadline_at = now() - interval '1 second' WHERE id = $1`, [late.id]);
    await app.sql.query(`UPDATE documents SET valid_until_on = '2020-01-01' WHERE id = $1`, [old.id]);
    await app.runScheduledJob('documents.expire');
    expect([
      (await desk.papers.read(late.id)).state,
      await statuses(late.id),
      (await desk.papers.read(old.id)).state,
      await statuses(old.id),
    ]).toEqual(['expired', { customer: 'cancelled' }, 'expired', { customer: 'signed' }]);
    expect(await gone(lateLink)).toContain('The time to sign this document is over.');
    expect([(await desk.visitor.get(oldLink)).status, (await desk.visitor.get(`${oldLink}/pdf`)).status]).toEqual([200, 200]);
  });

  test('can be sent anew, with new links only', async () => {
    const { id, customer } = await desk.sent();
    const old = await desk.link(customer);
    await desk.papers.org(id, 'override', { to: 'finalized', reason: 'Sent too early.' });
    expect((await desk.papers.org(id, 'send')).status).toBe(200);
    expect((await desk.visitor.get(old)).status).toBe(404);
    expect((await desk.sign(await desk.link(customer, 'Please sign', 2))).status).toBe(303);
    expect((await desk.papers.read(id)).state).toBe('executed');
  });
});

describe('a code by a second mail', () => {
  const otp = [party('customer', { auth: 'otp' })];
  const codeOf = async (to: string, count = 1) =>
    (/is (\d{6})\./.exec((await mailbox.newest(to, 'Your code', count)).text) as RegExpExecArray)[1];
  const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

  test('is needed to sign and to decline, and is good for once', async () => {
    const { id, customer } = await desk.sent(otp);
    const link = await desk.link(customer);
    expect((await desk.sign(link)).text).toContain('Ask for a code first');
    expect((await desk.post(`${link}/decline`, { reason: 'No.' })).text).toContain('id="decline_code_error"');
    expect((await desk.post(`${link}/code`, {})).status).toBe(303);
    expect((await desk.visitor.get(link)).text).toContain('A code is on its way to you.');
    const code = await codeOf(customer);
    expect((await desk.sign(link, { code: wrong(code) })).text).toContain('The code is not right.');
    expect((await desk.sign(link, { code: ` ${code.slice(0, 3)} ${code.slice(3)}`, consent: '' })).text).toContain('id="consent_error"');
    expect((await desk.sign(link, { code: ` ${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(303);
    expect((await desk.papers.read(id)).state).toBe('executed');
  });

  test('is not sent twice in a minute, dies after five wrong tries and after ten minutes', async () => {
    const { id, customer } = await desk.sent(otp);
    const link = await desk.link(customer);
    const later = (minutes: number) =>
      app.sql.query(`UPDATE signature_parties SET otp_expires_at = otp_expires_at - make_interval(mins => $2) WHERE document_id = $1`, [
        id,
        minutes,
      ]);
    await desk.post(`${link}/code`, {});
    const early = await desk.post(`${link}/code`, {});
    expect([early.status, early.text.includes('less than a minute ago')]).toEqual([400, true]);
    const first = await codeOf(customer);
    const tries = await Promise.all(Array.from({ length: 5 }, () => desk.sign(link, { code: wrong(first) })));
    expect(tries.filter(({ text }) => text.includes('tried too often')).length).toBe(1);
    expect((await desk.sign(link, { code: first })).text).toContain('Ask for a code first');
    await later(2);
    await desk.post(`${link}/code`, {});
    const second = await codeOf(customer, 2);
    await later(10);
    expect((await desk.sign(link, { code: second })).text).toContain('Ask for a code first');
    expect((await desk.papers.read(id)).state).toBe('sent');
  });

  test('cannot be guessed by asking for ever new ones', async () => {
    const { id, customer } = await desk.sent(otp);
    const link = await desk.link(customer);
    await app.sql.query('UPDATE signature_parties SET otp_failures = 24 WHERE document_id = $1', [id]);
    await desk.post(`${link}/code`, {});
    await app.sql.query(`UPDATE signature_parties SET otp_expires_at = now() WHERE document_id = $1`, [id]);
    expect((await desk.post(`${link}/code`, {})).text).toContain('Too many wrong codes');
  });
});

describe('the parties on a screen', () => {
  test('are listed with what became of their invitations, and can be reminded by a new link', async () => {
    const { id, customer } = await desk.sent([party('customer'), party('supplier', { order: 2 })]);
    const old = await desk.link(customer);
    await desk.delivered(customer);
    const list = await desk.parties(id);
    expect(list.body.data).toMatchObject([
      { object: 'signature_party', key: 'customer', status: 'invited', invitation: { status: 'sent', error: null }, email: customer },
      { key: 'supplier', status: 'waiting', invitation: null },
    ]);
    const [first, second] = list.body.data as { id: string }[];
    const remind = (party_id: string, document = id) =>
      desk.papers.screen.post(`/api/v1/org/papers/documents/${document}/parties/${party_id}/remind`, {});
    const reminded = await remind(first.id);
    expect([reminded.status, reminded.body.status]).toEqual([200, 'waiting']);
    const link = await desk.link(customer, 'Please sign', 2);
    expect([(await desk.visitor.get(old)).status, (await desk.visitor.get(link)).status]).toEqual([404, 200]);
    expect((await remind(second.id)).body.error).toMatchObject({ code: 'invalid_transition' });
    const other = await desk.sent();
    expect((await remind(first.id, other.id)).status).toBe(404);
    await desk.sign(link);
    expect((await remind(first.id)).body.error.code).toBe('invalid_transition');
    expect(JSON.stringify((await desk.parties(id)).body)).not.toMatch(/token|otp|evidence/);
  });

  test('are for those who may see documents, of their own organisation', async () => {
    const { id } = await desk.sent();
    const foreign = await (await app.workspace()).signIn();
    expect((await desk.parties(id, foreign)).status).toBe(404);
  });
});
