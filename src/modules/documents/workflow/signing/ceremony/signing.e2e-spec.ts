import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { sharedMailApp } from '../../../../../../test/harness/hosted-app.js';
import { poppler } from '../../../testing/poppler.js';
import { party, SigningFixture } from '../../../testing/signing-fixture.js';
import { EN } from '../../../pages/texts/en.js';

const tools = poppler();
const { app, mailbox } = await sharedMailApp();
const signing = await SigningFixture.open(app, mailbox);

const both = [party('customer'), party('supplier')];

describe('a signature', () => {
  test('of the first party invites the next, and the last signature executes the document', async () => {
    const { id, customer, supplier } = await signing.sent([party('customer'), party('supplier', { order: 2 })], { validity_months: 12 });
    const first = await signing.link(customer);
    const signed = await signing.sign(first, { typed_name: 'Ada  Lovelace' });
    expect([signed.status, signed.headers.location, signed.text]).toEqual([303, first, '']);
    const page = await signing.visitor.get(first);
    expect(page.text).toContain('You have signed.');
    expect(page.text).not.toContain('<form');
    await signing.delivered(supplier);
    expect([(await signing.workflow.read(id)).state, await signing.statuses(id)]).toEqual([
      'partially_signed',
      { customer: 'signed', supplier: 'invited' },
    ]);

    const second = await signing.link(supplier);
    expect((await signing.sign(second, { typed_name: 'Grace Hopper' })).status).toBe(303);
    const document = await signing.workflow.read(id);
    expect(document).toMatchObject({
      state: 'executed',
      executed_at: expect.any(String),
      valid_until_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(document.executed_at).toBe(document.signature.parties[1].signed_at);
    expect(await signing.workflow.events(id)).toEqual([
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
      `SELECT body::jsonb AS body FROM outbox_events
       WHERE type = 'paper.signed' AND body::jsonb #>> '{data,object,id}' = $1 ORDER BY sequence`,
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

    const copies = [await signing.link(customer, 'Signed by all'), await signing.link(supplier, 'Signed by all')];
    const files = await Promise.all([...copies, `${first}/pdf`, `${second}/pdf`].map((path) => signing.visitor.get(path)));
    expect(files.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const file = files[0].body as Buffer;
    expect(files.every(({ body }) => (body as Buffer).equals(file))).toBe(true);
    const final = await app.sql.query<{ pdf: Buffer }>(
      `SELECT o.bytes AS pdf FROM document_renditions r JOIN objects o ON o.id = r.pdf_object_id WHERE document_id = $1 AND kind = 'final'`,
      [id],
    );
    expect(file.subarray(0, final.rows[0].pdf.length).equals(final.rows[0].pdf)).toBe(true);
    if (tools) {
      expect(tools.signatures(file)).toContain('Signature is Valid');
      expect(tools.signatures(file)).toContain('Total document signed');
      for (const part of ['Signature certificate', 'Ada Lovelace', 'Grace Hopper', customer, '127.0.0.1', 'Test browser'])
        expect(tools.text(file)).toContain(part);
    }
    expect((await signing.visitor.get(second)).text).toContain('All parties have signed.');
  });

  test('stands where the template has its line, with the day beside it in the language of the document', async () => {
    const template = 'Signed on {{signed_on customer}} by\n\n{{#signature customer supplier}}';
    const { customer, supplier } = await signing.sent(both, { template, language: 'ja' });
    await signing.sign(await signing.link(customer), { typed_name: 'A. Lovelace' });
    await signing.sign(await signing.link(supplier), { typed_name: 'G. Hopper' });
    if (!tools) return;
    const file = (await signing.visitor.get(await signing.link(customer, 'Signed by all'))).body as Buffer;
    const [page, certificate] = tools.layout(file).split('\f');
    const today = new Intl.DateTimeFormat('ja', { dateStyle: 'medium' }).format();
    expect(page.replace(/\s+/g, ' ')).toContain(`Signed on ${today} by A. Lovelace G. Hopper Customer Supplier Ada Lovelace Grace Hopper`);
    expect(certificate).toContain('Page 2 of 2');
    expect(certificate.replace(/\s+/g, ' ')).toContain(`A secret link in a mail to ${supplier}`);
    expect(certificate.replace(/\s+/g, ' ')).toMatch(/The first [\d,]+ bytes of this file: page 1 as sent to the parties/);
  });

  test('is recorded with consent, address, browser and the evidence chain', async () => {
    const { id, customer, supplier } = await signing.sent(both);
    await signing.sign(await signing.link(supplier), { typed_name: 'Grace' });
    await signing.sign(await signing.link(customer));
    const { rows } = await app.sql.query<Record<string, unknown>>(
      `SELECT key, status, consent_text, address, user_agent, evidence_sha256, signature, signed_at
       FROM signature_parties WHERE document_id = $1 ORDER BY signed_at`,
      [id],
    );
    expect(rows[0]).toMatchObject({
      key: 'supplier',
      status: 'signed',
      consent_text: EN.sign.consent,
      address: '127.0.0.1',
      user_agent: 'Test browser',
      signature: { kind: 'typed', text: 'Grace' },
    });
    const { content_sha256 } = await signing.workflow.read(id);
    const link = (previous: string, row: Record<string, unknown>, name: string, label: string, email: string) =>
      createHash('sha256')
        .update(previous)
        .update(
          JSON.stringify({
            authentication: 'mailed_link',
            consent_text: EN.sign.consent,
            email,
            field_values: {},
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

  test('counts once if it is submitted several times', async () => {
    const { id, customer } = await signing.sent(both);
    const link = await signing.link(customer);
    const responses = await Promise.all([signing.sign(link), signing.sign(link), signing.sign(link)]);
    expect(responses.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await signing.workflow.events(id)).filter((type) => type === 'paper.signed').length).toBe(1);
  });

  test('of two parties at the same time counts for both, and one of them executes the document', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, customer, supplier } = await signing.sent(both);
      const links = [await signing.link(customer), await signing.link(supplier)];
      expect((await Promise.all(links.map((link) => signing.sign(link)))).map(({ status }) => status)).toEqual([303, 303]);
      const events = (await signing.workflow.events(id)).slice(5);
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

  test("of the second of three parties changes the document's version but not its state", async () => {
    const three = [
      party('customer'),
      party('supplier'),
      party('supplier', { key: 'witness', label: 'Witness', email_from: 'customer_email', name_from: 'customer' }),
    ];
    const { id, customer, supplier } = await signing.sent(three);
    await signing.sign(await signing.link(customer));
    const { version } = await signing.workflow.read(id);
    await signing.sign(await signing.link(supplier));
    expect((await signing.workflow.events(id)).slice(5)).toEqual(['paper.state_changed partially_signed', 'paper.signed', 'paper.signed']);
    expect((await signing.workflow.read(id)).version).toBeGreaterThan(version);
  });

  test('of an optional party does not delay the execution, and its link ends', async () => {
    const { id, customer, supplier } = await signing.sent([party('customer'), party('supplier', { required: false })]);
    const [needed, optional] = [await signing.link(customer), await signing.link(supplier)];
    await signing.sign(needed);
    expect([(await signing.workflow.read(id)).state, await signing.statuses(id)]).toEqual([
      'executed',
      { customer: 'signed', supplier: 'cancelled' },
    ]);
    expect(await signing.goneReason(optional)).toBe('The document was completed without your signature.');
  });

  test('is rejected after the deadline, even before the scheduled job has run', async () => {
    const { id, customer } = await signing.sent([party('customer')], { signing_days: 1 });
    const link = await signing.link(customer);
    await app.sql.query(`UPDATE documents SET signing_deadline_at = now() - interval '1 second' WHERE id = $1`, [id]);
    expect(await signing.goneReason(link)).toContain('The time to sign this document is over.');
    expect((await signing.workflow.read(id)).state).toBe('sent');
  });

  test('of the test mode sends no mail and states that it has no effect', async () => {
    const key = await signing.workflow.key({ mode: 'test' });
    const { code } = await signing.workflow.type({
      field_schema: { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } },
      signature_parties: [party('customer')],
    });
    const { id } = await signing.workflow.draft(code, { data_values: { customer: 'Tess', customer_email: 'tess@example.com' } }, key);
    for (const lifecycle_action of ['finalize', 'send'])
      expect((await signing.workflow.move(id, lifecycle_action, {}, key)).status).toBe(200);
    const { rows } = await app.sql.query<{ text: string; status: string }>(
      `SELECT text, status FROM mails WHERE organization_id = $1 AND recipient = 'tess@example.com'`,
      [signing.workflow.space.organizationId],
    );
    expect(rows.map(({ status }) => status)).toEqual(['suppressed']);
    const [link] = /\/s\/[\w-]{43}/.exec(rows[0].text) as RegExpExecArray;
    expect((await signing.visitor.get(link)).text).toContain('TEST: signatures have no effect');
    expect((await signing.sign(link)).status).toBe(303);
    const file = await signing.visitor.get(`${link}/pdf`);
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

describe('an executed document', () => {
  const executed = async () => {
    const { id, customer } = await signing.sent();
    const link = await signing.link(customer);
    expect((await signing.sign(link)).status).toBe(303);
    return { id, customer, link, copy: (await signing.link(customer, 'Signed by all')).replace(/\/pdf$/, '') };
  };
  const pdfOf = async (path: string, client = signing.workflow.api) => (await client.get(path)).body as Buffer;

  test('cannot be reopened or overridden in any later state', async () => {
    const { id } = await executed();
    const expectRejections = async () => {
      for (const to of ['draft', 'in_approval', 'approved', 'finalized', 'declined', 'expired', 'revoked', 'superseded']) {
        const { status, body } = await signing.workflow.org(id, 'override', { to, reason: 'The wrong person signed' });
        expect([to, status, body.error.code]).toEqual([to, 400, 'invalid_transition']);
        expect(body.error.message).toContain('An executed document is final');
      }
      expect((await signing.workflow.org(id, 'reopen')).body.error.code).toBe('invalid_transition');
    };
    const before = await signing.workflow.read(id);
    await expectRejections();
    expect(await signing.workflow.read(id)).toEqual(before);
    await app.sql.query(`UPDATE documents SET valid_until_on = '2020-01-01' WHERE id = $1`, [id]);
    await app.runScheduledJob('documents.expire');
    const expired = await signing.workflow.read(id);
    expect([expired.state, expired.executed_at]).toEqual(['expired', before.executed_at]);
    await expectRejections();
    const shown = await signing.workflow.screen.get(`/api/v1/org/papers/documents/${id}`);
    expect(shown.body.allowed_actions).toEqual(['supersede']);
  });

  test('is revoked or superseded, and the signers keep their copies', async () => {
    const [one, other] = [await executed(), await executed()];
    expect((await signing.workflow.read(one.id)).allowed_actions.sort()).toEqual(['revoke', 'supersede']);
    const signed = await pdfOf(`/api/v1/ext/papers/documents/${one.id}/content?format=pdf`);
    expect((await signing.workflow.move(one.id, 'revoke', { comments: 'Agreed with the customer.' })).body).toMatchObject({
      state: 'revoked',
    });
    const { type, data_values } = await signing.workflow.read(other.id);
    const replacement = await signing.workflow.draft(type.code, { data_values });
    expect((await signing.workflow.org(replacement.id, 'finalize')).status).toBe(200);
    const superseded = await signing.workflow.org(other.id, 'supersede', { superseded_by_id: replacement.id });
    expect(superseded.body).toMatchObject({ state: 'superseded', executed_at: expect.any(String) });
    for (const link of [one.link, one.copy]) {
      const page = await signing.visitor.get(link);
      expect([page.status, page.text.includes('The sender has since revoked the document.')]).toEqual([200, true]);
      expect((await pdfOf(`${link}/pdf`, signing.visitor)).equals(signed)).toBe(true);
    }
    expect((await signing.visitor.get(other.copy)).text).toContain('Another document has since replaced this one.');
  });

  test('is kept by the database, too', async () => {
    const { id } = await executed();
    for (const change of [`state = 'draft'`, 'executed_at = NULL', 'revision = 2'])
      await expect(app.sql.query(`UPDATE documents SET ${change} WHERE id = $1`, [id])).rejects.toThrow('is executed, which is final');
    await expect(app.sql.query(`DELETE FROM document_renditions WHERE document_id = $1`, [id])).rejects.toThrow('append-only');
  });

  test('of an earlier revision stays readable by its number and for its signers', async () => {
    const { id, link, copy } = await executed();
    const content = `/api/v1/ext/papers/documents/${id}/content`;
    const signed = await pdfOf(`${content}?format=pdf`);
    // Documents that were reopened before that became impossible.
    await app.sql.query(`
      ALTER TABLE documents DISABLE TRIGGER documents_keep_executed;
      UPDATE documents SET state = 'draft', lifecycle_stage = 'draft', revision = 2, executed_at = NULL, finalized_at = NULL,
        content_sha256 = NULL, title = 'Reopened', version = version + 1 WHERE id = '${id}';
      ALTER TABLE documents ENABLE TRIGGER documents_keep_executed`);
    expect((await signing.workflow.read(id)).revision).toBe(2);
    const org = content.replace('/ext/', '/org/');
    for (const [path, client] of [
      [content, signing.workflow.api],
      [org, signing.workflow.screen],
    ] as const) {
      expect((await pdfOf(`${path}?format=pdf&revision=1`, client)).equals(signed)).toBe(true);
      expect((await client.get(`${path}?revision=1`)).text).not.toContain('DRAFT');
      expect((await client.get(path)).text).toContain('DRAFT');
      expect((await client.get(`${path}?revision=2&format=text`)).status).toBe(200);
      const { status, body } = await client.get(`${path}?revision=3`);
      expect([status, body.error]).toMatchObject([400, { code: 'validation_failed', param: 'revision', allowed: ['1', '2'] }]);
    }
    for (const path of [link, copy]) {
      const page = await signing.visitor.get(path);
      expect([page.status, page.text.includes('The signed PDF is yours to keep.')]).toEqual([200, true]);
      expect([page.text.includes('<form'), page.text.includes('DRAFT')]).toEqual([false, false]);
      expect((await pdfOf(`${path}/pdf`, signing.visitor)).equals(signed)).toBe(true);
    }
    expect((await signing.sign(link)).status).toBe(410);
  });
});
