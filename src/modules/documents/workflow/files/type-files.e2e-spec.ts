import { expect, test } from '@jest/globals';
import { PDFDocument } from '@cantoo/pdf-lib';
import { extractText, getDocumentProxy } from 'unpdf';
import { eventually } from '../../../../../test/harness/eventually.js';
import { sharedMailApp } from '../../../../../test/harness/hosted-app.js';
import { party, SigningFixture } from '../../testing/signing-fixture.js';
import { DOCUMENTS } from '../../testing/workflow-fixture.js';

const { app, mailbox } = await sharedMailApp();
const signing = await SigningFixture.open(app, mailbox);
const { workflow } = signing;
const { api, screen } = workflow;
const TYPES = '/api/v1/org/papers/types';
const SCHEMA = {
  type: 'object',
  required: ['rent'],
  properties: {
    customer: { type: 'string' },
    customer_email: { type: 'string' },
    rent: { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR', 'x-label': 'Rent' },
    start_on: { type: 'string', format: 'date' },
    pets: { type: 'boolean' },
    extras: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
  },
} as const;

async function pdfOf(...lines: string[]): Promise<Buffer> {
  const document = await PDFDocument.create();
  const page = document.addPage([600, 800]);
  for (const [index, line] of lines.entries()) page.drawText(line, { x: 60, y: 700 - index * 60, size: 14 });
  return Buffer.from(await document.save());
}

const put = async (path: string, bytes: Buffer) => screen.send('put', path, bytes, { 'content-type': 'application/pdf' });
const value = (data_field: string, text: string, over: object = {}) => ({
  data_field,
  w: 0.3,
  h: 0.04,
  anchor: { text, dx: 0.3 },
  ...over,
});
const SIGNATURE = { key: 'signature', party: 'customer', kind: 'signature', w: 0.3, h: 0.05, anchor: { text: 'Signature:', dx: 0.3 } };
const textOf = async (pdf: Buffer) => (await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })).text;
const values = (over: object = {}) => ({
  customer: 'Ada Lovelace',
  customer_email: 'ada@example.com',
  rent: 123_450,
  start_on: '2027-02-01',
  ...over,
});

async function makeType() {
  const type = await workflow.type({ field_schema: SCHEMA, signature_parties: [party('customer')] });
  const path = `${TYPES}/${type.id}/file`;
  expect((await screen.get(path)).status).toBe(404);
  expect(await put(path, await pdfOf('Rent:', 'Begins:', 'Pets:', 'Signature:'))).toMatchObject({
    status: 200,
    body: { pages: 1, fields: [] },
  });
  const placed = await screen.put(`${path}/fields`, {
    fields: [SIGNATURE],
    values: [value('rent', 'Rent:'), value('start_on', 'Begins:'), value('pets', 'Pets:', { w: 0.04 })],
  });
  expect([placed.status, placed.text]).toEqual([200, expect.anything()]);
  const publish = () => screen.post(`${TYPES}/${type.id}/publish`);
  expect((await publish()).status).toBe(201);
  return { ...type, path, publish };
}

test('a type whose documents are a PDF prints their values, and its documents are signed where its fields are', async () => {
  const { code } = await makeType();
  const email = `type-${Date.now()}@example.com`;
  const { id } = await workflow.draft(code, { data_values: values({ customer_email: email, pets: true }) });
  expect((await api.get(`${DOCUMENTS}/${id}/file`)).body.fields).toMatchObject([{ key: 'signature', page: 1 }]);
  const draft = await textOf((await api.get(`${DOCUMENTS}/${id}/content?format=pdf`)).body);
  for (const action of ['submit', 'finalize', 'send']) expect((await workflow.org(id, action)).status).toBe(200);
  await signing.delivered(email);
  const final = await textOf((await api.get(`${DOCUMENTS}/${id}/content?format=pdf`)).body);
  for (const text of [draft, final]) for (const part of ['1,234.50', 'February 1, 2027', '✓']) expect(text).toContain(part);
  expect((await api.get(`${DOCUMENTS}/${id}/content?format=text`)).text).toMatch(/Rent: .*1,234\.50/);
  expect((await signing.sign(await signing.link(email))).status).toBe(303);
  const sealed = await textOf((await api.get(`${DOCUMENTS}/${id}/content?format=pdf`)).body);
  for (const part of ['1,234.50', 'Ada Lovelace']) expect(sealed).toContain(part);
});

test('a new PDF is a new version, and documents keep theirs', async () => {
  const { id, code, path, publish } = await makeType();
  const old = (await workflow.draft(code, { data_values: values() })).id;
  const next = await pdfOf('Other lease', 'Rent:', 'Signature:');
  // what stands at a text that the new file lacks is gone
  expect((await put(path, next)).body).toMatchObject({ fields: [{ key: 'signature' }], values: [{ data_field: 'rent' }] });
  const before = (await workflow.draft(code, { data_values: values() })).id;
  expect((await publish()).body).toMatchObject({ number: 3 });
  const after = (await workflow.draft(code, { data_values: values() })).id;
  const shown = async (document: string) => textOf((await api.get(`${DOCUMENTS}/${document}/content?format=pdf`)).body);
  expect([
    (await shown(old)).includes('Begins:'),
    (await shown(before)).includes('Begins:'),
    (await shown(after)).includes('Other lease'),
  ]).toEqual([true, true, true]);
  expect((await screen.get(`${path}?version=2`)).body.values).toHaveLength(3);
  expect((await screen.get(`${path}?version=3&format=pdf`)).body).toEqual(next);
  // the template again
  expect((await screen.delete(path)).status).toBe(204);
  await publish();
  const plain = (await workflow.draft(code, { data_values: values() })).id;
  expect((await api.get(`${DOCUMENTS}/${plain}/file`)).status).toBe(404);
  expect((await screen.get(`${path}?version=3`)).status).toBe(200);
  expect((await screen.get(`${TYPES}/${id}`)).body.published_version).toBe(4);
});

test('what cannot be printed is refused, at the latest when the document is submitted', async () => {
  const { id, code, path, publish } = await makeType();
  const place = async (...list: object[]) => (await screen.put(`${path}/fields`, { fields: [], values: list })).body.error;
  expect(await place(value('price', 'Rent:'))).toMatchObject({ param: 'values.0.data_field' });
  expect(await place(value('extras', 'Rent:'))).toMatchObject({ param: 'values.0.data_field' });
  expect(await place(value('rent', 'Price:'))).toMatchObject({ param: 'values.0.anchor.text' });
  expect(await place(value('rent', 'Rent:', { w: 0.9 }))).toMatchObject({ param: 'values.0.w' });
  expect(await place({ data_field: 'rent', page: 1, x: 0.1, y: 0.1, w: 0.1 })).toMatchObject({ param: 'values.0.h' });
  expect(await place(value('customer', 'Rent:', { w: 0.05 }))).toBeUndefined();
  expect((await publish()).status).toBe(201);
  const document = (
    await workflow.draft(code, { data_values: values({ customer: 'Countess Ada Augusta King of Lovelace, née Byron '.repeat(5) }) })
  ).id;
  expect((await workflow.submit(document)).body.error).toMatchObject({ code: 'validation_failed', param: 'data_values.customer' });
  const { properties } = SCHEMA;
  await screen.patch(`${TYPES}/${id}`, {
    field_schema: { type: 'object', properties: { owner: properties.customer, customer_email: properties.customer_email } },
    signature_parties: [{ ...party('customer'), name_from: 'owner' }],
  });
  expect((await publish()).body.error).toMatchObject({ param: 'file.values.0.data_field' });
});

test('a type that is a PDF is sent to many', async () => {
  const { code } = await makeType();
  const rows = [1, 2].map((n) => ({
    title: `Lease ${n}`,
    data_values: values({ rent: n * 10_000, customer_email: `many-${n}-${Date.now()}@example.com` }),
  }));
  const { body } = await api.post('/api/v1/ext/papers/bulk-sends', { type_code: code, project_id: workflow.space.eng.id, rows });
  const done = await eventually(
    () => api.get(`/api/v1/ext/papers/bulk-sends/${body.id}`),
    (response) => response.body.status === 'completed',
  );
  expect(done.body).toMatchObject({ sent_count: 2, failed_count: 0 });
  const [, second] = done.body.results;
  expect(await textOf((await api.get(`${DOCUMENTS}/${second.document_id}/content?format=pdf`)).body)).toContain('200.00');
});

test('a type with several files sends them all, in the version that was published', async () => {
  const { id, path, publish, code } = await makeType();
  const files = `${TYPES}/${id}/files`;
  const add = async (bytes: Buffer, headers: object = {}) =>
    screen.send('post', files, bytes, { 'content-type': 'application/pdf', ...headers });
  const titled = await PDFDocument.create();
  titled.addPage([600, 800]).drawText('Rent again:', { x: 60, y: 700, size: 14 });
  titled.setTitle('House rules');
  const rules = (await add(Buffer.from(await titled.save()))).body;
  const annex = (await add(await pdfOf('Keys:'), { 'content-disposition': `attachment; filename*=UTF-8''Schl%C3%BCssel.pdf` })).body;
  expect([rules, annex]).toMatchObject([
    { object: 'document_type_file', type_id: id, position: 2, name: 'House rules', pages: 1 },
    { position: 3, name: 'Schlüssel' },
  ]);
  const place = (file_id: string, body: object) => screen.put(`${path}/fields?file_id=${file_id}`, body);
  // keys are unique in all files, and expressions may name fields of the others
  expect((await place(annex.id, { fields: [{ ...SIGNATURE, anchor: { text: 'Keys:' } }], values: [] })).body.error.param).toBe(
    'fields.0.key',
  );
  const at = { party: 'customer', kind: 'number', w: 0.2, h: 0.05 };
  const keys = { ...at, key: 'keys', label: 'Keys', required: false, anchor: { text: 'Keys:', dx: 0.3 } };
  expect((await place(annex.id, { fields: [keys], values: [] })).status).toBe(200);
  const double = { ...at, key: 'deposit', label: 'Deposit', calculated: 'keys * 2', required: false, page: 1, x: 0.1, y: 0.5 };
  expect((await place(rules.id, { fields: [double], values: [value('rent', 'Rent again:')] })).body).toMatchObject({
    name: 'House rules',
    values: [{ data_field: 'rent' }],
  });
  expect((await screen.delete(`${files}/${annex.id}`)).body.error.param).toBe('file');
  const moved = await screen.patch(`${TYPES}/${id}`, { files: [{ id: annex.id }, { id: rules.id, name: 'Rules' }] });
  expect(moved.body.files.map(({ name }: { name: string }) => name)).toEqual(['Schlüssel', 'Rules']);
  expect((await screen.patch(`${TYPES}/${id}`, { files: [{ id: annex.id }] })).body.error.param).toBe('files');
  const early = (await workflow.draft(code, { data_values: values() })).id;
  expect((await publish()).body.files).toMatchObject([{ id: annex.id }, { id: rules.id, name: 'Rules', pages: 1 }]);

  const email = `several-${Date.now()}@example.com`;
  const rows = [{ title: 'Lease 1', data_values: values({ rent: 20_000, customer_email: email }) }];
  const { body } = await api.post('/api/v1/ext/papers/bulk-sends', { type_code: code, project_id: workflow.space.eng.id, rows });
  const done = await eventually(
    () => api.get(`/api/v1/ext/papers/bulk-sends/${body.id}`),
    (response) => response.body.status === 'completed',
  );
  expect(done.body).toMatchObject({ sent_count: 1 });
  const { document_id } = done.body.results[0];
  const document = await workflow.read(document_id);
  expect(document.files.map(({ name }: { name: string }) => name)).toEqual(['Schlüssel', 'Rules']);
  expect((await workflow.read(early)).files).toEqual([]);
  const printed = await api.get(`${DOCUMENTS}/${document_id}/content?format=pdf&file=${document.files[1].id}`);
  expect(await textOf(printed.body)).toContain('200.00');
  await signing.delivered(email);
  const link = await signing.link(email);
  expect((await signing.visitor.get(link)).text).toContain('<a href="#file_3">Rules</a>');
  expect((await signing.sign(link, { 'fields.keys': '3' })).status).toBe(303);
  expect(await textOf((await api.get(`${DOCUMENTS}/${document_id}/content?format=pdf&file=${document.files[1].id}`)).body)).toMatch(
    /200\.006$/,
  );

  // all files of an executed document, with the names that they have there; the certificate stays behind
  const next = await workflow.draft(code, { title: 'Envelope', data_values: values() });
  const taken = await api.post(`${DOCUMENTS}/${next.id}/files`, { from_document_id: document_id, name: 'Old lease' });
  expect(taken.body).toMatchObject({ position: 4, name: 'Old lease', fields: [] });
  const names = ['Schlüssel', 'Rules', 'Old lease', 'Schlüssel 2', 'Rules 2'];
  expect((await workflow.read(next.id)).files.map(({ name }: { name: string }) => name)).toEqual(names);

  // a replacement has the files of the type as it is now, without those that were removed, and its own
  const replaced = await workflow.draft(code, { title: 'Lease', data_values: values() });
  const [, gone] = (await workflow.read(replaced.id)).files;
  expect((await api.delete(`${DOCUMENTS}/${replaced.id}/files/${gone.id}`)).status).toBe(204);
  await api.send('post', `${DOCUMENTS}/${replaced.id}/files`, await pdfOf('Own'), { 'content-type': 'application/pdf' });
  for (const action of ['submit', 'finalize']) expect((await workflow.org(replaced.id, action)).status).toBe(200);
  const renewed = { content_base64: (await pdfOf('New rules', 'Keys:')).toString('base64') };
  expect((await screen.put(`${path}?file_id=${annex.id}`, renewed)).body).toMatchObject({ id: annex.id, fields: [{ key: 'keys' }] });
  await publish();
  const replacement = (await api.post(`${DOCUMENTS}/${replaced.id}/replacement`, {})).body;
  const { files: kept } = await workflow.read(replacement.id);
  expect(kept.map(({ name }: { name: string }) => name)).toEqual(['Schlüssel', 'File']);
  expect((await api.get(`${DOCUMENTS}/${replacement.id}/content?format=text`)).text).toContain('New rules');
});
