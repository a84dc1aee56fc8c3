import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../harness/client.js';
import { ownHabitsApp } from '../harness/fixtures/fixture-apps.js';
import type { Workspace } from '../harness/workspace.js';

// What a developer who knows Nest writes in habits.fixture.ts works. What would not work stops the boot: nest-habits.spec.ts.

const GARAGES = '/api/v1/ext/garages';
const app = await ownHabitsApp();
let workspace: Workspace;
let key: Client;
beforeAll(async () => {
  workspace = await app.workspace();
  key = (await workspace.key({ module: 'garages' })).client;
});

test.each([
  ['not_found', 404, 'not_found_error', 'not_found', 'no such vehicle'],
  ['conflict', 409, 'conflict_error', 'resource_conflict', 'the plate is taken'],
  ['bad_request', 400, 'invalid_request_error', 'validation_failed', 'the plate is too short'],
  ['list', 400, 'invalid_request_error', 'validation_failed', 'plate must be short'],
  ['unnamed', 400, 'invalid_request_error', 'validation_failed', 'too-short; too-odd'],
  ['forbidden', 403, 'permission_error', 'permission_denied', 'not your garage'],
  ['unauthorized', 401, 'authentication_error', 'unauthorized', 'who are you'],
  ['gone', 410, 'invalid_request_error', 'gone', 'it was sold'],
  ['unprocessable', 422, 'invalid_request_error', 'unprocessable_entity', 'the plate is reserved'],
  ['too_many', 429, 'rate_limit_error', 'rate_limited', 'slow down'],
  ['teapot', 418, 'invalid_request_error', 'im_a_teapot', "I'm a Teapot."],
  ['own_code', 409, 'conflict_error', 'plate_taken', 'B-WS 100 is taken'],
  ['own_code_and_status', 422, 'invalid_request_error', 'plate_reserved', 'B-WS 101 is reserved'],
  ['own_code_alone', 404, 'not_found_error', 'plate_lost', 'The plate is lost.'],
  ['code_of_another_status', 422, 'invalid_request_error', 'unprocessable_entity', 'no such plate'],
  ['code_without_form', 409, 'conflict_error', 'resource_conflict', 'the plate is taken'],
  ['server_error', 500, 'api_error', 'internal_error', expect.not.stringContaining('secret')],
  ['unavailable', 503, 'api_error', 'unavailable', expect.not.stringContaining('db-17')],
])(
  'the exception %s of Nest gets its own code or that of its status, and keeps its text unless the fault is ours',
  async (name, ...expected) => {
    const { status, body } = await key.get(`${GARAGES}/errors/${name}`);
    expect([status, body.error.type, body.error.code, body.error.message]).toEqual(expected);
  },
);

test('an exception names an entry of the page of errors, and that of too many requests when to try again', async () => {
  const entries = new Set([...(await key.get('/docs/errors')).text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  for (const name of ['unauthorized', 'gone', 'unprocessable', 'too_many', 'teapot', 'conflict']) {
    const { headers, body } = await key.get(`${GARAGES}/errors/${name}`);
    expect([name, entries.has(new URL(body.error.doc_url as string).hash.slice(1))]).toEqual([name, true]);
    expect(headers['retry-after']).toBe(name === 'too_many' ? '5' : undefined);
    // the key is valid
    expect(headers['www-authenticate']).toBeUndefined();
  }
  const { body } = await key.get(`${GARAGES}/errors/own_code_and_status`);
  expect(new URL(body.error.doc_url as string)).toMatchObject({ pathname: '/docs/errors', hash: '' });
});

test('an exception with a list of messages names the properties', async () => {
  const { body } = await key.get(`${GARAGES}/errors/list`);
  expect([body.error.param, body.error.details.map(({ param }: { param: string }) => param)]).toEqual(['plate', ['plate', 'seats']]);
});

test.each([
  ['by-class', 403, 'A rule of this route refuses the call.'],
  ['by-class?role=mechanic', 200, undefined],
  ['by-method?role=mechanic', 403, 'A rule of this route refuses the call.'],
  ['by-method?role=owner', 200, undefined],
  ['closed', 403, 'the garage is closed'],
])('guards of classes and methods with metadata of their own, over keys, sessions and tools: %s', async (path, status, message) => {
  const response = await key.get(`${GARAGES}/guarded/${path}`);
  expect([response.status, response.body.error?.code, response.body.error?.message]).toEqual([
    status,
    status === 403 ? 'permission_denied' : undefined,
    message,
  ]);
  if (path === 'closed') return;
  const member = await (await workspace.signIn()).get(`/api/v1/org/garages/guarded/${path}`);
  expect([member.status, member.body.error?.message]).toEqual([status, message]);
});

test('interceptors of classes and methods see what the handler returns, within the transaction of a write', async () => {
  expect((await key.get(`${GARAGES}/loud`)).body).toEqual({ object: 'answer', text: 'QUIET' });
  const headers = { 'idempotency-key': randomUUID() };
  for (const replayed of [undefined, 'true']) {
    const said = await key.post(`${GARAGES}/loud`, { text: 'hey!' }, headers);
    expect([said.body, said.headers['idempotent-replayed']]).toEqual([{ object: 'answer', text: 'HEY!' }, replayed]);
  }
  expect((await key.post(`${GARAGES}/loud`, { text: 'refused!' })).body.error.message).toBe('refused afterwards');
  expect((await app.sql.query('SELECT text FROM garages_fixture')).rows).toEqual([{ text: 'hey!' }]);
});

test.each(['forgotten', 'by_system'])('a GET that writes without saying so is an error of its author: %s', async (path) => {
  const { status, body } = await key.get(`${GARAGES}/visits/${path}`);
  expect([status, body.error.cause.message]).toEqual([
    500,
    expect.stringMatching(new RegExp(`^GET ${GARAGES}/visits/${path} only reads, .* writesOnGet of its @Endpoint or @Public`)),
  ]);
  expect((await app.sql.query(`SELECT FROM garages_fixture WHERE text = 'visited'`)).rows).toHaveLength(0);
});

test('a GET that says what it writes does', async () => {
  expect((await key.get(`${GARAGES}/visits/declared`)).body.text).toBe('noted');
  await app.sql.query(`DELETE FROM garages_fixture WHERE text = 'visited'`);
});

test.each([
  ['loud', { text: 'a % b' }, ['text', 'text: no per cent signs']],
  ['loud', { text: 'what!?' }, ['text', 'text must satisfy noQuestion']],
  ['loud', { text: 'a!', volume: 'middle' }, ['volume', 'volume must be one of the following values: low, high']],
  ['loud', { text: 'a!', volume: 'low' }, []],
  ['loud', {}, ['text', 'text is required']],
  ['loud/repeat', { text: 'derived' }, ['text', 'text must contain a ! string']],
  ['loud/repeat', {}, []],
  ['loud/repeat', { before: [{ text: 'a!' }, { text: 'b' }] }, ['before.1.text', 'before.1.text must contain a ! string']],
])('rules of class-validator beside @Field apply, also in derived and nested DTOs: %s %j', async (path, body, fault) => {
  const response = await key.post(`${GARAGES}/${path}`, body);
  expect([response.body.error?.param, response.body.error?.message].filter(Boolean)).toEqual(fault);
});

const GERMAN = 'DE89370400440532013000';
const SWISS = 'CH9300762011623852957';
test.each([
  [[{ iban: GERMAN }, { email: 'a' }, { domestic: false, iban: SWISS, country: 'CH' }], {}, []],
  [[{ iban: GERMAN }, { iban: 'DE1' }], {}, [['payees.1.iban', 'invalid_value', 'payees.1.iban must be an IBAN']]],
  [[{ domestic: true, iban: SWISS }], {}, [['payees.0.iban', 'invalid_value', 'payees.0.iban must be German if domestic is true']]],
  [[{}, { domestic: true }], {}, ['0', '1'].map((at) => [`payees.${at}.email`, 'missing', `payees.${at}.email is required`])],
  [
    [
      { domestic: false, email: 'a' },
      { domestic: false, email: 'a', country: null },
    ],
    {},
    [
      ['payees.0.country', 'missing', 'payees.0.country must be one of the following values: CH, GB'],
      ['payees.1.country', 'invalid_value', 'payees.1.country must be one of the following values: CH, GB'],
    ],
  ],
  [[{ iban: GERMAN }], { most: 0 }, [['most', 'invalid_value', 'most must be at least least']]],
  // what the fields find comes first, and rules see only values that are valid for them
  [[{ iban: 5 }], { most: 'x' }, ['most', 'payees.0.iban'].map((param) => [param, 'wrong_type', expect.any(String)])],
])('rules of several fields, of conditions and of constraint classes name the field: %j %j', async (payees, over, faults) => {
  const { status, body } = await key.post(`${GARAGES}/loud/pay`, { least: 1, most: 2, payees, ...over });
  expect([status, body.error?.code]).toEqual(
    faults.length === 0 ? [200, undefined] : [400, faults[0][1] === 'missing' ? 'missing_fields' : 'validation_failed'],
  );
  const details = (body.error?.details ?? []) as { param: string; code: string; message: string }[];
  expect(details.map(({ param, code, message }) => [param, code, message])).toEqual(faults);
});

test.each([
  ['started', 200, 'started'],
  ['counted', 200, '1 2'],
  ['seats/4', 200, '5'],
  ['seats/four', 400, undefined],
  ['request', 200, `${GARAGES}/arguments/request`],
])('hooks, scopes of requests and arguments: %s', async (path, status, text) => {
  for (let time = 0; time < 2; time++) {
    const response = await key.get(`${GARAGES}/arguments/${path}`);
    expect([response.status, response.body.text]).toEqual([status, text]);
    if (status === 400) expect(response.body.error.param).toBe('seats');
  }
});

test('headers are read and set, and a decorator of the module injects what it reads', async () => {
  expect((await key.get(`${GARAGES}/arguments/header`, { 'accept-language': 'de' })).body.text).toBe('de');
  expect((await key.get(`${GARAGES}/arguments/reply`)).headers).toMatchObject({ 'x-seats': '4', 'x-garage': 'open' });
  expect((await key.get(`${GARAGES}/arguments/organization`)).body.text).toBe(workspace.organizationId);
});
