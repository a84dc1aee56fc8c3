import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { NOTES, sharedNotesApp } from '../../../../test/harness/fixtures/fixture-apps.js';

const app = await sharedNotesApp();
const workspace = await app.workspace();
const { client } = await workspace.key();
const CSV = { accept: 'text/csv' };

test('a list is a file with all its items, or with one page', async () => {
  const titles = Array.from({ length: 130 }, (_, at) => (at === 7 ? '=7' : `note ${at}`));
  for (const title of titles) await client.post(NOTES, { project_id: workspace.eng.id, title });
  const all = await client.get(NOTES, CSV);
  expect([all.status, all.headers['content-type'], all.headers['content-disposition']]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'attachment; filename=notes.csv',
  ]);
  const rows = parse(all.text, { columns: true }) as Record<string, string>[];
  expect(rows.map(({ title }) => title).sort()).toEqual(titles.map((title) => (title === '=7' ? "'=7" : title)).sort());
  const [row] = rows;
  expect([row.id, row.project_id, row.body, row.extra]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), workspace.eng.id, '', '{}']);
  const page = await client.get(`${NOTES}?limit=2`, CSV);
  expect(page.text.match(/\r\n/g)).toHaveLength(3);
  const [, next] = /^<(.+)>; rel="next"$/.exec(String(page.headers.link))!;
  expect((parse((await client.get(next, CSV)).text, { columns: true }) as object[])[0]).toEqual(rows[2]);
  // charged once
  expect(Number(all.headers['ratelimit-remaining']) - Number(page.headers['ratelimit-remaining'])).toBe(1);
});

test('JSON stays the default, errors are JSON, and a single note is no list', async () => {
  for (const accept of ['*/*', 'application/json, text/csv;q=0.5', 'text/html'])
    expect((await client.get(`${NOTES}?limit=1`, { accept })).body.object).toBe('list');
  expect((await client.get(`${NOTES}?limit=x`, CSV)).body.error.code).toBe('validation_failed');
  const { body } = await client.get(`${NOTES}?limit=1`);
  expect((await client.get(`${NOTES}/${body.data[0].id}`, CSV)).body.object).toBe('note');
});

test('a key that is revoked while its file is sent gets no further page', async () => {
  const { id, secret } = await workspace.key();
  const file = app.inside<typeof import('../../../../test/harness/part-of-file.js')>('test/harness/part-of-file.ts');
  const page = () => file.partOfFile(NOTES, `Bearer ${secret}`);
  expect(await page()).toBe(200);
  const owner = await workspace.signIn();
  expect((await owner.post(`/api/v1/org/developer/api-keys/${id}/revoke`)).status).toBe(200);
  expect(await page()).toBe(401);
});
