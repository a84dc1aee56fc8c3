import { createHash } from 'node:crypto';
import { PDFDocument } from '@cantoo/pdf-lib';
import { beforeAll, expect, test } from '@jest/globals';
import { extractText, getDocumentProxy } from 'unpdf';
import { sharedMailApp } from '../../../../../test/harness/hosted-app.js';
import { contentHash, evidenceHash } from '../../engine/certificate/certificate-evidence.js';
import { formFile } from '../../engine/forms/form.fixture.js';
import { openFile } from '../../engine/pictures/pdfium.js';
import { seal } from '../../engine/sealing/seal.js';
import { keyFile } from '../../engine/sealing/seal-key.fixture.js';
import { signaturesOf } from '../../engine/signatures/signatures.js';
import { party, SigningFixture } from '../../testing/signing-fixture.js';
import { DOCUMENTS } from '../../testing/workflow-fixture.js';

const { app, mailbox } = await sharedMailApp();
const signing = await SigningFixture.open(app, mailbox);
const { workflow, visitor } = signing;
const { api } = workflow;

const text = { type: 'string' } as const;
const SCHEMA = { type: 'object', properties: { customer: text, customer_email: text, supplier: text, supplier_email: text } } as const;
const TEMPLATE = '# Contract\n\nBetween two.\n\n{{#field town party=customer label="Town" required}}\n\n{{#signature customer supplier}}\n';
const PARTIES = [party('customer'), party('supplier', { order: 2 })];

async function pdfOf(...pages: string[]): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (const text of pages) document.addPage([595, 842]).drawText(text, { x: 60, y: 760, size: 14 });
  return Buffer.from(await document.save());
}

async function textIn(pdf: Buffer): Promise<string> {
  return (await extractText(await getDocumentProxy(new Uint8Array(pdf)))).text.join('\n').replace(/\s+/g, ' ');
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const errorOf = ({ status, body: { error } }: { status: number; body: { error?: { code: string; param: string } } }) => [
  status,
  error?.code,
  error?.param,
];
const addPdf = (id: string, pdf: Buffer, headers: object = {}) =>
  api.send('post', `${DOCUMENTS}/${id}/files`, pdf, { 'content-type': 'application/pdf', ...headers });

let code: string;
let number = 0;
beforeAll(async () => {
  ({ code } = await workflow.type({ field_schema: SCHEMA, signature_parties: PARTIES, template: TEMPLATE }));
});

async function draft(title: string, type = code): Promise<{ id: string; customer: string; supplier: string }> {
  const tag = `${Date.now().toString(36)}${++number}`;
  const [customer, supplier] = [`customer-${tag}@example.com`, `supplier-${tag}@example.com`];
  const data_values = { customer: 'Ada Lovelace', customer_email: customer, supplier: 'Grace Hopper', supplier_email: supplier };
  return { ...(await workflow.draft(type, { title, data_values })), customer, supplier };
}

async function verified(pdf: Buffer) {
  const headers = { 'content-type': 'application/pdf' };
  const response = await fetch(`${app.url}/api/v1/public/verify`, { method: 'POST', headers, body: new Uint8Array(pdf) });
  return (await response.json()) as { verdict: string; document: Record<string, unknown> };
}

test('several files are signed in one sequence, sealed each on its own, and named by one certificate', async () => {
  const { id, customer, supplier } = await draft('Agreement');
  const options = { ...keyFile(), reason: '', location: '', name: 'Agency', signingTime: new Date('2026-02-11T10:00:00Z') };
  const offer = await seal(await pdfOf('An offer', 'Second page'), options);
  const annex = await draft('Annex A');
  for (const action of ['submit', 'finalize']) await workflow.org(annex.id, action);
  const byForm = new FormData();
  byForm.append('name', 'Questionnaire');
  byForm.append('file', new File([new Uint8Array(await formFile({ turn: 90, frame: 3 }))], 'form.pdf', { type: 'application/pdf' }));
  const files = `${DOCUMENTS}/${id}/files`;
  const form = await (await fetch(app.url + files, { method: 'POST', body: byForm, headers: api.headers })).json();
  expect(form).toMatchObject({ object: 'document_file', position: 2, name: 'Questionnaire', pages: 1, document_id: id });
  const signed = (await api.post(files, { content_base64: offer.toString('base64'), name: 'Offer' })).body;
  expect(signed).toMatchObject({ position: 3, pages: 2, earlier_signatures: [{ is_intact: true }] });
  const copied = (await api.post(files, { from_document_id: annex.id })).body;
  // places to sign that the text of the type has as well get other keys
  expect(copied).toMatchObject({ position: 4, name: 'Annex A', fields: expect.any(Array) });
  expect(copied.fields.map(({ key, party: of, kind }: Record<string, string>) => `${key} ${of} ${kind}`)).toEqual([
    'town_2 customer text',
    'signature_2_2 customer signature',
    'signature_3_2 supplier signature',
  ]);

  const moved = await api.patch(`${DOCUMENTS}/${id}`, {
    files: [{ id: signed.id, name: 'Signed offer' }, { id: form.id }, { id: copied.id }],
  });
  expect(moved.body.files[0]).toEqual({ id: signed.id, name: 'Signed offer', pages: 2, bytes: offer.length, sha256: sha256(offer) });
  const order = ['Agreement', 'Signed offer', 'Questionnaire', 'Annex A'];
  expect((await workflow.read(id)).files.map(({ name }: { name: string }) => name)).toEqual(order.slice(1));

  const place = (file_id: string, fields: object[]) => api.put(`${DOCUMENTS}/${id}/file/fields?file_id=${file_id}`, { fields });
  const at = { x: 0.1, y: 0.5, w: 0.4, h: 0.06, page: 1 };
  expect(errorOf(await place(signed.id, [{ key: 'town', party: 'customer', kind: 'text', label: 'Town', ...at }]))).toEqual([
    400,
    'validation_failed',
    'fields.0.key',
  ]);
  expect(errorOf(await place(signed.id, [{ key: 'signature_1', party: 'customer', kind: 'signature', ...at }]))[2]).toBe('fields.0.key');
  expect(errorOf(await place(signed.id, [{ key: 'place', party: 'customer', kind: 'signature', ...at, page: 3 }]))[2]).toBe(
    'fields.0.page',
  );
  const placed = [
    await place(form.id, [
      { key: 'answer', party: 'customer', form_field: 'person.name', label: 'Answer', default: null, required: false },
      { key: 'note', party: 'customer', kind: 'text', label: 'Note', required: false, ...at, y: 0.97, w: 0.08, h: 0.02 },
    ]),
    await place(signed.id, [
      { key: 'offer_customer', party: 'customer', kind: 'signature', ...at, page: 2 },
      { key: 'offer_supplier', party: 'supplier', kind: 'signature', ...at, y: 0.7, page: 2 },
      // of another file
      { key: 'again', party: 'supplier', kind: 'text', label: 'Again', calculated: 'answer', required: false, ...at, y: 0.8 },
    ]),
  ];
  expect(placed.map(({ status }) => status)).toEqual([200, 200]);
  expect(errorOf(await api.delete(`${files}/${form.id}`))).toEqual([400, 'validation_failed', 'file']);

  for (const action of ['submit', 'finalize', 'send']) expect([action, (await workflow.org(id, action)).status]).toEqual([action, 200]);
  expect(errorOf(await api.delete(`${files}/${form.id}`))[1]).toBe('invalid_transition');
  const { content_sha256 } = await workflow.read(id);
  const content = async (file: string, format = 'pdf') =>
    (await api.get(`${DOCUMENTS}/${id}/content?format=${format}&file=${file}`)).body as Buffer;
  const ids = [id, signed.id, form.id, copied.id] as string[];
  const finals = await Promise.all(ids.map((one) => content(one)));
  expect(finals[1].equals(offer)).toBe(true);
  expect(content_sha256).toBe(contentHash(finals.map(sha256)));
  expect((await api.get(`${DOCUMENTS}/${id}/content?format=pdf`)).body).toEqual(finals[0]);

  await signing.delivered(customer);
  const first = await signing.link(customer);
  const page = (await visitor.get(first)).text;
  for (const [index, name] of order.entries()) expect(page).toContain(`File ${index + 1} of 4</span> ${name}</h2>`);
  expect(page).toContain('<a href="#file_3">Questionnaire</a>');
  expect(page).toContain('<li>Signed offer: Seal of the test; 2026-02-11 10:00:00 UTC; unchanged since</li>');
  // marks and controls go through the files in their order
  const keys = ['town', 'answer', 'note', 'town_2'];
  expect([...page.matchAll(/name="fields\.(\w+)"/g)].map(([, key]) => key)).toEqual(keys);
  expect((await visitor.get(`${first}/pages/2?part=2&width=720`)).headers['content-type']).toMatch(/^image\//);
  expect(String((await visitor.get(`${first}/pages/2/text?part=2`)).body)).toContain('Second page');
  expect((await visitor.get(`${first}/pages/1?part=5`)).status).toBe(404);
  const long = await signing.sign(first, { 'fields.town': 'Łódź', 'fields.note': 'X'.repeat(190), 'fields.town_2': 'Rome' });
  expect([long.status, long.text]).toEqual([400, expect.stringContaining('Note: is too long')]);
  expect((await signing.sign(first, { 'fields.town': 'Łódź', 'fields.answer': 'Yes', 'fields.town_2': 'Rome' })).status).toBe(303);

  await signing.delivered(supplier);
  const second = await signing.link(supplier);
  const shown = (await visitor.get(`${second}/pdf?part=3`)).body as Buffer;
  const read = await openFile(shown);
  if ('problem' in read) throw new Error(read.problem);
  const answer = read.texts(1).find(({ text }) => text.trim() === 'Yes');
  read.close();
  // the field is 23 points wide, from 398.5; its frame of 3 points, and the space to it, take a fifth on each side
  expect(answer?.x).toBeCloseTo(403.1 / 500, 3);
  expect(answer!.x + answer!.w).toBeLessThan(417 / 500);
  expect((await signing.sign(second, { typed_name: 'Grace Hopper' })).status).toBe(303);

  const executed = await Promise.all([...ids, 'certificate'].map((one) => content(one)));
  const signatures = await Promise.all(
    executed.map(async (pdf) => signaturesOf(await PDFDocument.load(pdf, { updateMetadata: false }), pdf)),
  );
  const sealed = [true, true];
  expect(signatures.map((file) => file.map(({ is_intact, covers_file }) => [is_intact, covers_file]))).toEqual([
    [sealed],
    [[true, false], sealed],
    [sealed],
    [sealed],
    [sealed],
  ]);
  for (const [index, final] of finals.entries()) expect(executed[index].subarray(0, final.length).equals(final)).toBe(true);
  const texts = await Promise.all(executed.map(textIn));
  for (const [index, parts] of [
    ['Łódź', 'Ada Lovelace', 'Grace Hopper'],
    // what was added to a signed file stands in annotations
    ['An offer'],
    ['Yes'],
    ['Rome', 'Ada Lovelace', 'Grace Hopper'],
  ].entries())
    for (const part of parts) expect([index, texts[index]]).toEqual([index, expect.stringContaining(part)]);
  const added = (await PDFDocument.load(executed[1])).getPages().map(({ node }) => node.Annots()?.size() ?? 0);
  expect(added).toEqual([1, 4]);
  expect(texts.slice(0, 4).join('')).not.toContain('Signature certificate');
  const certificate = texts[4].replace(/\s/g, '');
  for (const part of [
    ...order.map((name, index) => `File${index + 1}${name.replace(/\s/g, '')};${index === 1 ? '2pages' : '1page'}`),
    ...finals.map(sha256),
    ...executed.slice(0, 4).map(sha256),
    content_sha256,
    'Digitallysignedbefore',
  ])
    expect(certificate).toContain(part);

  for (const [index, pdf] of executed.entries())
    expect(await verified(pdf)).toMatchObject({
      verdict: 'unchanged',
      document: {
        is_executed: true,
        evidence: 'intact',
        file: { title: 'Agreement', name: [...order, 'Signature certificate'][index], position: index + 1, of: 5 },
      },
    });
  expect(await verified(Buffer.concat([executed[2], Buffer.from('\n')]))).toMatchObject({
    verdict: 'changed',
    document: { file: { position: 3 } },
  });

  const { number } = await workflow.read(id);
  for (const to of [customer, supplier]) {
    const { source, text } = await mailbox.newest(to, 'Signed by all');
    expect(source.match(/Content-Type: application\/pdf/g)).toHaveLength(5);
    expect(text).toContain('The signed files and the certificate of the signatures are attached.');
    const link = (/https?:\/\/[^/\s]+(\/s\/[\w-]{43})\s/.exec(text) as RegExpExecArray)[1];
    const done = (await visitor.get(link)).text;
    expect(done).toContain(
      'These signed files are yours to keep: Agreement, Signed offer, Questionnaire, Annex A, and Signature certificate.',
    );
    // each once
    expect(done.match(/\/pdf\?part=5"/g)).toHaveLength(1);
    expect(done).toContain(`<a href="${link}/pdf?part=5">PDF <span class="away">Signature certificate</span></a>`);
    expect((await visitor.get(`${link}/pdf?part=3`)).body).toEqual(executed[2]);
    const all = await visitor.get(`${link}/pdf?part=all`);
    const saved = [all, await visitor.get(`${link}/pdf`), await visitor.get(`${link}/pdf?part=3`)];
    const names = saved.map(({ headers }) => /filename="?([^"]+)/.exec(headers['content-disposition'])?.[1]);
    const start = number === null ? '' : `${number} `;
    expect(names).toEqual([`${start}(1-4) Agreement.pdf`, `${start}Agreement.pdf`, `${start}(3) Questionnaire - Agreement.pdf`]);
    const whole = await PDFDocument.load(all.body as Buffer);
    expect(whole.getPageCount()).toBeGreaterThanOrEqual(6);
  }
  expect((await mailbox.newest(customer, 'Please sign')).text).toContain('Files: Agreement · Signed offer · Questionnaire · Annex A');

  const whole = (await api.get(`${DOCUMENTS}/${id}/content?format=text`)).text;
  for (const part of ['Contract', 'An offer', '98765', 'Answer: Yes', 'Annex A']) expect(whole).toContain(part);
  expect((await content(form.id, 'text')).toString()).not.toContain('An offer');
  expect(errorOf(await api.get(`${DOCUMENTS}/${id}/content?format=pdf&file=nothing`))).toEqual([400, 'validation_failed', 'file']);
  expect(await workflow.events(id)).toContain('paper.fully_executed');
  const { rows } = await app.sql.query(
    `SELECT jsonb_array_length(body::jsonb #> '{data,object,files}') AS files FROM outbox_events
     WHERE type = 'paper.fully_executed' AND body::jsonb #>> '{data,object,id}' = $1`,
    [id],
  );
  expect(rows).toEqual([{ files: 3 }]);

  const replacement = (await api.post(`${DOCUMENTS}/${id}/replacement`, {})).body;
  expect(replacement.files.map(({ name }: { name: string }) => name)).toEqual(order.slice(1));
  const again = (await api.get(`${DOCUMENTS}/${replacement.id}/file?file_id=${replacement.files[0].id}`)).body;
  expect(again.fields.map(({ key }: { key: string }) => key)).toEqual(['offer_customer', 'offer_supplier', 'again']);
});

test('the evidence begins with the hashes of all files', () => {
  const [one, other] = ['a'.repeat(64), 'b'.repeat(64)];
  expect(contentHash([one])).toBe(one);
  // printf '%s\n' HASH HASH | sha256sum
  expect(contentHash([one, other])).toBe(createHash('sha256').update(`${one}\n${other}\n`).digest('hex'));
  expect(evidenceHash(contentHash([one, other]), {})).not.toBe(evidenceHash(contentHash([other, one]), {}));
});

test('files are added, renamed, moved and removed only as the document allows', async () => {
  const { id } = await draft('Bounds');
  const files = `${DOCUMENTS}/${id}/files`;
  const small = await pdfOf('Small');
  const { version } = await workflow.read(id);
  const added = await addPdf(id, small, { 'if-match': `"${version}"`, 'idempotency-key': `add-${id}` });
  expect([added.status, added.body.name]).toEqual([201, 'File']);
  expect((await addPdf(id, small, { 'if-match': `"${version}"`, 'idempotency-key': `add-${id}` })).body.id).toBe(added.body.id);
  expect((await addPdf(id, small, { 'if-match': `"${version}"` })).status).toBe(412);
  const other = (await addPdf(id, small)).body;
  expect(other.name).toBe('File 2');
  const refused = async (body: object) => errorOf(await api.post(files, body));
  expect(await refused({})).toEqual([400, 'missing_fields', 'file']);
  expect(await refused({ content_base64: 'bm8gUERG' })).toEqual([400, 'validation_failed', 'content_base64']);
  expect(await refused({ content_base64: small.toString('base64'), name: 'bounds' })).toEqual([400, 'validation_failed', 'name']);
  expect(await refused({ from_document_id: id })).toEqual([400, 'validation_failed', 'from_document_id']);
  expect(await refused({ from_document_id: other.id })).toEqual([400, 'validation_failed', 'from_document_id']);
  expect(await refused({ from_document_id: id, content_base64: 'bm8=' })).toEqual([400, 'validation_failed', 'content_base64']);
  const arrange = async (...given: object[]) => errorOf(await api.patch(`${DOCUMENTS}/${id}`, { files: given }))[2];
  const [one, two] = [{ id: added.body.id as string }, { id: other.id as string }];
  expect(await arrange(one)).toBe('files');
  expect(await arrange(one, one)).toBe('files.1.id');
  expect(await arrange(one, { id })).toBe('files.1.id');
  expect(await arrange(one, { ...two, name: 'FILE' })).toBe('files.1.name');
  expect(await arrange({ ...two, name: 'File' }, { ...one, name: 'File 2' })).toBeUndefined();
  expect(await arrange({ ...one, name: 'File' }, { ...two, name: 'File 2' })).toBeUndefined();
  const tooLong = await pdfOf(...Array.from({ length: 199 }, (_, page) => `Page ${page}`));
  expect(errorOf(await addPdf(id, tooLong))).toEqual([400, 'validation_failed', 'file']);
  const put = (pdf: Buffer, file_id: string) =>
    api.send('put', `${DOCUMENTS}/${id}/file?file_id=${file_id}`, pdf, { 'content-type': 'application/pdf' });
  expect((await put(tooLong, other.id)).body).toMatchObject({ id: other.id, pages: 199, position: 3 });
  expect(errorOf(await put(await pdfOf('1', '2'), added.body.id))).toEqual([400, 'validation_failed', 'file']);
  expect((await put(small, '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20')).status).toBe(404);
  expect((await workflow.read(id)).files.map(({ pages }: { pages: number }) => pages)).toEqual([1, 199]);
  expect((await api.delete(`${files}/${other.id}`)).status).toBe(204);
  expect((await api.get(`${DOCUMENTS}/${id}/file?file_id=${other.id}`)).status).toBe(404);
  expect((await workflow.read(id)).files).toHaveLength(1);
  await app.sql.query(
    `UPDATE documents SET files = (SELECT jsonb_agg(files->0 || jsonb_build_object('name', 'n' || n)) FROM generate_series(1, 19) n)
     WHERE id = $1`,
    [id],
  );
  expect(errorOf(await addPdf(id, small))).toEqual([400, 'validation_failed', 'file']);
});
