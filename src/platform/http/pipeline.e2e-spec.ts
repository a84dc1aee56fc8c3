import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../../test/harness/client.js';
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
const newTitle = () => `piped note ${++titles}`;
const create = (title = newTitle(), headers?: Record<string, string>, client = notes) =>
  client.post(NOTES, { project_id: workspace.eng.id, title }, headers);
const count = async (table: string, where = 'true', values: unknown[] = []) =>
  (await app.sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${where}`, values)).rows[0].n;
const codeOf = ({ status, body }: ApiResponse) => [status, body.error?.code];

describe('a route declared once', () => {
  test('creates, reads, lists, changes and deletes, with the headers of the contract', async () => {
    const created = await create('first');
    expect(created.body).toMatchObject({ object: 'note', title: 'first', version: 1, project_id: workspace.eng.id });
    expect(created.status).toBe(201);
    expect(created.headers).toMatchObject({
      etag: '"1"',
      'svc-mode': 'live',
      'ratelimit-limit': '1000000',
      'ratelimit-policy': '"key";q=1000000;w=60, "org";q=1000000;w=60',
      'request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/),
    });
    const path = `${NOTES}/${created.body.id}`;
    const read = await notes.get(path);
    expect([read.status, read.body, read.headers.etag]).toEqual([200, created.body, '"1"']);
    const changed = await notes.patch(path, { body: 'text' });
    expect([changed.status, changed.body.version, changed.body.title, changed.body.body]).toEqual([200, 2, 'first', 'text']);
    expect((await notes.patch(path, { body: null })).body.body).toBeNull();
    expect((await notes.patch(path, {})).body.version).toBe(3);
    expect((await notes.delete(path)).status).toBe(204);
    expect(codeOf(await notes.delete(path))).toEqual([404, 'not_found']);
  });

  test('announces its deprecation', async () => {
    const { body } = await create();
    const { headers } = await notes.get(`${NOTES}/${body.id}`);
    expect(headers).toMatchObject({
      deprecation: '@1767225600',
      sunset: 'Tue, 01 Jun 2027 00:00:00 GMT',
      link: '<https://example.com/notes>; rel="deprecation", </api/v2/notes>; rel="successor-version"',
    });
  });

  test('acts for a person only with a bound key', async () => {
    const { body } = await create();
    expect(codeOf(await notes.post(`${NOTES}/${body.id}/sign`))).toEqual([403, 'key_missing_actor']);
    const bound = await workspace.key({ actor_user_id: workspace.owner.id });
    expect((await bound.client.post(`${NOTES}/${body.id}/sign`)).status).toBe(200);
  });
});

describe('the body', () => {
  const send = (body: unknown, type = 'application/json') => notes.send('post', NOTES, body, { 'content-type': type });

  test('is rejected with a separate code for each kind of error', async () => {
    expect(codeOf(await send('{"title":'))).toEqual([400, 'invalid_body']);
    expect(codeOf(await send('[1]'))).toEqual([400, 'invalid_body']);
    expect(codeOf(await send('"text"'))).toEqual([400, 'invalid_body']);
    expect(codeOf(await send('title=x', 'text/plain'))).toEqual([415, 'unsupported_media_type']);
    const large = await send(`{"title":"${'x'.repeat(1024 * 1024)}"}`);
    // there may be a field `body`, which is not what is too large
    expect([...codeOf(large), large.body.error.param]).toEqual([413, 'payload_too_large', undefined]);
    expect(codeOf(await send('{}'))).toEqual([400, 'missing_fields']);
  });

  test.each([NOTES, NOTES.replace('/ext/', '/org/'), '/api/v1/org/session', '/api/v1/ext/mcp'])(
    'that is too large is rejected with the number of bytes that %s accepts',
    async (path) => {
      const client = path.includes('/ext/') ? notes : await workspace.signIn();
      const { status, body } = await client.send('post', path, { title: 'x'.repeat(1024 * 1024) });
      expect([status, body.error.param, body.error.message]).toEqual([
        413,
        undefined,
        expect.stringMatching(/larger than the \d{5,} bytes/),
      ]);
    },
  );

  test.each([
    ['is too large', `{"title":"${'x'.repeat(1024 * 1024)}"}`, 'application/json', 413, 'payload_too_large'],
    ['has a malformed type', '{}', 'json', 415, 'unsupported_media_type'],
  ])('that %s is rejected after the key is checked, counted and logged', async (_reason, body, type, status, code) => {
    const own = await workspace.key();
    const headers = { 'content-type': type };
    const rejected = await own.client.send('post', NOTES, body, headers);
    expect([...codeOf(rejected), rejected.headers['ratelimit-limit'], rejected.headers['svc-mode']]).toEqual([
      status,
      code,
      '1000000',
      'live',
    ]);
    expect(codeOf(await own.client.with({ authorization: 'Bearer nonsense' }).send('post', NOTES, body, headers))).toEqual([
      401,
      'invalid_api_key',
    ]);
    expect(
      await eventually(
        () => count('request_logs', `api_key_id = $1 AND status = ${status} AND code = '${code}'`, [own.id]),
        (rows) => rows >= 1,
      ),
    ).toBe(1);
  });

  test('reports every invalid field, type errors first', async () => {
    const { status, body } = await notes.post(NOTES, { project_id: 'x', title: 5, body: null, extra: [] });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      type: 'invalid_request_error',
      code: 'validation_failed',
      param: 'project_id',
      message: 'project_id must be a UUID',
    });
    expect(body.error.details.map(({ param, code, message }: Record<string, string>) => [param, code, message])).toEqual([
      ['project_id', 'invalid_value', 'project_id must be a UUID'],
      ['title', 'wrong_type', 'title must be a string'],
      ['extra', 'wrong_type', 'extra must be a JSON object'],
    ]);
    expect(body.error.doc_url).toMatch(/\/docs\/errors#validation_failed$/);
  });

  test('takes UUIDs in upper case and answers them in lower case: path, query, body', async () => {
    const project = workspace.eng.id;
    const { body } = await notes.post(NOTES, { project_id: project.toUpperCase(), title: 'Upper case' });
    expect(body.project_id).toBe(project);
    expect((await notes.get(`${NOTES}/${body.id.toUpperCase()}`)).body.id).toBe(body.id);
    const found = (await notes.get(`${NOTES}?project_id=${project.toUpperCase()}&title=Upper%20case`)).body.data;
    expect(found.map(({ id }: { id: string }) => id)).toEqual([body.id]);
    const pinned = (await workspace.key({ project_id: project })).client;
    expect((await pinned.get(`${NOTES}?project_id=${project.toUpperCase()}`)).status).toBe(200);
  });

  test('cannot set fields that the server sets, which the response names', async () => {
    const other = await app.workspace();
    const { body, headers } = await notes.post(NOTES, {
      project_id: workspace.eng.id,
      title: newTitle(),
      organization_id: other.organizationId,
      mode: 'test',
      version: 7,
      __proto__x: 1,
    });
    expect(headers['svc-ignored-fields']).toBe('organization_id, mode, version, __proto__x');
    const { rows } = await app.sql.query('SELECT organization_id, mode, version FROM notes_fixture WHERE id = $1', [body.id]);
    expect(rows).toEqual([{ organization_id: workspace.organizationId, mode: 'live', version: 1 }]);
  });

  test('that violates a database constraint gets an error for its field', async () => {
    await create('taken');
    expect((await create('taken')).body.error).toMatchObject({ code: 'duplicate', param: 'title' });
    expect((await create('forbidden')).body.error).toMatchObject({ code: 'validation_failed', param: 'title' });
    expect((await notes.post(NOTES, { project_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60', title: newTitle() })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'project_id',
    });
    expect(codeOf(await create('a\u0000b'))).toEqual([400, 'validation_failed']);
    const deep = `{"project_id":"${workspace.eng.id}","title":"${newTitle()}","extra":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`;
    expect(codeOf(await notes.send('post', NOTES, deep, { 'content-type': 'application/json' }))).toEqual([400, 'validation_failed']);
  });

  test('an internal error is 500, with nothing written; outside production it tells where it comes from', async () => {
    const { status, body } = await create('crash');
    expect([status, body.error.type, body.error.code]).toEqual([500, 'api_error', 'internal_error']);
    expect(body.error.cause).toEqual({
      name: 'Error',
      message: 'crashed on purpose',
      at: expect.stringMatching(/^.*test\/harness\/fixtures\/notes\.fixture\.ts:\d+:\d+$/),
    });
    expect(await count('notes_fixture', `title = 'crash'`)).toBe(0);
    expect(await count('outbox_events', `body LIKE '%"title":"crash"%'`)).toBe(0);
  });
});

describe('If-Match', () => {
  test('guards a change against a change between, and only one of two racing ones wins', async () => {
    const { body } = await create();
    const path = `${NOTES}/${body.id}`;
    const race = await Promise.all(['a', 'b', 'c', 'd'].map((text) => notes.patch(path, { body: text }, { 'if-match': '"1"' })));
    expect(race.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    const rejected = await notes.patch(path, { body: 'e' }, { 'if-match': '"1"' });
    expect([rejected.body.error.code, rejected.headers.etag]).toEqual(['version_conflict', '"2"']);
    expect((await notes.patch(path, { body: 'f' }, { 'if-match': '*' })).status).toBe(200);
    expect((await notes.patch(path, { body: 'g' }, { 'if-match': '"9", W/"3"' })).status).toBe(200);
    expect((await notes.patch(path, { body: 'h' }, { 'if-match': 'three' })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'If-Match',
    });
    expect(codeOf(await notes.delete(path, { 'if-match': '"1"' }))).toEqual([412, 'version_conflict']);
  });
});

describe('lists', () => {
  test('page by signed cursors that fit one list only, stable under inserts', async () => {
    const own = await app.workspace();
    const { client } = await own.key();
    const add = (title: string) => client.post(NOTES, { project_id: own.eng.id, title });
    for (const title of ['a', 'b', 'c', 'd', 'e']) await add(title);
    const first = await client.get(`${NOTES}?sort=title&limit=2&include_total=true`);
    expect(first.body).toMatchObject({ object: 'list', has_more: true, total_count: 5 });
    await add('aa');
    const second = await client.get(`${NOTES}?sort=title&limit=2&cursor=${first.body.next_cursor}`);
    const third = await client.get(`${NOTES}?sort=title&limit=2&cursor=${second.body.next_cursor}`);
    expect([first, second, third].map(({ body }) => body.data.map((note: { title: string }) => note.title))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
    ]);
    expect(third.body).toMatchObject({ has_more: false, next_cursor: null });

    const cursor = first.body.next_cursor as string;
    for (const path of [
      `?sort=-title&cursor=${cursor}`,
      `?sort=title&title=a&cursor=${cursor}`,
      `?sort=title&cursor=${cursor.slice(0, -2)}`,
      `?sort=title&cursor=abc`,
    ]) {
      expect(codeOf(await client.get(NOTES + path))).toEqual([400, 'invalid_cursor']);
    }
    expect(codeOf(await notes.get(`${NOTES}?sort=title&limit=2&cursor=${cursor}`))).toEqual([400, 'invalid_cursor']);
  });

  test('reject unknown parameters', async () => {
    expect((await notes.get(`${NOTES}?titel=x`)).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'titel',
      allowed: expect.arrayContaining(['title', 'limit']),
    });
    expect((await notes.get(`${NOTES}?limit=0`)).body.error.param).toBe('limit');
    expect((await notes.get(`${NOTES}?limit=1&limit=2`)).body.error.param).toBe('limit');
    expect((await notes.get(`${NOTES}?sort=body`)).body.error).toMatchObject({
      param: 'sort',
      allowed: ['created_at', '-created_at', 'title', '-title'],
    });
    expect((await notes.get(`${NOTES}?created_after=yesterday`)).body.error.param).toBe('created_after');
    const { body } = await create();
    expect(codeOf(await notes.get(`${NOTES}/${body.id}?verbose=1`))).toEqual([400, 'validation_failed']);
  });
});

describe('tenancy', () => {
  test('a pinned key works in its project only', async () => {
    const { body: mine } = await create();
    const { body: theirs } = await notes.post(NOTES, { project_id: workspace.ops.id, title: newTitle() });
    const pinned = (await workspace.key({ project_id: workspace.ops.id })).client;
    expect(codeOf(await pinned.get(`${NOTES}/${mine.id}`))).toEqual([404, 'not_found']);
    expect((await pinned.get(`${NOTES}/${theirs.id}`)).status).toBe(200);
    expect((await pinned.get(NOTES)).body.data.every((note: { project_id: string }) => note.project_id === workspace.ops.id)).toBe(true);
    expect(codeOf(await pinned.post(NOTES, { project_id: workspace.eng.id, title: newTitle() }))).toEqual([403, 'project_scope_mismatch']);
    expect(codeOf(await pinned.get(`${NOTES}?project_id=${workspace.eng.id}`))).toEqual([403, 'project_scope_mismatch']);
  });

  test('test and live data are separate, and so are organizations', async () => {
    const live = await create(newTitle());
    const test = (await workspace.key({ mode: 'test' })).client;
    const otherOrganization = (await (await app.workspace()).key()).client;
    for (const client of [test, otherOrganization]) {
      const path = `${NOTES}/${live.body.id}`;
      for (const response of [await client.get(path), await client.patch(path, { body: 'x' }), await client.delete(path)])
        expect(codeOf(response)).toEqual([404, 'not_found']);
      expect((await client.get(`${NOTES}?include_total=true`)).body).toMatchObject({ data: [], total_count: 0 });
    }
    expect((await create(live.body.title, undefined, test)).headers['svc-mode']).toBe('test');
    expect(await count('outbox_events', `mode = 'test' AND organization_id = $1`, [workspace.organizationId])).toBe(1);
  });

  test('a test key can request failures, a live one cannot', async () => {
    const test = (await workspace.key({ mode: 'test' })).client;
    const limited = await test.get(NOTES, { 'svc-test-scenario': 'rate_limited' });
    expect([...codeOf(limited), limited.headers['retry-after']]).toEqual([429, 'rate_limited', '1']);
    expect((await test.get(NOTES, { 'svc-test-scenario': 'nonsense' })).body.error).toMatchObject({
      param: 'Svc-Test-Scenario',
      message:
        'Svc-Test-Scenario must be one of connection_lost, internal_error, rate_limited, response_lost, slow_response, unavailable, ' +
        'note_lost',
    });
    expect((await notes.get(NOTES, { 'svc-test-scenario': 'rate_limited' })).status).toBe(200);
  });

  test('a module receives the test scenario of a test key, and of no other key', async () => {
    const test = (await workspace.key({ mode: 'test' })).client;
    const scenarioOf = async (client: Client, headers: Record<string, string> = {}) => {
      expect((await client.post(NOTES, { project_id: workspace.eng.id, title: newTitle() }, headers)).status).toBe(201);
      return switches.lastScenario();
    };
    const requested = { 'svc-test-scenario': 'note_lost' };
    expect([await scenarioOf(test, requested), await scenarioOf(notes, requested), await scenarioOf(test)]).toEqual([
      'note_lost',
      null,
      null,
    ]);
  });
});

describe('keys', () => {
  test('revocation, rolling and narrowing apply to the next request', async () => {
    const { id, client } = await workspace.key();
    expect((await client.get(NOTES)).status).toBe(200);
    await keys.update(workspace.ctx(), id, { scopes: ['notes:note:write'] });
    expect((await client.get(NOTES)).body.error).toMatchObject({ code: 'insufficient_scope', required_scope: 'notes:note:read' });
    await keys.update(workspace.ctx(), id, { status: 'inactive' });
    expect(codeOf(await client.get(NOTES))).toEqual([403, 'api_key_inactive']);
    await keys.update(workspace.ctx(), id, { status: 'active', scopes: ['notes:note:read'] });
    expect((await client.get(NOTES)).status).toBe(200);
    const { secret } = await keys.roll(workspace.ctx(), id, 1);
    const next = client.with({ authorization: `Bearer ${secret}` });
    expect([(await client.get(NOTES)).status, (await next.get(NOTES)).status]).toEqual([200, 200]);
    await keys.revoke(workspace.ctx(), id);
    for (const response of [await client.get(NOTES), await next.get(NOTES)]) {
      expect(codeOf(response)).toEqual([401, 'api_key_revoked']);
      expect(response.headers['www-authenticate']).toContain('error="invalid_token"');
    }
  });

  test('a change by another process arrives through the database', async () => {
    const { id, client } = await workspace.key();
    expect((await client.get(NOTES)).status).toBe(200);
    await app.sql.query(`UPDATE api_keys SET status = 'revoked', revoked_at = now() WHERE id = $1`, [id]);
    await app.sql.query(`NOTIFY keys_changed`);
    expect(
      await eventually(
        async () => (await client.get(NOTES)).status,
        (status) => status === 401,
      ),
    ).toBe(401);
  });

  test('limits are sent in headers, charged once over all routes, and exceeding them returns the time to wait', async () => {
    const { client } = await workspace.key({ rate_limit_per_minute: 3 });
    const responses = [
      await client.get(NOTES),
      await client.get(`${NOTES}/x`),
      await client.get(`${NOTES}?limit=0`),
      await client.get(NOTES),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 404, 400, 429]);
    expect(responses.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['2', '1', '0', '0']);
    const { headers, body } = responses[3];
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect([headers['ratelimit-policy'], body.error.type]).toEqual(['"key";q=3;w=60, "org";q=1000000;w=60', 'rate_limit_error']);
  });
});

test('a method that a path does not accept is rejected with those that it accepts', async () => {
  const { client } = await (await app.workspace()).key();
  const rejected = await client.put(NOTES, {});
  expect(codeOf(rejected)).toEqual([405, 'method_not_allowed']);
  expect([rejected.headers.allow, rejected.body.error.allowed]).toEqual(['GET, HEAD, POST', ['GET', 'HEAD', 'POST']]);
  expect(codeOf(await client.with({ authorization: '' }).put(NOTES, {}))).toEqual([401, 'invalid_api_key']);
  const product = await client.put('/api/v1/org/session?x=1', {});
  expect([...codeOf(product), product.headers.allow]).toEqual([405, 'method_not_allowed', expect.stringContaining('POST')]);
  const named = await client.put(`/api/v1/org/developer/api-keys/${randomUUID()}`, {});
  expect([...codeOf(named), named.headers.allow]).toEqual([405, 'method_not_allowed', expect.stringContaining('GET')]);
  expect(codeOf(await client.put('/api/v1/org/nothing', {}))).toEqual([404, 'not_found']);
});

test('an unknown path requires a key, too, and is logged', async () => {
  const own = await app.workspace();
  const { id, client } = await own.key();
  expect(codeOf(await client.get('/api/v1/ext/notes/nots'))).toEqual([404, 'not_found']);
  expect(codeOf(await client.put('/api/v1/ext/notes/nots', {}))).toEqual([404, 'not_found']);
  expect(codeOf(await client.with({ authorization: '' }).get('/api/v1/ext/notes/nots'))).toEqual([401, 'invalid_api_key']);
  expect(codeOf(await client.get('/api/v1/elsewhere'))).toEqual([404, 'not_found']);
  expect(
    await eventually(
      () => count('request_logs', `api_key_id = $1 AND route = '/api/v1/ext/*'`, [id]),
      (rows) => rows >= 2,
    ),
  ).toBe(2);
});

test('every call with a key is logged, also rejected ones, without secrets', async () => {
  const own = await app.workspace();
  const { id, client, secret } = await own.key({ scopes: ['notes:note:read'] });
  await client.get(NOTES);
  await client.post(NOTES, { title: 'x' });
  await client.get(`${NOTES}/nothing`);
  expect(
    await eventually(
      () => count('request_logs', 'api_key_id = $1', [id]),
      (rows) => rows >= 3,
    ),
  ).toBe(3);
  const { rows } = await app.sql.query(`SELECT * FROM request_logs WHERE api_key_id = $1 ORDER BY id`, [id]);
  expect(rows.map(({ operation, status, code }) => [operation, status, code])).toEqual([
    ['list_notes', 200, null],
    ['create_note', 403, 'insufficient_scope'],
    ['get_note', 404, 'not_found'],
  ]);
  expect(JSON.stringify(rows)).not.toContain(secret);
});
