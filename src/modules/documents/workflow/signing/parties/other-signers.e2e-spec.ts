import { describe, expect, test } from '@jest/globals';
import { sharedMailApp } from '../../../../../../test/harness/hosted-app.js';
import { poppler } from '../../../testing/poppler.js';
import { party, SigningFixture } from '../../../testing/signing-fixture.js';

const tools = poppler();
const { app, mailbox } = await sharedMailApp();
const signing = await SigningFixture.open(app, mailbox);

const DAY_MS = 86_400_000;

describe('another signer', () => {
  test('is asked instead; the link of the one before shows that and lets nobody sign', async () => {
    const { id, customer, supplier } = await signing.sent([party('customer'), party('supplier')]);
    const old = await signing.link(customer);
    const [{ id: partyId }] = (await signing.parties(id)).body.data as { id: string }[];
    const change = (body: object) => signing.workflow.screen.patch(`/api/v1/org/papers/documents/${id}/parties/${partyId}`, body);
    expect((await change({ name: 'Grace', email: supplier })).body.error).toMatchObject({ code: 'validation_failed', param: 'email' });
    const grace = `grace-${customer}`;
    const changed = await change({ name: 'Grace', email: grace });
    expect([changed.status, changed.body.email]).toEqual([200, grace]);
    expect(await signing.goneReason(old)).toBe('Another person was asked to sign this document instead of you.');
    await mailbox.newest(customer, 'No longer yours to sign');
    const page = await signing.visitor.get(await signing.link(grace));
    expect(page.text).toContain('(Customer, you, previously Ada Lovelace)');
    expect(page.text).toContain('it may still name Ada Lovelace. The certificate names who signed.');
    expect((await signing.sign(await signing.link(grace))).status).toBe(303);
    expect((await change({ name: 'Ada', email: customer })).body.error.code).toBe('invalid_transition');
  });

  test('is named by the signer, where the type allows it, and the sender is notified', async () => {
    const { customer } = await signing.sent([party('customer')]);
    expect(
      (await signing.post(`${await signing.link(customer)}/delegate`, { delegate_name: 'G', delegate_email: 'g@example.com' })).status,
    ).toBe(404);
    const { id, customer: ada, supplier } = await signing.sent([party('customer', { may_delegate: true }), party('supplier')]);
    const link = await signing.link(ada);
    for (const email of ['', 'nobody', ada, supplier])
      expect((await signing.post(`${link}/delegate`, { delegate_name: 'Grace', delegate_email: email })).text).toContain(
        'id="delegate_email_error"',
      );
    const passed = await signing.post(`${link}/delegate`, { delegate_name: 'Grace', delegate_email: `grace-${ada}` });
    expect([passed.status, passed.text]).toEqual([200, expect.stringContaining('Grace is asked by mail to sign instead of you.')]);
    await mailbox.newest(signing.workflow.space.owner.email, 'Passed on');
    expect((await mailbox.newest(`grace-${ada}`, 'Please sign')).text).toContain(`(${ada}) has passed the document on to you`);
    expect((await signing.sign(await signing.link(`grace-${ada}`))).status).toBe(303);
    expect((await signing.statuses(id)).customer).toBe('signed');
  });
});

test('links of earlier mails to a party work until it has signed, and then lead to the signed file', async () => {
  const { id, customer } = await signing.sent();
  const first = await signing.link(customer);
  const [{ id: partyId }] = (await signing.parties(id)).body.data as { id: string }[];
  expect((await signing.workflow.org(id, `parties/${partyId}/remind`)).status).toBe(200);
  const second = await signing.link(customer, 'Please sign (reminder)');
  expect((await signing.visitor.get(second)).status).toBe(200);
  expect((await signing.sign(first)).status).toBe(303);
  for (const link of [first, second]) expect((await signing.visitor.get(`${link}/pdf`)).headers['content-type']).toBe('application/pdf');
});

test('automatic reminders stop after as many as the settings say', async () => {
  const { customer } = await signing.sent();
  const settings = (body: object) => signing.workflow.screen.patch('/api/v1/org/papers/settings', body);
  expect((await settings({ reminder_days: 1, reminder_count: 2 })).status).toBe(200);
  for (let day = 1; day <= 4; day++) {
    await app.runScheduledJob('documents.remind_parties', new Date(Date.now() + day * DAY_MS + 60_000));
    await signing.delivered(customer);
  }
  expect(mailbox.received.filter(({ to, subject }) => to === customer && subject.startsWith('Please sign (reminder)'))).toHaveLength(2);
});

test('an executed file names the signer before, whom its final text names', async () => {
  const { id, customer } = await signing.sent([party('customer', { may_delegate: true })], {
    template: '{{customer}}\n\n{{#signature customer}}',
  });
  const grace = `grace-${customer}`;
  await signing.post(`${await signing.link(customer)}/delegate`, { delegate_name: 'Grace Hopper', delegate_email: grace });
  const [{ id: partyId }] = (await signing.parties(id)).body.data as { id: string }[];
  const corrected = { name: 'Grace B. Hopper', email: grace };
  await signing.workflow.screen.patch(`/api/v1/org/papers/documents/${id}/parties/${partyId}`, corrected);
  expect((await signing.sign(await signing.link(grace), { typed_name: 'G. B. Hopper' })).status).toBe(303);
  const [{ name, earlier_signers }] = (await signing.parties(id)).body.data;
  expect([name, earlier_signers]).toEqual([
    'Grace B. Hopper',
    [
      { name: 'Ada Lovelace', email: customer, replaced_by: 'party', replaced_at: expect.any(String) },
      { name: 'Grace Hopper', email: grace, replaced_by: 'sender', replaced_at: expect.any(String) },
    ],
  ]);
  const file = await signing.workflow.api.get(`/api/v1/ext/papers/documents/${id}/content?format=pdf`);
  const text = tools?.text(file.body as Buffer).replace(/\s+/g, ' ');
  if (text !== undefined)
    for (const part of ['Grace B. Hopper (previously Ada Lovelace)', `Ada Lovelace (${customer}), who passed the document on at`])
      expect(text).toContain(part);
});

test('the signer of a party is replaced 500 times at most', async () => {
  const { id, customer } = await signing.sent([party('customer', { may_delegate: true })]);
  const earlier = { name: 'Ada Lovelace', email: 'ada@example.com', replaced_by: 'party', replaced_at: '2026-11-21T09:30:00.000Z' };
  const set = (count: number) =>
    app.sql.query('UPDATE signature_parties SET earlier_signers = $2 WHERE document_id = $1', [
      id,
      JSON.stringify(Array.from({ length: count }, () => earlier)),
    ]);
  const [{ id: partyId }] = (await signing.parties(id)).body.data as { id: string }[];
  const replace = async (name: string) =>
    (await signing.workflow.screen.patch(`/api/v1/org/papers/documents/${id}/parties/${partyId}`, { name, email: customer })).body;
  await set(499);
  expect((await replace('Grace Hopper')).earlier_signers).toHaveLength(500);
  expect((await replace('Mary Shelley')).error.code).toBe('resource_conflict');
  const link = await signing.link(customer);
  const person = { delegate_name: 'Mary Shelley', delegate_email: `mary-${customer}` };
  expect((await signing.post(`${link}/delegate`, person)).status).toBe(404);
  await set(499);
  await signing.post(`${link}/delegate`, person);
  expect((await signing.parties(id)).body.data[0]).toMatchObject({ name: 'Mary Shelley', earlier_signers: { length: 500 } });
});

test('everyone who was ever asked to sign, and who approved, is notified that the document was revoked', async () => {
  const { workflow } = signing;
  const approver = await workflow.space.member('admin');
  const parties = [party('customer', { may_delegate: true }), party('supplier', { order: 2 })];
  const { id, customer, supplier } = await signing.sent(parties, {}, approver);
  const [grace, mary] = [`grace-${customer}`, `mary-${customer}`];
  await signing.post(`${await signing.link(customer)}/delegate`, { delegate_name: 'Grace', delegate_email: grace });
  const [{ id: partyId }] = (await signing.parties(id)).body.data as { id: string }[];
  await signing.link(grace);
  await workflow.screen.patch(`/api/v1/org/papers/documents/${id}/parties/${partyId}`, { name: 'Mary', email: mary });
  await signing.link(mary);
  expect((await workflow.org(id, 'revoke', { reason: 'A mistake' })).status).toBe(200);
  for (const to of [customer, grace, mary])
    expect((await mailbox.newest(to, 'Withdrawn: Agreement')).text).toContain('It can no longer be signed.');
  expect((await mailbox.newest(approver.email, 'Withdrawn: Agreement')).text).toContain('revoked a document that you approved.');
  // whose turn did not come knows nothing of the document
  expect(mailbox.received.filter(({ to }) => to === supplier)).toEqual([]);
});

test('pages and mails speak the language of the document, and look as the organization does', async () => {
  const { body } = await signing.workflow.screen.patch('/api/v1/org/papers/settings', {
    color: '#0F4C5C',
    logo: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  });
  expect(body).toMatchObject({ color: '#0f4c5c', logo: expect.stringMatching(/^\/papers\/logo\/[0-9a-f-]+\.png$/) });
  const { customer } = await signing.sent([party('customer')], { language: 'de-AT', signing_days: 3 });
  const { source } = await mailbox.newest(customer, 'Bitte unterschreiben');
  expect(source.replace(/=\r\n/g, '')).toContain('>Lesen und unterschreiben</a>');
  const page = await signing.visitor.get(await signing.link(customer, 'Bitte unterschreiben'));
  for (const part of ['<html lang="de-AT">', 'Zur Unterschrift', '--brand: #0f4c5c', body.logo as string])
    expect(page.text).toContain(part);
  const logo = await signing.visitor.get(body.logo as string);
  expect([logo.status, logo.headers['content-type']]).toEqual([200, 'image/png']);
  for (const [given, param] of [
    [{ logo: 'data:image/png;base64,AAAA' }, 'logo'],
    [{ color: 'teal' }, 'color'],
    [{ embed_origins: ['https://a.example', 'http://b.example'] }, 'embed_origins.1'],
  ] as const)
    expect((await signing.workflow.screen.patch('/api/v1/org/papers/settings', given)).body.error).toMatchObject({
      code: 'validation_failed',
      param,
    });
});

test('a link for a frame opens once, only where the settings allow, and lets the party sign', async () => {
  const { id, customer } = await signing.sent([party('customer'), party('supplier', { order: 2 })]);
  const { workflow, visitor } = signing;
  await workflow.screen.patch('/api/v1/org/papers/settings', { embed_origins: ['https://portal.example.com'] });
  const create = (body: object) => workflow.api.post(`/api/v1/ext/papers/documents/${id}/signing-link`, body);
  expect((await create({ party: 'nobody' })).body.error).toMatchObject({ param: 'party', code: 'validation_failed' });
  expect((await create({ party: 'supplier' })).body.error).toMatchObject({ param: 'party', code: 'invalid_transition' });
  const { status, body } = await create({ party: 'customer' });
  expect([status, body.object]).toEqual([201, 'signing_link']);
  const path = new URL(body.url as string).pathname;
  const opened = await Promise.all([visitor.get(path), visitor.get(path)]);
  expect(opened.map((one) => one.status).sort()).toEqual([303, 410]);
  const session = opened.find((one) => one.status === 303)?.headers.location as string;
  expect((await visitor.get(session)).headers['content-security-policy']).toContain('frame-ancestors https://portal.example.com');
  expect((await visitor.get(await signing.link(customer))).headers['content-security-policy']).toContain("frame-ancestors 'none'");
  const [{ id: partyId }] = (await signing.parties(id)).body.data as { id: string }[];
  const grace = { name: 'Grace', email: `grace-${customer}` };
  await workflow.screen.patch(`/api/v1/org/papers/documents/${id}/parties/${partyId}`, grace);
  // whoever opened it may not sign for the person who signs now
  expect(await signing.goneReason(session)).toBe('Another person was asked to sign this document instead of you.');
  expect((await visitor.get(session)).headers['content-security-policy']).toContain('frame-ancestors https://portal.example.com');
  const late = new URL((await create({ party: 'customer' })).body.url as string).pathname;
  await app.sql.query(`UPDATE signing_links SET expires_at = now() - interval '1 second' WHERE kind = 'embed' AND used_at IS NULL`);
  expect((await visitor.get(late)).status).toBe(410);
  const other = (await visitor.get(new URL((await create({ party: 'customer' })).body.url as string).pathname)).headers.location as string;
  expect((await signing.sign(other)).status).toBe(303);
  const [{ evidence }] = (await workflow.screen.get(`/api/v1/org/papers/documents/${id}/parties`)).body.data;
  expect(evidence).toEqual({
    authentication: 'embedded_link',
    link_made_by: expect.objectContaining({ type: 'api_key' }),
    field_values: {},
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect((await signing.statuses(id)).customer).toBe('signed');
});
