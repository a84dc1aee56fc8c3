import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { sharedMailApp } from '../../../../../../test/harness/hosted-app.js';
import { party, SigningFixture } from '../../../testing/signing-fixture.js';
import { EN } from '../../../pages/texts/en.js';

const { app, mailbox } = await sharedMailApp();
const signing = await SigningFixture.open(app, mailbox);

const both = [party('customer'), party('supplier')];

describe('the signing page', () => {
  test('shows the document to anyone with the link, without external requests or caching', async () => {
    const { id, customer, supplier } = await signing.sent(both, { signing_days: 3, template: 'Between {{customer}} and {{supplier}}.' });
    await signing.delivered(customer, supplier);
    const link = await signing.link(customer);
    const { version } = await signing.workflow.read(id);
    const { status, headers, text } = await signing.visitor.get(link);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'no-store, no-transform',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
    });
    const nonces = [...text.matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce);
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'self' 'nonce-${nonces[0]}'; img-src 'self'; connect-src 'self'; font-src 'self'; ` +
        `script-src 'nonce-${nonces[0]}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(text).toContain('<h1>Please sign: Agreement &amp; &lt;terms&gt;</h1>');
    for (const part of [EN.sign.consent, 'Grace Hopper', '(Customer, you)', 'Sign by', 'has not signed', `href="${link}/pdf"`])
      expect(text).toContain(part);
    expect(text).not.toContain(customer);
    const after = await signing.workflow.read(id);
    expect([await signing.statuses(id), after.version]).toEqual([{ customer: 'viewed', supplier: 'invited' }, version + 1]);
    await signing.visitor.get(link);
    expect((await signing.workflow.read(id)).version).toBe(version + 1);
    const pdf = await signing.visitor.get(`${link}/pdf`);
    expect([
      pdf.headers['content-type'],
      pdf.headers['cache-control'],
      createHash('sha256')
        .update(pdf.body as Buffer)
        .digest('hex'),
    ]).toEqual(['application/pdf', 'no-store, no-transform', after.content_sha256]);
  });

  test('is 404 for an unknown or malformed token', async () => {
    for (const token of ['x', `${'A'.repeat(43)}`, `${'A'.repeat(42)}%00`, "' OR 1=1 --"])
      expect((await signing.visitor.get(`/s/${encodeURIComponent(token)}`)).status).toBe(404);
  });

  test('rejects a typed name that the certificate cannot print', async () => {
    const { id, customer } = await signing.sent();
    const link = await signing.link(customer);
    const rejected = await signing.sign(link, { typed_name: '𓀀𓀁 𓀂' });
    expect([rejected.status, await signing.statuses(id)]).toEqual([400, expect.not.objectContaining({ customer: 'signed' })]);
    expect(rejected.text).toContain(
      'Your name has characters that cannot be printed: 𓀀 𓀁 𓀂. Type it in Latin letters, or draw it instead.',
    );
    expect((await signing.sign(link, { typed_name: 'Željko Ωμέγα' })).status).toBe(303);
    expect(await signing.statuses(id)).toEqual({ customer: 'signed' });
  });

  test('shows errors next to their fields and keeps the entered values', async () => {
    const { id, customer } = await signing.sent();
    const link = await signing.link(customer);
    const empty = await signing.post(`${link}/sign`, { kind: 'typed', typed_name: '  ', drawing: '' });
    expect(empty.status).toBe(400);
    for (const part of [
      'role="alert"',
      'href="#typed_name"',
      'href="#consent"',
      'id="typed_name_error"',
      'aria-invalid="true" aria-describedby="typed_name_error"',
    ])
      expect(empty.text).toContain(part);
    const unticked = await signing.sign(link, { typed_name: '"><script>alert(1)</script>', consent: '' });
    expect(unticked.text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    for (const drawing of ['', 'data:image/svg+xml;base64,PHN2Zz4=', `data:image/png;base64,${Buffer.from('no png').toString('base64')}`]) {
      expect((await signing.sign(link, { kind: 'drawn', drawing })).text).toContain('id="kind_drawn_error"');
    }
    expect((await signing.post(`${link}/decline`, { reason: ' ' })).text).toContain('href="#reason"');
    expect((await signing.workflow.read(id)).state).toBe('sent');
  });
});

describe('declining', () => {
  test('declines the document for all parties, and notifies the sender and the signers of the reason', async () => {
    const { id, customer, supplier } = await signing.sent([...both, party('customer', { key: 'later', order: 2 })]);
    const [first, second] = [await signing.link(customer), await signing.link(supplier)];
    const signed = await signing.sign(first);
    const declined = await signing.post(`${second}/decline`, { reason: 'Clause 4 <is> wrong.' });
    expect([declined.status, declined.text.includes('You have declined to sign')]).toEqual([200, true]);
    expect([(await signing.workflow.read(id)).state, await signing.statuses(id)]).toEqual([
      'declined',
      { customer: 'signed', supplier: 'declined', later: 'cancelled' },
    ]);
    expect((await signing.workflow.events(id)).slice(-2)).toEqual(['paper.state_changed declined', 'paper.declined']);
    const { rows } = await app.sql.query(
      `SELECT body::jsonb #> '{data,context}' AS context, body::jsonb #>> '{request,id}' AS request FROM outbox_events
       WHERE type IN ('paper.signed', 'paper.declined') AND body::jsonb #>> '{data,object,id}' = $1 ORDER BY sequence`,
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
    for (const to of [customer, signing.workflow.space.owner.email])
      expect((await mailbox.newest(to, 'Declined')).text).toContain('Clause 4 <is> wrong.');
    expect(await signing.goneReason(second)).toBe('You have declined to sign this document.');
    expect(await signing.goneReason(first)).toBe('Another party has declined to sign this document.');
    const { text: ended } = await signing.visitor.get(first);
    for (const part of [
      '<dd>Grace Hopper (Supplier)</dd>',
      `href="mailto:${signing.workflow.space.owner.email}"`,
      'href="/verify"',
      '<dt>When</dt>',
    ])
      expect(ended).toContain(part);
  });

  test('is not possible for a party that has signed', async () => {
    const { id, customer } = await signing.sent(both);
    const link = await signing.link(customer);
    await signing.sign(link);
    const response = await signing.post(`${link}/decline`, { reason: 'I think otherwise now.' });
    expect([response.status, response.text.includes('you can no longer decline it')]).toEqual([400, true]);
    expect((await signing.workflow.read(id)).state).toBe('partially_signed');
  });

  test('and signing concurrently: exactly one succeeds', async () => {
    const { id, customer } = await signing.sent();
    const link = await signing.link(customer);
    const [signed, declined] = await Promise.all([signing.sign(link), signing.post(`${link}/decline`, { reason: 'No.' })]);
    const { state } = await signing.workflow.read(id);
    expect([
      ['executed', 303, 400],
      ['declined', 410, 200],
    ]).toContainEqual([state, signed.status, declined.status]);
  });
});

describe('a code by a second mail', () => {
  const otp = [party('customer', { auth: 'otp' })];
  const codeOf = async (to: string, count = 1) =>
    (/is (\d{6})\./.exec((await mailbox.newest(to, 'Your code', count)).text) as RegExpExecArray)[1];
  const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

  test('is required to sign and to decline, and is valid once', async () => {
    const { id, customer } = await signing.sent(otp);
    const link = await signing.link(customer);
    expect((await signing.sign(link)).text).toContain('Request a code first');
    expect((await signing.post(`${link}/decline`, { reason: 'No.' })).text).toContain('id="decline_code_error"');
    expect((await signing.post(`${link}/code`, {})).status).toBe(303);
    expect((await signing.visitor.get(link)).text).toContain('We have sent you a code.');
    const code = await codeOf(customer);
    expect((await signing.sign(link, { code: wrong(code) })).text).toContain('The code is wrong.');
    expect((await signing.sign(link, { code: ` ${code.slice(0, 3)} ${code.slice(3)}`, consent: '' })).text).toContain('id="consent_error"');
    expect((await signing.sign(link, { code: ` ${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(303);
    expect((await signing.workflow.read(id)).state).toBe('executed');
  });

  test('is sent at most once a minute and becomes invalid after five wrong attempts or ten minutes', async () => {
    const { id, customer } = await signing.sent(otp);
    const link = await signing.link(customer);
    const later = (minutes: number) =>
      app.sql.query(`UPDATE signature_parties SET otp_expires_at = otp_expires_at - make_interval(mins => $2) WHERE document_id = $1`, [
        id,
        minutes,
      ]);
    await signing.post(`${link}/code`, {});
    const early = await signing.post(`${link}/code`, {});
    expect([early.status, early.text.includes('less than a minute ago')]).toEqual([400, true]);
    const first = await codeOf(customer);
    const tries = await Promise.all(Array.from({ length: 5 }, () => signing.sign(link, { code: wrong(first) })));
    expect(tries.filter(({ text }) => text.includes('there were too many attempts')).length).toBe(1);
    expect((await signing.sign(link, { code: first })).text).toContain('Request a code first');
    await later(2);
    await signing.post(`${link}/code`, {});
    const second = await codeOf(customer, 2);
    await later(10);
    expect((await signing.sign(link, { code: second })).text).toContain('Request a code first');
    expect((await signing.workflow.read(id)).state).toBe('sent');
  });

  test('cannot be guessed by requesting new codes repeatedly', async () => {
    const { id, customer } = await signing.sent(otp);
    const link = await signing.link(customer);
    await app.sql.query('UPDATE signature_parties SET otp_failures = 24 WHERE document_id = $1', [id]);
    await signing.post(`${link}/code`, {});
    await app.sql.query(`UPDATE signature_parties SET otp_expires_at = now() WHERE document_id = $1`, [id]);
    expect((await signing.post(`${link}/code`, {})).text).toContain('Too many wrong codes');
  });
});
