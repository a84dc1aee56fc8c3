import { describe, expect, test } from '@jest/globals';
import type { ApiResponse } from '../../../test/harness/client.js';
import { eventually } from '../../../test/harness/eventually.js';
import { NOTES, notesSwitches, sharedNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';
import type { ApiKeysService } from '../keys/api-keys.service.js';

const app = await sharedNotesApp();
const switches = notesSwitches(app);
const keys = app.service<ApiKeysService>('ApiKeysService');
const workspace = await app.workspace();
const { client: notes } = await workspace.key();
let titles = 0;

// other specs create notes in the same database
const newTitle = () => `idempotent note ${++titles}`;
const create = (title = newTitle(), headers?: Record<string, string>, client = notes) =>
  client.post(NOTES, { project_id: workspace.eng.id, title }, headers);
const count = async (table: string, where = 'true', values: unknown[] = []) =>
  (await app.sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${where}`, values)).rows[0].n;
const codeOf = ({ status, body }: ApiResponse) => [status, body.error?.code];

describe('Idempotency-Key', () => {
  const withKey = (value: string) => ({ 'idempotency-key': value });

  test('a repeat gets the first response and has no effect', async () => {
    const title = newTitle();
    const ran = await switches.creations();
    const first = await create(title, withKey('repeat'));
    const second = await create(title, withKey('repeat'));
    expect([second.status, second.body, second.headers.etag, second.headers['idempotent-replayed']]).toEqual([
      201,
      first.body,
      '"1"',
      'true',
    ]);
    expect(await switches.creations()).toBe(ran + 1);
    expect(await count('outbox_events', `body LIKE $1`, [`%${first.body.id}%`])).toBe(1);
    const reordered = await notes.post(NOTES, { title, project_id: workspace.eng.id }, withKey('repeat'));
    expect(reordered.headers['idempotent-replayed']).toBe('true');
  });

  test('another body is rejected, another path or key is another operation', async () => {
    await create(newTitle(), withKey('other'));
    expect(codeOf(await create(newTitle(), withKey('other')))).toEqual([422, 'idempotency_key_reused']);
    const second = await workspace.key();
    expect((await create(newTitle(), withKey('other'), second.client)).headers['idempotent-replayed']).toBeUndefined();
  });

  test('neither rejections nor internal errors are stored: the key works again, with corrected arguments too', async () => {
    expect((await create('dull', withKey('dull'))).body.error.code).toBe('too_dull');
    const again = await create('dull', withKey('dull'));
    expect([again.body.error.code, again.headers['idempotent-replayed']]).toEqual(['too_dull', undefined]);
    expect(await count('notes_fixture', `title = 'dull'`)).toBe(0);
    expect(await count('outbox_events', `body LIKE '%"title":"dull"%'`)).toBe(0);
    const title = newTitle();
    const corrected = await create(title, withKey('dull'));
    expect([corrected.status, corrected.body.title]).toEqual([201, title]);
    expect(await create(title, withKey('dull'))).toMatchObject({ body: corrected.body, headers: { 'idempotent-replayed': 'true' } });

    expect((await notes.post(NOTES, { title: 5 }, withKey('validation'))).status).toBe(400);
    expect((await create(newTitle(), withKey('validation'))).status).toBe(201);

    const ran = await switches.creations();
    await create('crash', withKey('crash'));
    await create('crash', withKey('crash'));
    expect(await switches.creations()).toBe(ran + 2);
  });

  test('of concurrent requests one runs; the others get 409 and later its response', async () => {
    await switches.holdCreations();
    const title = newTitle();
    const ran = await switches.creations();
    const running = create(title, withKey('race'));
    await eventually(switches.creations, (created) => created > ran);
    const rejected = await create(title, withKey('race'));
    expect([...codeOf(rejected), rejected.headers['retry-after']]).toEqual([409, 'idempotency_in_progress', '1']);
    await switches.releaseCreations();
    const first = await running;
    expect((await create(title, withKey('race'))).body).toEqual(first.body);
  });

  test('twenty concurrent requests create one note', async () => {
    const title = newTitle();
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(title, withKey('storm'))));
    expect(await count('notes_fixture', 'title = $1', [title])).toBe(1);
    expect(new Set(responses.map(({ status }) => status))).toEqual(
      new Set(responses.some(({ status }) => status === 409) ? [201, 409] : [201]),
    );
  });

  test('survives the rolling of the key, and must be printable', async () => {
    const rolled = await workspace.key();
    const title = newTitle();
    const first = await create(title, withKey('roll'), rolled.client);
    const { secret } = await keys.roll(workspace.ctx(), rolled.id, 0);
    const again = await create(title, withKey('roll'), rolled.client.with({ authorization: `Bearer ${secret}` }));
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
    expect((await create(newTitle(), withKey('x'.repeat(256)))).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'Idempotency-Key',
    });
  });
});

test('the purge deletes responses that are no longer replayed, however many, and no others', async () => {
  const insert = (name: string, count: number, hours: number) =>
    app.sql.query(
      `INSERT INTO idempotency_records (scope, fingerprint, status, headers, created_at)
       SELECT sha256(convert_to($1 || n, 'UTF8')), sha256('of this test'), 200, '{}', now() - $3 * interval '1 hour' FROM generate_series(1,
       $2::int) n`,
      [name, count, hours],
    );
  await insert('kept', 10, 23.9);
  await insert('expired', 6_000, 24.1);
  await app.runScheduledJob('platform.purge');
  const { rows } = await app.sql.query(
    `SELECT count(*)::int AS count, min(created_at) > now() - interval '24 hours' AS kept FROM idempotency_records
     WHERE fingerprint = sha256('of this test')`,
  );
  expect(rows).toEqual([{ count: 10, kept: true }]);
});
