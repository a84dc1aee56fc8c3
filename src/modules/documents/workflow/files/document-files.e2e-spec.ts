import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { decodePDFRawStream, PDFDict, PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import { extractText, getDocumentProxy } from 'unpdf';
import { sharedMailApp } from '../../../../../test/harness/hosted-app.js';
import { BASE_FILES } from '../../testing/corpus/base-files.js';
import { faultsOf } from '../../testing/corpus/check.js';
import { Sender } from '../../testing/corpus/execution.js';
import { ownVariant } from '../../testing/corpus/variants.js';
import { party, SigningFixture } from '../../testing/signing-fixture.js';
import { formFieldsOf } from '../../engine/forms/form-fields.js';
import { seal } from '../../engine/sealing/seal.js';
import { keyFile } from '../../engine/sealing/seal-key.fixture.js';
import { certifiedForm } from '../../engine/sealing/certified.fixture.js';
import { signaturesOf } from '../../engine/signatures/signatures.js';
import { SEALABLE, UNSEALABLE } from '../../engine/trial/odd-files.fixture.js';

/** Files of the corpus, and a variant of each. What is signed or certified already is the subject of other tests here. */
const KINDS: readonly [name: string, variant: string | null][] = [
  ['structure', 'with streams of objects'],
  ['turned scan', null],
  ['standard fonts', 'encrypted with AES-256'],
  ['typst', 'with a wrong startxref'],
  ['form without appearances', 'turned by 180'],
  ['form to be drawn anew', 'behind other bytes'],
  ['turned form', 'encrypted with RC4'],
  ['tagged form with scripts', null],
];

const { app, mailbox } = await sharedMailApp();
const signing = await SigningFixture.open(app, mailbox);
const { workflow } = signing;

async function pdfOf(...pages: string[]): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (const text of pages) document.addPage([595, 842]).drawText(text, { x: 60, y: 760, size: 14 });
  return Buffer.from(await document.save());
}

async function textIn(pdf: Buffer): Promise<string[]> {
  return (await extractText(await getDocumentProxy(new Uint8Array(pdf)))).text;
}

const put = (path: string, body: Buffer) =>
  fetch(app.url + path, {
    method: 'PUT',
    headers: { ...workflow.screen.headers, 'content-type': 'application/pdf' },
    body: new Uint8Array(body),
  });

test('an existing PDF is sent with fields for the parties, and sealed with what they filled in', async () => {
  const { code } = await workflow.type({
    language: 'de',
    field_schema: { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } },
    signature_parties: [party('customer')],
  });
  const email = `filled-${Date.now()}@example.com`;
  const { id } = await workflow.draft(code, { title: 'Mietvertrag', data_values: { customer: 'Ada Lovelace', customer_email: email } });
  const path = `/api/v1/org/papers/documents/${id}/file`;
  expect((await workflow.screen.get(path)).status).toBe(404);
  for (const wrong of [Buffer.from('no PDF'), Buffer.alloc(0)]) expect((await put(path, wrong)).status).toBe(400);
  const file = await pdfOf('Lease of a flat', 'Second page');
  const uploaded = await put(path, file);
  expect([uploaded.status, await uploaded.json()]).toEqual([
    200,
    expect.objectContaining({ object: 'document_file', pages: 2, fields: [] }),
  ]);
  const at = (key: string, kind: string, y: number, over: object = {}) => ({
    key,
    party: 'customer',
    kind,
    page: 2,
    x: 0.1,
    y,
    w: 0.4,
    h: 0.05,
    ...over,
  });
  const place = (...fields: object[]) => workflow.screen.put(`${path}/fields`, { fields });
  for (const [field, param] of [
    [at('a', 'date', 0.1, { page: 3 }), 'fields.0.page'],
    [at('a', 'date', 0.1, { x: 0.7 }), 'fields.0.w'],
    [at('a', 'date', 0.98), 'fields.0.h'],
    [at('a', 'date', 0.1, { party: 'nobody' }), 'fields.0.party'],
    [at('a', 'text', 0.1), 'fields.0.label'],
    [at('a', 'stamp', 0.1), 'fields.0.kind'],
  ] as const)
    expect((await place(field)).body.error).toMatchObject({ code: 'validation_failed', param });
  expect((await place(at('a', 'date', 0.1), at('a', 'date', 0.2))).body.error.param).toBe('fields.1.key');
  const placed = await place(
    at('name', 'signature', 0.2),
    at('short', 'initials', 0.3),
    at('day', 'date', 0.4),
    at('place', 'text', 0.5, { label: 'Ort' }),
    at('note', 'text', 0.6, { label: 'Bemerkung', required: false, page: 1, w: 0.1, h: 0.02 }),
  );
  expect([placed.status, placed.body.fields.length]).toEqual([200, 5]);
  for (const action of ['submit', 'finalize', 'send']) expect((await workflow.org(id, action)).status).toBe(200);
  expect((await place()).body.error.code).toBe('invalid_transition');
  // others can have this file, too, and do not learn who sends it to be signed
  const headers = { 'content-type': 'application/pdf' };
  const verified = await fetch(`${app.url}/api/v1/public/verify`, { method: 'POST', headers, body: new Uint8Array(file) });
  expect(await verified.json()).toMatchObject({ verdict: 'unknown', document: null });
  await signing.delivered(email);
  const link = await signing.link(email, 'Bitte unterschreiben');
  const page = (await signing.visitor.get(link)).text;
  for (const part of ['Lease of a flat', 'Second page', 'name="fields.place"', 'Bemerkung']) expect(page).toContain(part);
  const problem = await signing.sign(link, { 'fields.place': ' ' });
  expect([problem.status, problem.text]).toEqual([400, expect.stringContaining('Ort: bitte ausfüllen.')]);
  const long = await signing.sign(link, { 'fields.place': 'Łódź', 'fields.note': '0123456789'.repeat(20) });
  expect([long.status, long.text]).toEqual([400, expect.stringContaining('Bemerkung: ist zu lang, um in seinem Feld')]);
  expect((await signing.sign(link, { 'fields.place': 'Łódź', 'fields.unknown': 'x', typed_name: 'Countess Lovelace' })).status).toBe(303);
  const sealed = Buffer.from(await (await fetch(`${app.url}${link}/pdf`)).arrayBuffer());
  expect(sealed.subarray(0, file.length).equals(file)).toBe(true);
  const [first, second] = await textIn(sealed);
  expect(first).toContain('Lease of a flat');
  const text = (await workflow.api.get(`/api/v1/ext/papers/documents/${id}/content?format=text`)).text;
  expect(text).toContain('Countess Lovelace, ');
  for (const part of ['Second page', 'Countess Lovelace', 'CL', String(new Date().getFullYear()), 'Łódź']) expect(second).toContain(part);
});

test('the form fields of a file are listed as they are when it is uploaded, and become part of its pages', async () => {
  const { code } = await workflow.type({ signature_parties: [] });
  const { id } = await workflow.draft(code, { title: 'Form' });
  const path = `/api/v1/org/papers/documents/${id}/file`;
  const form = await PDFDocument.create();
  const field = form.getForm().createTextField('tenant.name');
  field.setText('Ada');
  field.addToPage(form.addPage([400, 800]), { x: 40, y: 600, width: 200, height: 40, borderWidth: 0 });
  const place = { page: 1, x: 0.1, y: expect.closeTo(0.2), w: 0.5, h: expect.closeTo(0.05) };
  const expected = { name: 'tenant.name', kind: 'text', value: 'Ada', ...place };
  expect(await (await put(path, Buffer.from(await form.save()))).json()).toMatchObject({ form_fields: [expected] });
  expect((await workflow.screen.get(path)).body.form_fields).toEqual([expect.objectContaining(expected)]);
  expect(await (await put(path, await pdfOf('Another file'))).json()).toMatchObject({ form_fields: [] });
  await put(path, Buffer.from(await form.save()));
  for (const action of ['submit', 'finalize']) expect((await workflow.org(id, action)).status).toBe(200);
  const content = `/api/v1/ext/papers/documents/${id}/content?format=pdf`;
  const final = Buffer.from(await (await fetch(app.url + content, { headers: workflow.api.headers })).arrayBuffer());
  expect(await textIn(final)).toEqual(['Ada']);
  expect((await PDFDocument.load(final)).catalog.has(PDFName.of('AcroForm'))).toBe(false);
});

test('a signed PDF is signed by the parties as well, and its own signature stays valid', async () => {
  const { code } = await workflow.type({
    field_schema: { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } },
    signature_parties: [party('customer')],
  });
  const email = `signed-${Date.now()}@example.com`;
  const { id } = await workflow.draft(code, { title: 'Offer', data_values: { customer: 'Ada Lovelace', customer_email: email } });
  const path = `/api/v1/org/papers/documents/${id}/file`;
  const options = { ...keyFile(), reason: '', location: '', name: 'Agency', signingTime: new Date('2026-02-11T10:00:00Z') };
  const offer = await seal(await pdfOf('An offer'), options);
  const earlier = {
    signer: 'Seal of the test',
    signed_at: '2026-02-11T10:00:00.000Z',
    kind: 'signature',
    is_intact: true,
    covers_file: true,
  };
  expect(await (await put(path, offer)).json()).toMatchObject({ earlier_signatures: [earlier] });
  const field = { key: 'name', party: 'customer', kind: 'signature', page: 1, x: 0.1, y: 0.2, w: 0.4, h: 0.05 };
  expect((await workflow.screen.put(`${path}/fields`, { fields: [field] })).status).toBe(200);
  for (const action of ['submit', 'finalize', 'send']) expect((await workflow.org(id, action)).status).toBe(200);
  await signing.delivered(email);
  const link = await signing.link(email, 'Please sign');
  expect((await signing.visitor.get(link)).text).toContain('<li>Seal of the test; 2026-02-11 10:00:00 UTC; unchanged since</li>');
  expect((await signing.sign(link, { typed_name: 'Countess Lovelace' })).status).toBe(303);
  const sealed = Buffer.from(await (await fetch(`${app.url}${link}/pdf`)).arrayBuffer());
  expect(sealed.subarray(0, offer.length).equals(offer)).toBe(true);
  const document = await PDFDocument.load(sealed, { updateMetadata: false });
  expect((await signaturesOf(document, sealed)).map(({ is_intact, covers_file }) => [is_intact, covers_file])).toEqual([
    [true, false],
    [true, true],
  ]);
  expect(document.getPageCount()).toBe(1);
  const attached = document.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) =>
      object instanceof PDFRawStream && object.dict.lookup(PDFName.of('Type')) === PDFName.of('EmbeddedFile') ? [object] : [],
    );
  const [certificate] = attached.map((stream) => Buffer.from(decodePDFRawStream(stream).decode()));
  const text = (await textIn(certificate)).join(' ').replace(/\s+/g, ' ');
  for (const part of ['Countess Lovelace', 'Digitally signed before', 'Seal of the test; 2026-02-11 10:00:00 UTC; unchanged since'])
    expect(text).toContain(part);
});

test('of a PDF certified for filling in, only form fields are filled in and signed, and the certification stays valid', async () => {
  const { code } = await workflow.type({
    field_schema: { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } },
    signature_parties: [party('customer')],
  });
  const email = `certified-${Date.now()}@example.com`;
  const { id } = await workflow.draft(code, { title: 'Form', data_values: { customer: 'Ada Lovelace', customer_email: email } });
  const path = `/api/v1/org/papers/documents/${id}/file`;
  const form = await certifiedForm(2);
  expect(await (await put(path, form)).json()).toMatchObject({ earlier_signatures: [{ is_intact: true, permits: 'form_fields' }] });
  const place = (...fields: object[]) =>
    workflow.screen.put(`${path}/fields`, { fields: fields.map((field) => ({ party: 'customer', ...field })) });
  const refused = await place({ key: 'name', kind: 'signature', page: 1, x: 0.1, y: 0.2, w: 0.4, h: 0.05 });
  expect([refused.status, refused.body.error.param, refused.body.error.message]).toEqual([
    400,
    'fields.0.form_field',
    expect.stringContaining('permits only to fill in and sign its form fields (DocMDP /P 2)'),
  ]);
  const placed = await place(
    { key: 'place', kind: 'text', label: 'Place', form_field: 'place' },
    { key: 'agreed', kind: 'checkbox', label: 'Agreed', form_field: 'agreed' },
    { key: 'name', kind: 'signature', form_field: 'consent' },
  );
  expect([placed.status, placed.text]).toEqual([200, expect.anything()]);
  for (const action of ['submit', 'finalize', 'send']) expect((await workflow.org(id, action)).status).toBe(200);
  await signing.delivered(email);
  const link = await signing.link(email);
  expect((await signing.sign(link, { 'fields.place': 'Łódź\r\n ul.  Piotrkowska\r\n', 'fields.agreed': 'true' })).status).toBe(303);
  const sealed = Buffer.from(await (await fetch(`${app.url}${link}/pdf`)).arrayBuffer());
  expect(sealed.subarray(0, form.length).equals(form)).toBe(true);
  const document = await PDFDocument.load(sealed, { updateMetadata: false });
  // of the author, of the party in its field, and the seal
  expect((await signaturesOf(document, sealed)).map(({ is_intact, covers_file }) => [is_intact, covers_file])).toEqual([
    [true, false],
    [true, false],
    [true, true],
  ]);
  expect(formFieldsOf(document).map(({ name, value }) => [name, value])).toEqual([
    ['place', 'Łódź\nul. Piotrkowska'],
    ['agreed', 'Yes'],
    ['consent', null],
  ]);
  const annotations = document.getPage(0).node.Annots()?.asArray() ?? [];
  const widgets = annotations.map((one) => document.context.lookup(one, PDFDict));
  expect(widgets.map((one) => one.lookup(PDFName.of('Subtype'))?.toString())).toEqual(Array(5).fill('/Widget'));
  expect([document.getPageCount(), widgets.at(-1)?.has(PDFName.of('AF'))]).toEqual([1, true]);
});

// npm run test:corpus does this to some hundred files
test('files of all kinds are shown, sealed and readable by others as before', async () => {
  const sender = await Sender.of(signing);
  const dir = mkdtempSync(join(tmpdir(), 'corpus-'));
  const faults: string[] = [];
  for (const [name, variant] of KINDS) {
    const plain = await BASE_FILES[name]();
    const sent = await sender.send(variant === null ? plain : await ownVariant(variant, plain));
    const found = typeof sent === 'string' ? [sent] : await faultsOf(name, sent, dir);
    faults.push(...found.map((fault) => `${name}, ${variant}: ${fault}`));
  }
  rmSync(dir, { recursive: true });
  expect(faults).toEqual([]);
});

test('a PDF that cannot be sealed is refused at upload with the reason', async () => {
  const { code } = await workflow.type({ signature_parties: [] });
  const { id } = await workflow.draft(code, { title: 'Odd files' });
  const path = `/api/v1/org/papers/documents/${id}/file`;
  for (const [name, bytes, reason] of UNSEALABLE) {
    const file = await bytes();
    const response = await put(path, file);
    const { error } = (await response.json()) as { error: { code: string; message: string; param: string } };
    if (file.length === 0) {
      expect([response.status, error.code]).toEqual([400, 'missing_fields']);
      continue;
    }
    expect([name, response.status, error.code, error.param]).toEqual([name, 400, 'validation_failed', 'file']);
    // what cannot even be read is refused before the trial
    expect(error.message).toMatch(new RegExp(`${reason.source}|is not a PDF that can be read`));
  }
  for (const [name, bytes] of Object.entries(SEALABLE)) expect([name, (await put(path, await bytes())).status]).toEqual([name, 200]);
});

test('a file that cannot be sealed nevertheless leads to a page, and the document can be reopened for another one', async () => {
  const { code } = await workflow.type({
    language: 'de',
    field_schema: { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } },
    signature_parties: [party('customer')],
  });
  const email = `reopened-${Date.now()}@example.com`;
  const { id } = await workflow.draft(code, { title: 'Vertrag', data_values: { customer: 'Ada Lovelace', customer_email: email } });
  const path = `/api/v1/org/papers/documents/${id}/file`;
  expect((await put(path, await pdfOf('A contract'))).status).toBe(200);
  const field = { key: 'name', party: 'customer', kind: 'signature', page: 1, x: 0.1, y: 0.2, w: 0.4, h: 0.05 };
  expect((await workflow.screen.put(`${path}/fields`, { fields: [field] })).status).toBe(200);
  const [, damaged] = UNSEALABLE.find(([name]) => name === 'parents of tags that are no list') as (typeof UNSEALABLE)[number];
  // as files are that were uploaded before there was a trial
  const [bytes, sha256] = [await damaged(), createHash('sha256')];
  await app.sql.query('UPDATE document_files SET pdf = $2, pdf_object_id = NULL, sha256 = $3 WHERE document_id = $1', [
    id,
    bytes,
    sha256.update(bytes).digest('hex'),
  ]);
  const send = async () => {
    for (const action of ['submit', 'finalize', 'send']) expect((await workflow.org(id, action)).status).toBe(200);
    await signing.delivered(email);
  };
  await send();
  const link = await signing.link(email, 'Bitte unterschreiben');
  const failed = await signing.sign(link);
  expect([failed.status, failed.headers['content-type']]).toEqual([409, expect.stringContaining('text/html')]);
  expect(failed.text).toContain('Bitten Sie den Absender um eine andere Datei.');
  // the sender is notified once, however often the party tries
  expect((await signing.sign(link)).status).toBe(409);
  const comments = (await workflow.screen.get(path.replace('/file', '/comments'))).body.data as {
    kind: string;
    body: string;
    author: object;
  }[];
  const told = comments.filter(({ body }) => body.includes('laden Sie eine andere PDF-Datei hoch'));
  expect(told).toMatchObject([{ kind: 'system', author: { type: 'system', id: null, email: null } }]);
  const mails = await app.sql.query(`SELECT 1 FROM mails WHERE subject = 'Andere Datei nötig: Vertrag'`);
  expect(mails.rowCount).toBe(1);
  const { state, allowed_actions } = (await workflow.screen.get(path.replace('/file', ''))).body;
  expect([state, allowed_actions.includes('reopen')]).toEqual(['sent', true]);
  expect((await workflow.org(id, 'reopen')).body).toMatchObject({ state: 'draft', revision: 2 });
  expect(await signing.goneReason(link)).not.toBe('');
  expect((await put(path, await pdfOf('A better contract'))).status).toBe(200);
  await send();
  const next = await signing.link(email, 'Bitte unterschreiben', 2);
  expect((await signing.sign(next)).status).toBe(303);
  expect((await workflow.read(id)).state).toBe('executed');
});

test('an internal failure at the last signature asks to try again, and for no other file', async () => {
  const { id, customer } = await signing.sent();
  const link = await signing.link(customer);
  // what the service has made itself is no fault of a file
  await app.sql.query('ALTER TABLE document_renditions DISABLE TRIGGER USER');
  await app.sql.query(`UPDATE document_renditions SET pdf = 'no PDF', pdf_object_id = NULL WHERE document_id = $1`, [id]);
  await app.sql.query('ALTER TABLE document_renditions ENABLE TRIGGER USER');
  const failed = await signing.sign(link);
  expect([failed.status, failed.headers['content-type'], failed.headers['retry-after']]).toEqual([
    503,
    expect.stringContaining('text/html'),
    '60',
  ]);
  expect(failed.text).toContain('sign again in a minute');
  expect((await workflow.read(id)).state).toBe('sent');
  const { rowCount } = await app.sql.query(`SELECT 1 FROM document_comments WHERE document_id = $1`, [id]);
  expect(rowCount).toBe(0);
});
