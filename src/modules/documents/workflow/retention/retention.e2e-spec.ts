import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { sharedMailApp } from '../../../../../test/harness/hosted-app.js';
import { GenerationFixture } from '../../testing/generation-fixture.js';
import { party, SigningFixture } from '../../testing/signing-fixture.js';

const { app, mailbox } = await sharedMailApp();
const signing = await SigningFixture.open(app, mailbox);
const { workflow, visitor } = signing;
const ORG = '/api/v1/org/papers/documents';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const retention = async (id: string) => (await workflow.screen.get(`${ORG}/${id}/retention`)).body;

async function executed(type: object): Promise<{ id: string; link: string }> {
  const { id, customer } = await signing.sent([party('customer')], type);
  const link = await signing.link(customer);
  expect((await signing.sign(link)).status).toBe(303);
  return { id, link };
}

test('contents are erased after the days of the type; hashes, parties and audit trail stay', async () => {
  const { id, link } = await executed({ retention_days: 30 });
  await workflow.screen.post(`${ORG}/${id}/comments`, { body: 'Private remark' });
  const before = await workflow.read(id);
  await app.runScheduledJob('documents.retention', inDays(29.9));
  expect(await workflow.read(id)).toEqual(before);
  await app.runScheduledJob('documents.retention', inDays(30.1));
  const after = await workflow.read(id);
  expect(after).toMatchObject({ data_values: {}, state: 'executed', number: before.number, content_sha256: before.content_sha256 });
  expect(after.signature.parties).toEqual(before.signature.parties);
  expect((await retention(id)).erased_at).not.toBeNull();
  for (const [path, client] of [
    [`/api/v1/ext/papers/documents/${id}/content?format=pdf`, workflow.api],
    [`/api/v1/ext/papers/documents/${id}/content?format=text`, workflow.api],
    [`${link}/pdf`, visitor],
    [link, visitor],
  ] as const)
    expect((await client.get(path)).status).toBe(410);
  const { rows } = await app.sql.query(
    `SELECT (SELECT (sum(length(html)) + count(pdf) + count(pdf_object_id))::int FROM document_renditions WHERE document_id = $1) AS bytes,
       (SELECT count(*)::int FROM document_renditions WHERE document_id = $1 AND length(sha256) = 64) AS hashes,
       (SELECT count(*)::int FROM document_comments WHERE document_id = $1) AS comments,
       (SELECT count(*)::int FROM signature_parties
         WHERE document_id = $1 AND signature IS NULL AND evidence_sha256 IS NOT NULL) AS parties,
       (SELECT array_agg(action ORDER BY id) FROM document_audit_entries WHERE document_id = $1) AS actions`,
    [id],
  );
  expect(rows[0]).toMatchObject({ bytes: 0, hashes: 2, comments: 0, parties: 1 });
  expect(rows[0].actions.at(0)).toBe('papers.create');
  expect(rows[0].actions.at(-1)).toBe('papers.erase');
});

test('a document that is in force, on hold or without a rule is kept; the end of its validity and of the hold count', async () => {
  const valid = await executed({ retention_days: 30, validity_months: 12 });
  const free = await executed({});
  const held = await executed({ retention_days: 30 });
  const hold = (id: string, reason: string | null, client = workflow.screen) => client.put(`${ORG}/${id}/retention/legal-hold`, { reason });
  const member = await workflow.space.signIn((await workflow.space.member('member')).email);
  expect((await hold(held.id, 'Lawsuit', member)).status).toBe(403);
  expect((await hold(held.id, 'Lawsuit')).body).toMatchObject({ legal_hold: 'Lawsuit', erased_at: null });
  await app.runScheduledJob('documents.retention', inDays(300));
  for (const { id } of [valid, free, held]) expect((await retention(id)).erased_at).toBeNull();
  expect((await retention(valid.id)).ended_at).toBeNull();

  await app.sql.query(`UPDATE documents SET valid_until_on = '2020-01-01' WHERE id = $1`, [valid.id]);
  await app.runScheduledJob('documents.expire');
  expect((await hold(held.id, null)).body.legal_hold).toBeNull();
  await app.runScheduledJob('documents.retention', inDays(31));
  expect([(await retention(valid.id)).erased_at, (await retention(held.id)).erased_at]).toEqual([expect.any(String), expect.any(String)]);
  expect((await retention(free.id)).erased_at).toBeNull();
  expect((await hold(held.id, 'Too late')).status).toBe(410);
});

test('pictures are printed, must have been uploaded, and are erased with the last document that names them', async () => {
  const properties = {
    photo: { type: 'string', 'x-format': 'image', 'x-label': 'Photo of the flat' },
    rooms: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, plan: { type: 'string', 'x-format': 'image' } } },
    },
  };
  const template = '# Flat\n\n{{#image photo, 50}}\n\n{{#table rooms}}';
  const { code, id: typeId } = await workflow.type({ field_schema: { type: 'object', properties } as never, template, retention_days: 1 });
  const upload = async (bytes: Buffer, type = 'image/png') => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)], { type }), 'photo');
    form.set('project_id', workflow.space.eng.id);
    const { 'content-type': _, ...headers } = workflow.api.headers;
    const response = await fetch(`${app.url}/api/v1/ext/papers/images`, { method: 'POST', headers, body: form });
    return { status: response.status, body: await response.json() };
  };
  const picture = (r: number, width = 3_000) => sharp({ create: { width, height: 1_500, channels: 3, background: { r, g: 80, b: 80 } } });
  const jpeg = await picture(1).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  const photo = await upload(jpeg, 'image/jpeg');
  // turned as the camera held it, and no larger than pages need
  const stored = async (reference: string) =>
    (await app.sql.query(`SELECT media_type, width, height FROM document_images WHERE 'image:' || sha256 = $1`, [reference])).rows[0];
  expect([photo.status, await stored(photo.body.reference)]).toEqual([201, { media_type: 'image/jpeg', width: 800, height: 1_600 }]);
  expect((await upload(jpeg, 'image/jpeg')).body).toEqual(photo.body);
  expect((await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).body.error).toMatchObject({ param: 'file' });
  const content_base64 = (await picture(2, 30).webp().toBuffer()).toString('base64');
  const { body: plan } = await workflow.api.post('/api/v1/ext/papers/images', { content_base64, project_id: workflow.space.eng.id });
  expect(await stored(plan.reference)).toMatchObject({ media_type: 'image/png', width: 30 });

  const data_values = { photo: photo.body.reference, rooms: [{ name: 'Hall', plan: plan.reference }] };
  const [{ id }, other] = [
    await workflow.draft(code, { data_values }),
    await workflow.draft(code, { data_values: { photo: plan.reference } }),
  ];
  const unknown = await workflow.draft(code, { data_values: { photo: `image:${'0'.repeat(64)}` } });
  expect((await workflow.submit(unknown.id)).body.error).toMatchObject({ code: 'validation_failed', param: 'data_values.photo' });
  expect((await workflow.submit(id)).status).toBe(200);
  expect((await workflow.org(id, 'finalize')).status).toBe(200);
  const page = await workflow.api.get(`/api/v1/ext/papers/documents/${id}/content?format=html`);
  expect(page.headers['content-security-policy']).toContain('img-src data:;');
  expect(page.text).toMatch(
    /<p><img class="image" src="data:image\/jpeg;base64,[^"]+" alt="Photo of the flat" width="189" height="378" \/><\/p>/,
  );
  expect(page.text).toMatch(/<td><img class="image" src="data:image\/png;base64,[^"]+" alt="Plan" /);
  const pdf = (await workflow.api.get(`/api/v1/ext/papers/documents/${id}/content?format=pdf`)).body as Buffer;
  expect(pdf.toString('latin1')).toMatch(/\/Subtype \/Image/);
  expect(pdf.toString('latin1')).toContain('/Alt (Photo of the flat)');

  expect((await workflow.org(id, 'revoke', { reason: 'Sold' })).status).toBe(200);
  await app.runScheduledJob('documents.retention', inDays(1.1));
  const { rows } = await app.sql.query(`SELECT 'image:' || sha256 AS reference FROM document_images`);
  // the other document still names the plan
  expect(rows).toEqual([{ reference: plan.reference }]);
  expect((await workflow.read(other.id)).data_values.photo).toBe(plan.reference);

  // what nothing names after 30 days is deleted
  const unused = (await upload(await picture(9).png().toBuffer())).body.reference;
  // only a trigger and the default of a type name these
  const logo = (await upload(await picture(11).png().toBuffer())).body.reference;
  const seal = (await upload(await picture(12).png().toBuffer())).body.reference;
  const given = { event_type: 'flat.let', title_template: 'Flat', source_map: { photo: { const: logo } } };
  await new GenerationFixture(workflow).trigger(typeId, given);
  const withDefault = { type: 'object', properties: { photo: { type: 'string', 'x-format': 'image', default: seal } } };
  await workflow.type({ field_schema: withDefault as never });
  await app.runScheduledJob('documents.unused_images', inDays(29.9));
  expect(await stored(unused)).toBeDefined();
  await app.runScheduledJob('documents.unused_images', inDays(30.1));
  const kept = [plan.reference, logo, seal];
  expect([await stored(unused), ...(await Promise.all(kept.map(stored)))]).toEqual([undefined, ...kept.map(() => expect.anything())]);
});

test('a document that was declined is erased, cannot be reopened then, and nothing else can change what is frozen', async () => {
  const { id, customer } = await signing.sent([party('customer')], { retention_days: 1 });
  await expect(
    app.sql.query(`UPDATE document_renditions SET pdf_object_id = NULL, html = '' WHERE document_id = $1`, [id]),
  ).rejects.toThrow('append-only');
  await signing.post(`${await signing.link(customer)}/decline`, { reason: 'No' });
  await app.runScheduledJob('documents.retention', inDays(1.1));
  expect((await workflow.org(id, 'reopen')).body.error.code).toBe('content_erased');
  expect((await workflow.screen.get(`${ORG}/${id}`)).body.allowed_actions).toEqual([]);
  await expect(app.sql.query(`UPDATE document_renditions SET html = 'x' WHERE document_id = $1`, [id])).rejects.toThrow('append-only');
});
