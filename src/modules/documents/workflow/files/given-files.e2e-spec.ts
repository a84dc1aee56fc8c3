import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import { PDFDocument } from '@cantoo/pdf-lib';
import { freePort } from '../../../../../test/harness/free-port.js';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { DOCUMENTS, ORG_DOCUMENTS, WorkflowFixture } from '../../testing/workflow-fixture.js';

const MIB = 2 ** 20;
const app = await sharedApp();
const workflow = await WorkflowFixture.open(app);
const { api, screen } = workflow;
const { code } = await workflow.type({ field_schema: { type: 'object', properties: { customer: { type: 'string' } } } });

async function pdfOf(text: string): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage([595, 842]).drawText(text, { x: 60, y: 760, size: 14 });
  return Buffer.from(await document.save());
}

const [lease, other] = [await pdfOf('Lease of a flat'), await pdfOf('Another lease')];
let asked = 0;
const server = createServer((request, response) => {
  asked += 1;
  const redirect = (location: string) => response.writeHead(302, { location }).end();
  const path = request.url as string;
  if (path === '/lease.pdf') return void response.setHeader('content-type', 'application/octet-stream').end(lease);
  if (path === '/moved') return void redirect('/lease.pdf');
  if (path === '/loop') return void redirect('/loop');
  if (path === '/inside') return void redirect('http://169.254.169.254/latest/meta-data');
  if (path === '/page') return void response.setHeader('content-type', 'application/pdf').end('<!DOCTYPE html><title>Sign in</title>');
  if (path === '/bomb') return void response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(11 * MIB)));
  return void response.writeHead(404).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => new Promise((resolve) => server.close(resolve)));

interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the response as it came
  body: any;
}

/** As curl -F sends it. */
async function form(method: string, path: string, parts: Record<string, string | Buffer>, headers: object = {}): Promise<Answer> {
  const body = new FormData();
  for (const [name, value] of Object.entries(parts))
    body.append(name, typeof value === 'string' ? value : new File([new Uint8Array(value)], 'lease.pdf', { type: 'application/pdf' }));
  const response = await fetch(api.url + path, { method, body, headers: { ...api.headers, ...headers } });
  return { status: response.status, body: await response.json() };
}

const errorOf = ({ body: { error } }: Answer) => [error.code, error.param, error.message];
const documents = async () => {
  const sql = 'SELECT count(*) FROM documents WHERE organization_id = $1';
  return Number((await app.sql.query(sql, [workflow.space.organizationId])).rows[0].count);
};

test('a key uploads a PDF in every form, and reads it back byte for byte', async () => {
  const { id } = await workflow.draft(code);
  const path = `${DOCUMENTS}/${id}/file`;
  const shown = { object: 'document_file', document_id: id, pages: 1, fields: [] };
  for (const upload of [
    () => api.send('put', path, lease, { 'content-type': 'application/pdf' }),
    () => form('PUT', path, { file: lease }),
    () => api.put(path, { file_base64: lease.toString('base64') }),
    () => api.put(path, { file_url: `${origin}/lease.pdf` }),
    () => api.put(path, { file_url: `${origin}/moved` }),
    // the old names
    () => api.put(path, { content_base64: lease.toString('base64') }),
    () => api.put(path, { url: `${origin}/lease.pdf` }),
  ]) {
    await api.send('put', path, other, { 'content-type': 'application/pdf' });
    expect(await upload()).toMatchObject({ status: 200, body: shown });
    for (const reader of [api.get(`${path}?format=pdf`), screen.get(`${ORG_DOCUMENTS}/${id}/file?format=pdf`)])
      expect((await reader).body).toEqual(lease);
  }
  expect((await api.get(path)).body).toMatchObject(shown);
  expect((await api.get(`${DOCUMENTS}/${id}/content?format=pdf`)).body).toEqual(lease);
});

test('what is no file, or two, is refused by the name of its field', async () => {
  const { id } = await workflow.draft(code);
  const path = `${DOCUMENTS}/${id}/file`;
  const refused = async (body: object) => errorOf(await api.put(path, body));
  expect(await refused({})).toEqual(['missing_fields', 'file', expect.anything()]);
  expect(await refused({ file_base64: '#' })).toEqual(['validation_failed', 'file_base64', 'file_base64 must be Base64']);
  expect(await refused({ content_base64: '#' })).toEqual(['validation_failed', 'content_base64', 'content_base64 must be Base64']);
  expect(await refused({ file_url: 'https://a.example/', url: 'https://a.example/' })).toEqual([
    'validation_failed',
    'url',
    'url must be left out with file_url',
  ]);
  expect(await refused({ content_base64: 'bm8gUERG' })).toEqual(['validation_failed', 'content_base64', expect.stringContaining('no')]);
  expect(await refused({ url: `${origin}/lease.pdf`, content_base64: 'bm8=' })).toEqual([
    'validation_failed',
    'content_base64',
    expect.anything(),
  ]);
  for (const [url, message] of [
    [`${origin}/none`, 'url answered 404'],
    [`${origin}/loop`, 'url redirects more than 3 times'],
    [`${origin}/page`, 'url returned a file that is no PDF'],
    [`${origin}/bomb`, 'url has more than 10 MiB'],
    [`${origin}/inside`, 'url is not allowed: 169.254.169.254 is not a public address (linkLocal)'],
    ['http://10.0.0.1/lease.pdf', 'url is not allowed: 10.0.0.1 is not a public address (private)'],
    ['file:///etc/passwd', 'url is not allowed: must begin with https:// or http://'],
    [`http://127.0.0.1:${await freePort()}/`, 'url could not be downloaded: connection refused: nothing listens on this port of the host'],
  ])
    expect([url, ...(await refused({ url }))]).toEqual([url, 'validation_failed', 'url', message]);
  expect((await api.get(path)).status).toBe(404);
});

test('a document is created with its PDF or not at all, once for an Idempotency-Key', async () => {
  const values = { type_code: code, title: 'Lease', project_id: workflow.space.eng.id, data_values: '{"customer":"Acme"}' };
  const before = await documents();
  const create = (file: Buffer) => form('POST', DOCUMENTS, { ...values, file }, { 'idempotency-key': 'lease-1' });
  const created = await create(lease);
  expect(created).toMatchObject({ status: 201, body: { title: 'Lease', data_values: { customer: 'Acme' } } });
  expect((await create(lease)).body).toEqual(created.body);
  expect(errorOf(await create(other))).toEqual(['idempotency_key_reused', 'Idempotency-Key', expect.anything()]);
  expect((await api.get(`${DOCUMENTS}/${created.body.id}/file?format=pdf`)).body).toEqual(lease);
  const json = { ...values, data_values: {} };
  const [byUrl, byBytes] = [{ file_url: `${origin}/lease.pdf` }, { file_base64: other.toString('base64') }];
  for (const [file, bytes] of [
    [byUrl, lease],
    [byBytes, other],
  ] as const) {
    const { id } = (await api.post(DOCUMENTS, { ...json, ...file })).body;
    expect((await api.get(`${DOCUMENTS}/${id}/file?format=pdf`)).body).toEqual(bytes);
  }
  expect(await documents()).toBe(before + 3);
  expect(errorOf(await form('POST', DOCUMENTS, { ...values, file: Buffer.from('no PDF') }))).toEqual([
    'validation_failed',
    'file',
    'The file is not a PDF that can be read.',
  ]);
  expect(errorOf(await api.post(DOCUMENTS, { ...json, file_url: `${origin}/page` }))).toEqual([
    'validation_failed',
    'file_url',
    'file_url returned a file that is no PDF',
  ]);
  expect(errorOf(await api.post(DOCUMENTS, { ...json, ...byUrl, data_values: { unknown: 1 } }))[1]).toBe('data_values.unknown');
  expect(await documents()).toBe(before + 3);
});

test('the replacement of a document has its PDF and fields', async () => {
  const { id } = (
    await api.post(DOCUMENTS, { type_code: code, title: 'Lease', project_id: workflow.space.eng.id, file_url: `${origin}/lease.pdf` })
  ).body;
  await workflow.org(id, 'submit');
  await workflow.org(id, 'finalize');
  const replacement = (await api.post(`${DOCUMENTS}/${id}/replacement`, {})).body.id;
  expect((await api.get(`${DOCUMENTS}/${replacement}/file?format=pdf`)).body).toEqual(lease);
  expect(asked).toBeGreaterThan(0);
});

test('an agent gives a PDF by its address', async () => {
  const { id } = await workflow.draft(code);
  const ask = async (method: string, params: object) =>
    (await api.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method, params })).body.result;
  // the old name is valid, but not listed
  for (const name of ['file_url', 'url']) {
    const { structuredContent } = await ask('tools/call', {
      name: 'replace_document_file',
      arguments: { id, [name]: `${origin}/lease.pdf` },
    });
    expect(structuredContent).toMatchObject({ object: 'document_file', document_id: id, pages: 1 });
  }
  const { tools } = await ask('tools/list', {});
  const { properties } = tools.find(({ name }: { name: string }) => name === 'replace_document_file').inputSchema;
  expect(['file_url', 'file_base64', 'url', 'content_base64'].map((name) => name in properties)).toEqual([true, true, false, false]);
});
