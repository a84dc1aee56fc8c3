import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { ownApp } from '../../../../../test/harness/hosted-app.js';
import { S3Server } from '../../../../../test/harness/s3-server.js';
import { WorkflowFixture } from '../../testing/workflow-fixture.js';

const s3 = await S3Server.start();
afterAll(() => s3.close());
const app = await ownApp({ env: s3.env });
const [ours, theirs] = await Promise.all([WorkflowFixture.open(app), WorkflowFixture.open(app)]);
const { code } = await ours.type();
const { code: code2 } = await theirs.type();

async function pdfOf(text: string): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage([595, 842]).drawText(text, { x: 60, y: 760, size: 14 });
  return Buffer.from(await document.save());
}

const at = (id: string) => `/api/v1/org/papers/documents/${id}/file`;

async function uploaded(fixture: WorkflowFixture, type: string, pdf: Buffer, into?: string): Promise<string> {
  const id = into ?? (await fixture.draft(type)).id;
  const headers = { ...fixture.screen.headers, 'content-type': 'application/pdf' };
  const response = await fetch(app.url + at(id), { method: 'PUT', headers, body: new Uint8Array(pdf) });
  if (response.status !== 200) throw new Error(await response.text());
  return id;
}

const download = (fixture: WorkflowFixture, id: string) => fetch(`${app.url}${at(id)}?format=pdf`, { headers: fixture.screen.headers });

async function bytesAt(fixture: WorkflowFixture, id: string): Promise<Buffer> {
  return Buffer.from(await (await download(fixture, id)).arrayBuffer());
}

/** The tar archive of everything that the organization has. */
async function exported({ space }: WorkflowFixture): Promise<Buffer> {
  const { headers } = await space.signIn();
  const parts: Buffer[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const path: string = `/api/v1/org/organization/export${cursor && `?cursor=${encodeURIComponent(cursor)}`}`;
    const response: Response = await fetch(app.url + path, { headers });
    if (response.status !== 200) throw new Error(await response.text());
    parts.push(gunzipSync(await response.arrayBuffer()));
    cursor = response.headers.get('svc-next-cursor');
  }
  return Buffer.concat(parts);
}

const shaOf = (pdf: Buffer) => createHash('sha256').update(pdf).digest('hex');

async function objects(pdf: Buffer): Promise<{ id: string; organization_id: string; key: string | null; here: boolean }[]> {
  const text = 'SELECT id, organization_id, key, bytes IS NOT NULL AS here FROM objects WHERE sha256 = $1 ORDER BY id';
  return (await app.sql.query(text, [shaOf(pdf)])).rows;
}

/** The contents in the bucket by their keys. */
function inBucket(): Map<string, string> {
  const files = readdirSync(s3.folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('_object'));
  return new Map(files.map((name) => [name.replace(/^.*suite\/|\._S3rver_object$/g, ''), join(s3.folder, name)]));
}

const runsAs = (identity: string | null) =>
  app.sql.query(`INSERT INTO installation (database_identity) VALUES ($1) ON CONFLICT (is_only) DO UPDATE SET database_identity = $1`, [
    identity,
  ]);
await runsAs('original');

const move = () => app.runScheduledJob('platform.move_files');
const collect = (minutes: number) => app.runScheduledJob('platform.collect_files', new Date(Date.now() + minutes * 60_000));

test('a file is stored once for an organization, moved to the bucket, read from there, and deleted with its last reference', async () => {
  const [pdf, other] = [await pdfOf('A lease'), await pdfOf('Another lease')];
  const [first, second, foreign] = [await uploaded(ours, code, pdf), await uploaded(ours, code, pdf), await uploaded(theirs, code2, pdf)];
  expect((await objects(pdf)).map(({ organization_id }) => organization_id).sort()).toEqual(
    [ours, theirs].map(({ space }) => space.organizationId).sort(),
  );
  await move();
  const stored = await objects(pdf);
  expect(stored.map(({ here }) => here)).toEqual([false, false]);
  const bucket = inBucket();
  expect(stored.map(({ key }) => readFileSync(bucket.get(key as string) as string).equals(pdf))).toEqual([true, true]);
  expect(await bytesAt(ours, first)).toEqual(pdf);
  expect(await bytesAt(theirs, foreign)).toEqual(pdf);
  expect((await exported(ours)).includes(pdf)).toBe(true);
  // a change that reads it from there
  for (const action of ['submit', 'finalize']) expect((await ours.org(first, action)).status).toBe(200);
  const { body } = await ours.screen.get(`${at(second)}`);
  expect(body.sha256).toBe(shaOf(pdf));

  const [{ key }] = stored.filter(({ organization_id }) => organization_id === theirs.space.organizationId);
  await uploaded(theirs, code2, other, foreign);
  await uploaded(ours, code, other, second);
  await collect(59);
  expect(inBucket().has(key as string)).toBe(true);
  await collect(61);
  // the document that was finalized still has it
  expect((await objects(pdf)).map(({ organization_id }) => organization_id)).toEqual([ours.space.organizationId]);
  expect(inBucket().has(key as string)).toBe(false);
  expect(await bytesAt(ours, second)).toEqual(other);
});

test('the file of a deleted draft is kept as long as the draft can be restored', async () => {
  const pdf = await pdfOf('A deleted draft');
  const id = await uploaded(ours, code, pdf);
  await move();
  const draft = `/api/v1/org/papers/documents/${id}`;
  expect((await ours.screen.delete(draft)).status).toBe(204);
  await collect(61);
  expect((await ours.screen.post(`${draft}/restore`)).status).toBe(200);
  expect(await bytesAt(ours, id)).toEqual(pdf);
  await collect(61);
  expect(await bytesAt(ours, id)).toEqual(pdf);
  expect((await ours.screen.delete(draft)).status).toBe(204);
  await app.sql.query('DELETE FROM deleted_records WHERE record_id = $1', [id]);
  await collect(61);
  expect(await objects(pdf)).toEqual([]);
});

test('while the bucket is down, files are stored and those in it answer 503; another content is no answer', async () => {
  const [kept, later] = [await pdfOf('In the bucket'), await pdfOf('Stored meanwhile')];
  const id = await uploaded(ours, code, kept);
  await move();
  await s3.stop();
  const refused = await download(ours, id);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  const meanwhile = await uploaded(ours, code, later);
  await expect(move()).rejects.toThrow('could not be moved');
  expect(await bytesAt(ours, meanwhile)).toEqual(later);
  await s3.resume();
  await move();
  expect([(await objects(later))[0].here, await bytesAt(ours, meanwhile)]).toEqual([false, later]);

  const [{ key }] = await objects(kept);
  writeFileSync(inBucket().get(key as string) as string, Buffer.alloc(kept.length, 'x'));
  await expect(bytesAt(ours, id)).rejects.toThrow();
  writeFileSync(inBucket().get(key as string) as string, kept);
  // and all the way back
  await app.service<{ all(target: string): Promise<object> }>('MoveFiles').all('database');
  expect([(await objects(kept))[0], await bytesAt(ours, id)]).toEqual([expect.objectContaining({ here: true, key: null }), kept]);
  // a copy of the database deletes nothing that the original needs
  for (const other of ['copy', null]) {
    await runsAs(other);
    await collect(61);
    expect(inBucket().has(key as string)).toBe(true);
  }
  await runsAs('original');
  await collect(61);
  expect(inBucket().has(key as string)).toBe(false);
});

test('files that cannot be moved stop no others', async () => {
  const pdfs = await Promise.all(['1', '2', '3', '4', '5', '6'].map((text) => pdfOf(`Moved ${text}`)));
  for (const pdf of pdfs) await uploaded(ours, code, pdf);
  await move();
  const { rows } = await app.sql.query<{ key: string }>('SELECT key FROM objects WHERE bytes IS NULL ORDER BY id');
  const broken = rows.slice(0, 3).map(({ key }) => inBucket().get(key) as string);
  const contents = broken.map((path) => readFileSync(path));
  for (const path of broken) writeFileSync(path, 'x');
  const files = app.service<{ all(target: string): Promise<object> }>('MoveFiles');
  expect(await files.all('database')).toEqual({ moved: rows.length - 3, failed: 3, reason: expect.stringContaining('is not the content') });
  for (const [index, path] of broken.entries()) writeFileSync(path, contents[index]);
  expect(await files.all('database')).toEqual({ moved: 3, failed: 0, reason: null });
});

test('files of rows from before become objects, with unchanged rows, and are read all the time', async () => {
  const pdf = await pdfOf('From before');
  const id = await uploaded(ours, code, await pdfOf('A placeholder'));
  await app.sql.query('UPDATE document_files SET pdf = $2, pdf_object_id = NULL, sha256 = $3 WHERE document_id = $1', [
    id,
    pdf,
    shaOf(pdf),
  ]);
  for (const action of ['submit', 'finalize']) expect((await ours.org(id, action)).status).toBe(200);
  await app.sql.query('ALTER TABLE document_renditions DISABLE TRIGGER USER');
  await app.sql.query(
    'UPDATE document_renditions r SET pdf = o.bytes, pdf_object_id = NULL FROM objects o WHERE o.id = r.pdf_object_id AND document_id = $1',
    [id],
  );
  await app.sql.query('ALTER TABLE document_renditions ENABLE TRIGGER USER');
  const final = async () => (await ours.screen.get(`/api/v1/org/papers/documents/${id}/content?format=pdf`)).body as Buffer;
  const before = [await bytesAt(ours, id), await final()];
  const rows = async () =>
    (
      await app.sql.query(
        `SELECT version, updated_at, pdf IS NULL AS adopted FROM document_files WHERE document_id = $1
         UNION ALL SELECT version, updated_at, pdf IS NULL FROM document_renditions WHERE document_id = $1`,
        [id],
      )
    ).rows as { adopted: boolean }[];
  const shown = await rows();
  await collect(2 * 24 * 60);
  expect(await rows()).toEqual(shown.map((row) => ({ ...row, adopted: true })));
  expect([await bytesAt(ours, id), await final()]).toEqual(before);
  expect(before[0]).toEqual(pdf);
});

test('logos and pictures are objects as well, also those of rows from before', async () => {
  const drawn = async (color: string) =>
    sharp({ create: { width: 60, height: 20, channels: 3, background: color } })
      .png()
      .toBuffer();
  const [logo, picture] = await Promise.all([drawn('#204060'), drawn('#602040')]);
  const path = '/api/v1/org/papers/settings';
  const set = await ours.screen.patch(path, { logo: `data:image/png;base64,${logo.toString('base64')}` });
  const content_base64 = picture.toString('base64');
  const image = await ours.api.post('/api/v1/ext/papers/images', { content_base64, project_id: ours.space.eng.id });
  expect([set.status, image.status]).toEqual([200, 201]);
  await move();
  expect((await objects(logo)).map(({ here }) => here)).toEqual([false]);
  const shown = async () => Buffer.from(await (await fetch(app.url + (set.body.logo as string))).arrayBuffer());
  expect(await shown()).toEqual(logo);

  // a storage that is down stops no submission, and one that hangs holds nothing that others need
  const properties = { photo: { type: 'string', title: 'Photo', 'x-format': 'image' } };
  const template = '# House\n\n{{#image photo, 50}}';
  const { code: house } = await ours.type({ field_schema: { type: 'object', properties } as never, template });
  const { id } = await ours.draft(house, { data_values: { photo: image.body.reference } });
  const { code: approved } = await ours.approvedBy([await ours.space.member('admin')]);
  const asks = await ours.draft(approved);
  await s3.stop();
  for (const draft of [id, asks.id]) expect((await ours.submit(draft)).body).toMatchObject({ id: draft });
  const { rows: mails } = await app.sql.query(
    `SELECT html LIKE '%"cid:logo-' || $1 || '"%' AS has_logo FROM mails WHERE organization_id = $2`,
    [shaOf(logo), ours.space.organizationId],
  );
  expect(mails).toEqual([{ has_logo: true }]);
  const asked = new Promise<void>((done) => void s3.hang(done));
  const finalization = ours.org(id, 'finalize');
  await asked;
  await expect(app.sql.query('SELECT FROM documents WHERE id = $1 FOR UPDATE NOWAIT', [id])).resolves.toMatchObject({ rowCount: 1 });
  await s3.resume();
  expect([200, 503]).toContain((await finalization).status);
  if ((await finalization).status === 503) expect((await ours.org(id, 'finalize')).status).toBe(200);
  const page = await ours.screen.get(`/api/v1/org/papers/documents/${id}/content?format=html`);
  expect(page.text).toMatch(/<img class="image" src="data:image\/png;base64,[^"]{50,}"/);

  const columns = [
    ['document_settings', 'logo'],
    ['document_images', 'bytes'],
  ];
  const files = app.service<{ all(target: string): Promise<object> }>('MoveFiles');
  // again if the scheduled job moved a content to the storage in between
  const asBefore = async () => {
    for (let [hasMoved, tries] = [true, 0]; hasMoved && tries < 10; tries++) {
      await files.all('database');
      hasMoved = false;
      for (const [table, name] of columns) {
        await app.sql.query(
          `UPDATE ${table} t SET ${name} = o.bytes, ${name}_object_id = NULL FROM objects o
           WHERE o.id = t.${name}_object_id AND o.bytes IS NOT NULL`,
        );
        const left = await app.sql.query(`SELECT FROM ${table} WHERE ${name}_object_id IS NOT NULL`);
        hasMoved ||= left.rowCount !== 0;
      }
    }
  };
  const waiting = async () => {
    const left = columns.map(([table, name]) =>
      app.sql.query(`SELECT FROM ${table} WHERE ${name}_object_id IS NULL AND ${name} IS NOT NULL`),
    );
    return (await Promise.all(left)).map(({ rowCount }) => (rowCount ?? 0) > 0);
  };
  await app.sql.query(`CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`);
  // a table whose rows cannot be changed keeps no other waiting
  for (const [index, [table]] of columns.entries()) {
    await asBefore();
    expect(await shown()).toEqual(logo);
    await app.sql.query(`CREATE TRIGGER refuse_change BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_change()`);
    await expect(collect((4 + 2 * index) * 24 * 60)).rejects.toThrow('refused');
    expect(await waiting()).toEqual([index === 0, index === 1]);
    await app.sql.query(`DROP TRIGGER refuse_change ON ${table}`);
  }
  await collect(8 * 24 * 60);
  expect(await waiting()).toEqual([false, false]);
  expect(await shown()).toEqual(logo);
  expect((await ours.screen.patch(path, { logo: null })).status).toBe(200);
  await collect(8 * 24 * 60 + 61);
  expect([(await objects(logo)).length, (await fetch(app.url + (set.body.logo as string))).status]).toEqual([0, 404]);
});
