import { expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedApp } from '../harness/hosted-app.js';
import { PASSWORD } from '../harness/workspace.js';

// how QA teams test: by supertest's own habits, without the client of these tests
const app = await sharedApp();
const space = await app.workspace();

it('a keyed suite creates, repeats, filters, patches with If-Match and deletes', async () => {
  const { secret } = await space.key({ project_id: space.eng.id });
  const api = request.agent(app.url).set('Authorization', `Bearer ${secret}`);
  const title = 'Written by supertest';
  const created = await api.post('/api/v1/ext/tasks/tasks').set('Idempotency-Key', 'st-1').send({ title }).expect(201);
  expect(created.headers.etag).toBe('"1"');
  const repeated = await api.post('/api/v1/ext/tasks/tasks').set('Idempotency-Key', 'st-1').send({ title }).expect(201);
  expect([repeated.body, repeated.headers['idempotent-replayed']]).toEqual([created.body, 'true']);
  const path = `/api/v1/ext/tasks/tasks/${created.body.id}`;
  await api.get('/api/v1/ext/tasks/tasks').query({ q: 'supertest', limit: 5 }).expect(200).expect('Content-Type', /json/);
  await api.patch(path).set('If-Match', '"7"').send({ title: 'Lost' }).expect(412);
  await api.patch(path).set('If-Match', '"1"').send({ title: 'Kept' }).expect(200);
  const wrong = await api.post('/api/v1/ext/tasks/tasks').send({ title: '' }).expect(400);
  expect(wrong.body.error).toMatchObject({ code: 'validation_failed', param: 'title' });
  await api.delete(path).expect(204);
  await api.get(path).expect(404);
  await request(app.url).get('/api/v1/ext/tasks/tasks').expect(401);
});

it('a suite of a member keeps the cookie of its agent and sends the token', async () => {
  const screen = request.agent(app.url);
  const session = await screen.post('/api/v1/org/session').send({ email: space.owner.email, password: PASSWORD }).expect(200);
  await screen.get('/api/v1/org/session').expect(200);
  await screen.patch('/api/v1/org/organization').send({ name: 'Supertest' }).expect(403);
  screen.set('X-CSRF-Token', session.body.csrf_token as string);
  await screen.patch('/api/v1/org/organization').send({ name: 'Supertest' }).expect(200);
});

// the page "Testing against the suite" lists them
it('a test key gets every class of failure, and no call that fails is half done', async () => {
  const { secret } = await space.key({ mode: 'test', project_id: space.eng.id });
  const api = request.agent(app.url).set('Authorization', `Bearer ${secret}`);
  const post = (scenario: string, title: string) =>
    api.post('/api/v1/ext/tasks/tasks').set({ 'Svc-Test-Scenario': scenario, 'Idempotency-Key': title }).send({ title });
  const count = async (title: string) => (await api.get('/api/v1/ext/tasks/tasks').query({ q: title })).body.data.length as number;
  for (const [scenario, status, retryAfter] of [
    ['rate_limited', 429, '1'],
    ['unavailable', 503, '1'],
    ['internal_error', 500, undefined],
  ] as const) {
    const refused = await post(scenario, scenario.replace('_', '')).expect(status);
    expect([refused.body.error.code, refused.headers['retry-after']]).toEqual([scenario, retryAfter]);
    expect(await count(scenario.replace('_', ''))).toBe(0);
  }
  await expect(post('connection_lost', 'connectionlost')).rejects.toThrow(/socket hang up|ECONNRESET/);
  expect(await count('connectionlost')).toBe(0);
  await expect(post('response_lost', 'responselost')).rejects.toThrow(/socket hang up|ECONNRESET/);
  expect(await count('responselost')).toBe(1);
  const again = await api
    .post('/api/v1/ext/tasks/tasks')
    .set('Idempotency-Key', 'responselost')
    .send({ title: 'responselost' })
    .expect(201);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(await count('responselost')).toBe(1);
});

it('a call on test data decides as of another time, and one on live data may not', async () => {
  const { secret } = await space.key({ mode: 'test', module: 'accounting' });
  const api = request.agent(app.url).set('Authorization', `Bearer ${secret}`);
  const books = '/api/v1/ext/accounting';
  const customer = await api.post(`${books}/customers`).send({ project_id: space.eng.id, name: 'Late payer' }).expect(201);
  const owner = request.agent(app.url);
  const session = await owner.post('/api/v1/org/session').send({ email: space.owner.email, password: PASSWORD }).expect(200);
  owner.set('X-CSRF-Token', session.body.csrf_token as string);
  const seller = { name: 'Acme GmbH', address: 'Hauptstraße 1\n10115 Berlin', email: 'billing@acme.example' };
  await owner.patch(`/api/v1/org/accounting/settings/${space.eng.id}`).send({ seller }).expect(200);
  const taxes = await api.get(`${books}/tax-rates`).query({ project_id: space.eng.id }).expect(200);
  const lines = [{ description: 'Consulting', unit_amount: 12_000, tax_id: taxes.body.data[0].id }];
  const draft = await api.post(`${books}/invoices`).send({ customer_id: customer.body.id, lines }).expect(201);
  const invoice = `${books}/invoices/${draft.body.id}`;
  const issued = await api.post(`${invoice}/issue`).set('Svc-Test-Clock', '2031-03-01T08:00:00Z').send({}).expect(200);
  expect(issued.body.issued_on).toBe('2031-03-01');
  const isOverdue = async (clock: string) => {
    const [one, list] = await Promise.all(
      [invoice, `${books}/invoices?overdue=true`].map((path) => api.get(path).set('Svc-Test-Clock', clock).expect(200)),
    );
    return [one.body.overdue, list.body.data.length];
  };
  expect(await isOverdue('2031-03-02T08:00:00Z')).toEqual([false, 0]);
  expect(await isOverdue('2031-12-31T08:00:00Z')).toEqual([true, 1]);
  // rows tell when they were really written
  expect(Date.parse(issued.body.updated_at as string)).toBeLessThan(Date.parse('2031-01-01'));
  // what both modes share, above all the end of live data, has the real time
  const closing = owner.post('/api/v1/org/organization/closure').set({ 'Svc-Mode': 'test', 'Svc-Test-Clock': '2000-01-01T00:00:00Z' });
  expect((await closing.send({ organization_name: 'another' }).expect(400)).body.error.param).toBe('Svc-Test-Clock');
  const wrong = await api.get(invoice).set('Svc-Test-Clock', 'tomorrow').expect(400);
  expect(wrong.body.error.param).toBe('Svc-Test-Clock');
  const live = await space.key({ module: 'accounting' });
  await request(app.url)
    .get(invoice)
    .set({ Authorization: `Bearer ${live.secret}`, 'Svc-Test-Clock': '2031-03-02T08:00:00Z' })
    .expect(400);
});
