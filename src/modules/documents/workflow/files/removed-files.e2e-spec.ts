import { PDFDocument } from '@cantoo/pdf-lib';
import { expect, test } from '@jest/globals';
import { sharedMailApp } from '../../../../../test/harness/hosted-app.js';
import { party } from '../../testing/signing-fixture.js';
import { DOCUMENTS, ORG_DOCUMENTS, WorkflowFixture } from '../../testing/workflow-fixture.js';

const { app } = await sharedMailApp();
const workflow = await WorkflowFixture.open(app);
const { api, screen } = workflow;
const text = { type: 'string' } as const;
const field_schema = { type: 'object', properties: { customer: text, customer_email: text } } as const;
const { code } = await workflow.type({ field_schema, signature_parties: [party('customer')], retention_days: 1 });

async function pdfOf(text: string): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage([595, 842]).drawText(text, { x: 60, y: 760, size: 14 });
  return Buffer.from(await document.save());
}

async function withFile(name: string, pdf: Buffer, into?: string): Promise<{ id: string; file: string; files: string }> {
  const id = into ?? (await workflow.draft(code, { data_values: { customer: 'Ada Lovelace', customer_email: 'ada@example.com' } })).id;
  const files = `${DOCUMENTS}/${id}/files`;
  const { status, body } = await api.post(files, { content_base64: pdf.toString('base64'), name });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { id, file: body.id, files };
}

async function called(name: string, args: object) {
  const params = { name, arguments: args };
  const { body } = await api.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return body.result.structuredContent;
}

const refusal = async (files: string, body: object) => {
  const { status, body: answer } = await api.post(files, body);
  return [status, answer.error?.code, answer.error?.param];
};
const namesOf = async (id: string) => (await workflow.read(id)).files.map(({ name }: { name: string }) => name);
const rowsOf = async (id: string) =>
  (await app.sql.query('SELECT id FROM document_files WHERE document_id = $1', [id])).rows.map((row) => row.id);

test('a removed file is restored with its fields by keys, members and tools', async () => {
  const pdf = await pdfOf('An offer');
  const { id, file, files } = await withFile('Offer', pdf);
  const terms = await withFile('Terms', await pdfOf('Terms'), id);
  const place = (file_id: string, field: object) =>
    api.put(`${DOCUMENTS}/${id}/file/fields?file_id=${file_id}`, {
      fields: [{ party: 'customer', kind: 'text', page: 1, x: 0.1, y: 0.5, w: 0.4, h: 0.06, ...field }],
    });
  expect((await place(terms.file, { key: 'town', label: 'Town' })).status).toBe(200);
  expect((await place(file, { key: 'again', label: 'Again', calculated: 'town', required: false })).status).toBe(200);
  const before = (await api.get(`${DOCUMENTS}/${id}/file?file_id=${file}`)).body;

  const plan = (await api.delete(`${files}/${file}`, { 'svc-dry-run': 'true' })).body;
  expect(plan.would_delete).toEqual([{ object: 'document_file', id: file, restorable_until: expect.any(String) }]);
  const deleted = await api.delete(`${files}/${file}`);
  expect(deleted.status).toBe(204);
  const until = Date.parse(deleted.headers['svc-restorable-until'] as string);
  expect(Math.round((until - Date.now()) / 86_400_000)).toBe(30);
  expect(await namesOf(id)).toEqual(['Terms']);
  for (const path of [`${DOCUMENTS}/${id}/file?file_id=${file}`, `${DOCUMENTS}/${id}/content?format=pdf&file=${file}`])
    expect((await api.get(path)).status).toBeGreaterThanOrEqual(400);
  expect((await api.delete(`${files}/${file}`)).status).toBe(404);
  // another one has its name meanwhile
  await withFile('Offer', await pdfOf('Another offer'), id);

  const restored = await api.post(files, { removed_file_id: file });
  expect(restored.status).toBe(201);
  expect(restored.body).toMatchObject({ id: file, position: 4, name: 'Offer 2', sha256: before.sha256, fields: before.fields });
  expect((await api.get(`${DOCUMENTS}/${id}/file?file_id=${file}&format=pdf`)).body).toEqual(pdf);
  expect(await refusal(files, { removed_file_id: file })).toEqual([400, 'validation_failed', 'removed_file_id']);

  const theirs = `${ORG_DOCUMENTS}/${id}/files`;
  expect((await screen.delete(`${theirs}/${file}`)).status).toBe(204);
  const byMember = await screen.post(theirs, { removed_file_id: file, name: 'First offer' });
  expect([byMember.status, byMember.body.name]).toEqual([201, 'First offer']);

  const done = await called('delete_document_file', { id, file_id: file });
  const message = expect.stringMatching(/^Deleted. add_document_file with removed_file_id restores it until \d{4}-\d\d-\d\d\.$/);
  expect(done).toEqual({ deleted: true, id: file, message, restorable_until: expect.any(String) });
  expect(await called('add_document_file', { id, removed_file_id: file })).toMatchObject({ id: file, name: 'First offer' });
  expect(await namesOf(id)).toEqual(['Terms', 'Offer', 'First offer']);
  const { rows } = await app.sql.query('SELECT detail FROM document_audit_entries WHERE document_id = $1 ORDER BY id', [id]);
  const details = rows.map(({ detail }) => detail as object | null);
  for (const member of ['removed_file_id', 'restored_file_id'])
    expect(details.filter((detail) => detail && member in detail)).toEqual(Array(3).fill({ [member]: file, file_sha256: before.sha256 }));
});

test('a removed file is restored only into its document, while that can be edited and has room, within 30 days', async () => {
  const pdf = await pdfOf('An offer');
  const { id, file, files } = await withFile('Offer', pdf);
  expect((await api.delete(`${files}/${file}`)).status).toBe(204);
  const other = await workflow.draft(code, { data_values: { customer: 'Grace Hopper', customer_email: 'grace@example.com' } });
  expect(await refusal(`${DOCUMENTS}/${other.id}/files`, { removed_file_id: file })).toEqual([400, 'validation_failed', 'removed_file_id']);
  expect(await refusal(files, { removed_file_id: file, from_document_id: other.id })).toEqual([
    400,
    'validation_failed',
    'from_document_id',
  ]);
  // with the document
  expect((await api.delete(`${DOCUMENTS}/${id}`)).status).toBe(204);
  expect(await rowsOf(id)).toEqual([]);
  expect((await api.post(`${DOCUMENTS}/${id}/restore`)).status).toBe(200);
  expect((await api.post(files, { removed_file_id: file })).status).toBe(201);
  expect((await api.delete(`${files}/${file}`)).status).toBe(204);

  const fill = 'UPDATE documents SET files = $2 WHERE id = $1';
  const entry = { id: other.id, pages: 1, bytes: 1, sha256: '' };
  const full = Array.from({ length: 19 }, (_, index) => ({ ...entry, name: `n${index}` }));
  await app.sql.query(fill, [id, JSON.stringify(full)]);
  expect(await refusal(files, { removed_file_id: file })).toEqual([400, 'validation_failed', 'removed_file_id']);
  await app.sql.query(fill, [id, '[]']);

  expect((await workflow.submit(id)).status).toBe(200);
  expect((await refusal(files, { removed_file_id: file })).slice(0, 2)).toEqual([400, 'invalid_transition']);

  const late = await withFile('Late', pdf);
  expect((await api.delete(`${late.files}/${late.file}`)).status).toBe(204);
  expect(await rowsOf(late.id)).toEqual([late.file]);
  await app.sql.query(`UPDATE document_files SET removed_at = removed_at - interval '30 days' WHERE id = $1`, [late.file]);
  expect(await refusal(late.files, { removed_file_id: late.file })).toEqual([400, 'validation_failed', 'removed_file_id']);
  await app.runScheduledJob('platform.purge');
  expect(await rowsOf(late.id)).toEqual([]);
  expect(await rowsOf(id)).toEqual([file]);
  // with the contents of the document
  await app.sql.query(`UPDATE documents SET ended_at = now() - interval '2 days' WHERE id = $1`, [id]);
  await app.runScheduledJob('documents.retention');
  expect(await rowsOf(id)).toEqual([]);
});

test('a removed file that contains the address of an erased person is erased; one that its document has is not', async () => {
  const email = 'erased.person@example.com';
  const { id, file, files } = await withFile('Offer', await pdfOf(`To ${email}`));
  const other = await withFile('Other', await pdfOf(`To ${email} as well`), id);
  const held = await withFile('Held', await pdfOf(`To ${email}, on hold`));
  for (const path of [`${files}/${file}`, `${held.files}/${held.file}`]) expect((await api.delete(path)).status).toBe(204);
  expect((await screen.put(`${ORG_DOCUMENTS}/${held.id}/retention/legal-hold`, { reason: 'Lawsuit' })).status).toBe(200);
  expect((await screen.post('/api/v1/org/person-erasures', { email, dry_run: false })).status).toBe(200);
  expect([await rowsOf(id), await rowsOf(held.id)]).toEqual([[other.file], [held.file]]);
});
