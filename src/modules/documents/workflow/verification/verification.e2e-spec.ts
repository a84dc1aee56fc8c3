import { createHash } from 'node:crypto';
import { PDFDocument } from '@cantoo/pdf-lib';
import { beforeAll, expect, test } from '@jest/globals';
import { sharedMailApp } from '../../../../../test/harness/hosted-app.js';
import { party, SigningFixture } from '../../testing/signing-fixture.js';

const { app, mailbox } = await sharedMailApp();
const signing = await SigningFixture.open(app, mailbox);
const { workflow, visitor } = signing;

let id: string;
let customer: string;
let executed: Buffer;
let final: Buffer;
beforeAll(async () => {
  const sent = await signing.sent([party('customer')]);
  ({ id, customer } = sent);
  const link = await signing.link(sent.customer);
  final = (await visitor.get(`${link}/pdf`)).body as Buffer;
  await signing.sign(link);
  executed = (await visitor.get(`${link}/pdf`)).body as Buffer;
});

const sha256 = (pdf: Buffer) => createHash('sha256').update(pdf).digest('hex');

async function verify(pdf: Buffer) {
  const headers = { 'content-type': 'application/pdf' };
  const response = await fetch(`${app.url}/api/v1/public/verify`, { method: 'POST', headers, body: new Uint8Array(pdf) });
  return { status: response.status, body: await response.json() };
}

async function onPage(pdf: Buffer | null, language = 'en'): Promise<{ status: number; text: string }> {
  const form = new FormData();
  if (pdf) form.set('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), 'agreement.pdf');
  form.set('language', language);
  const response = await fetch(`${app.url}/verify`, { method: 'POST', body: form });
  return { status: response.status, text: await response.text() };
}

test('an executed file is unchanged, with its parties, seal and evidence', async () => {
  const { status, body } = await verify(executed);
  const { number } = await workflow.read(id);
  const { rows } = await app.sql.query(`SELECT evidence_sha256 FROM signature_parties WHERE document_id = $1`, [id]);
  expect([status, body]).toEqual([
    200,
    {
      object: 'verification',
      sha256: sha256(executed),
      bytes: executed.length,
      verdict: 'unchanged',
      document: {
        organization: expect.stringMatching(/^Organization/),
        number,
        file: null,
        is_executed: true,
        completed_at: expect.any(String),
        state: 'executed',
        is_test: false,
        parties: [{ label: 'Customer', name: 'Ada Lovelace', email: 'c***@example.com', signed_at: expect.any(String) }],
        evidence: 'intact',
        evidence_chain: [
          { label: null, sha256: sha256(final), is_intact: true },
          { label: 'Customer', sha256: rows[0].evidence_sha256, is_intact: true },
        ],
      },
      problem: null,
      signatures: [
        {
          signer: expect.any(String),
          kind: 'signature',
          signed_at: expect.any(String),
          is_intact: true,
          covers_file: true,
          is_own_seal: true,
          later_changes: 'none',
          certificate: {
            subject: expect.stringMatching(/CN=/),
            issuer: expect.stringMatching(/CN=/),
            valid_from: expect.any(String),
            valid_until: expect.any(String),
          },
          time_stamp: null,
        },
      ],
    },
  ]);
  const page = await onPage(executed);
  expect(page.status).toBe(200);
  for (const part of [
    'This file is unchanged',
    'All parties have signed this file',
    number,
    'all hashes agree',
    'covers the whole file',
    'seal of this server',
    'Hash before it',
    rows[0].evidence_sha256,
  ])
    expect(page.text).toContain(part);
  expect(page.text).not.toContain(customer);
  expect((await onPage(executed, 'de')).text).toContain('Diese Datei ist unverändert');
});

test('what was added to a file is told, and so is a change within it', async () => {
  const added = Buffer.concat([executed, Buffer.from('\n9 0 obj\n<< /Extra true >>\nendobj\n%%EOF\n')]);
  const { body } = await verify(added);
  expect(body).toMatchObject({
    verdict: 'changed',
    document: { is_executed: true },
    signatures: [{ is_intact: true, covers_file: false, is_own_seal: true, later_changes: 'other' }],
  });
  expect((await onPage(added)).text).toContain('This file was changed');

  const altered = Buffer.from(executed);
  // within a stream of the first page
  const at = altered.indexOf('stream') + 40;
  altered[at] ^= 1;
  expect((await verify(altered)).body).toMatchObject({
    verdict: 'altered',
    document: null,
    signatures: [{ is_intact: false, is_own_seal: false }],
  });
  const { text } = await onPage(altered);
  expect(text).toContain('at least one signature in it no longer fits');
  expect(text).toContain('not valid: what it covers was changed');
});

test('the file that was to be signed, and foreign files, are told apart', async () => {
  expect((await verify(final)).body).toMatchObject({
    verdict: 'unchanged',
    document: { is_executed: false, completed_at: null, parties: [], evidence: 'none' },
    signatures: [],
  });
  const foreign = await PDFDocument.create();
  foreign.addPage().drawText('Elsewhere');
  const elsewhere = Buffer.from(await foreign.save());
  expect((await verify(elsewhere)).body).toMatchObject({ verdict: 'unknown', document: null, problem: null, signatures: [] });
  expect((await onPage(elsewhere)).text).toContain('A print, a scan or a copy that another program saved is another file');
  // more than the bodies of other routes may have
  const nothing = Buffer.from('%PDF-1.7 and then nothing'.padEnd(2 * 1024 * 1024));
  expect((await verify(nothing)).body).toMatchObject({
    verdict: 'unreadable',
    document: null,
    problem: 'The file cannot be read.',
    signatures: [],
  });
  const page = (await onPage(nothing)).text;
  expect([page.includes('This file cannot be read'), page.includes('has no signature or seal')]).toEqual([true, false]);
  const half = elsewhere.subarray(0, elsewhere.length - 60);
  expect((await verify(half)).body).toMatchObject({ verdict: 'unreadable', problem: 'The file is not complete: its end is missing.' });
  // objects in encrypted streams are not seen
  foreign.encrypt({ ownerPassword: 'owner', permissions: {} });
  const encrypted = Buffer.from(await foreign.save({ useObjectStreams: true }));
  expect((await verify(encrypted)).body).toMatchObject({ verdict: 'unreadable', problem: 'The file is encrypted.', signatures: [] });
});

test('what is no PDF, is missing or is too large is refused, and nothing is stored', async () => {
  const count = async () => {
    const sql = `SELECT count(*)::int AS count FROM document_audit_entries WHERE organization_id = $1`;
    return (await app.sql.query(sql, [workflow.space.organizationId])).rows[0].count;
  };
  const before = await count();
  const wrong = await verify(Buffer.from('<html>'));
  expect([wrong.status, wrong.body.error.param]).toEqual([400, 'file']);
  expect((await onPage(Buffer.from('<html>'))).text).toContain('This file is not a PDF.');
  expect(await onPage(null)).toMatchObject({ status: 400, text: expect.stringContaining('Choose a file first.') });
  const large = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(12 * 1024 * 1024)]);
  expect(await verify(large)).toMatchObject({ status: 413, body: { error: { message: expect.stringContaining('12582912 bytes') } } });
  expect(await onPage(large)).toMatchObject({ status: 413, text: expect.stringContaining('The file is too large.') });
  expect((await visitor.get('/verify')).text).toContain('<input type="file" name="file"');
  const german = await visitor.get('/verify', { 'accept-language': 'xx,de-CH;q=0.9' });
  expect(german.text).toContain('name="language" value="de"');
  expect(await count()).toBe(before);
});

test('changed facts break the evidence; a revoked document says so', async () => {
  expect((await workflow.move(id, 'revoke', { comments: 'Agreed' })).status).toBe(200);
  expect((await onPage(executed)).text).toContain('revoked by the sender');
  await app.sql.query(`UPDATE signature_parties SET address = '192.0.2.1' WHERE document_id = $1`, [id]);
  expect((await verify(executed)).body.document).toMatchObject({
    evidence: 'broken',
    state: 'revoked',
    evidence_chain: [{ is_intact: true }, { is_intact: false }],
  });
});
