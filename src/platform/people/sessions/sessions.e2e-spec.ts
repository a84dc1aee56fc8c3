import { describe, expect, test } from '@jest/globals';
import { Client } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { PASSWORD } from '../../../../test/harness/workspace.js';

const SESSION = '/api/v1/org/session';
const SESSIONS = '/api/v1/org/account/sessions';
const KEYS = '/api/v1/org/developer/api-keys';

const app = await sharedApp();
const acme = await app.workspace();

const statusOf = async (client: Client) => (await client.get(SESSION)).status;
const signInWith = async (email: string, userAgent: string) => {
  const response = await new Client(app.url).post(SESSION, { email, password: PASSWORD }, { 'user-agent': userAgent });
  return new Client(app.url, {
    cookie: String(response.headers['set-cookie']).split(';')[0],
    'x-csrf-token': response.body.csrf_token as string,
  });
};

describe('the sessions of a member', () => {
  test('are listed with device, address and last use, the newest first', async () => {
    const { email } = await acme.member('member');
    const phone = await signInWith(email, 'Phone/1.0');
    const laptop = await signInWith(email, 'Laptop/2.0');
    await app.sql.query(`UPDATE sessions SET updated_at = now() - interval '1 hour' WHERE user_agent = 'Laptop/2.0'`);
    const { status, body } = await laptop.get(SESSIONS);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      expect.objectContaining({ object: 'member_session', current: true, user_agent: 'Laptop/2.0', address: '127.0.0.1' }),
      expect.objectContaining({ current: false, user_agent: 'Phone/1.0' }),
    ]);
    expect(JSON.stringify(body)).not.toContain('token');
    expect(Date.parse(body.data[0].last_used_at as string)).toBeGreaterThan(Date.now() - 60_000);
    expect((await phone.get(`${SESSIONS}?limit=1`)).body).toMatchObject({ has_more: true, data: [{ user_agent: 'Laptop/2.0' }] });
  });

  test('are ended one by one, or all others at once', async () => {
    const { email } = await acme.member('member');
    const [one, two, three] = [await signInWith(email, 'one'), await signInWith(email, 'two'), await signInWith(email, 'three')];
    const { data } = (await one.get(SESSIONS)).body;
    const second = data.find(({ user_agent }: { user_agent: string }) => user_agent === 'two').id as string;
    expect((await one.delete(`${SESSIONS}/${second}`)).status).toBe(204);
    expect([await statusOf(one), await statusOf(two), await statusOf(three)]).toEqual([200, 401, 200]);
    expect((await one.delete(`${SESSIONS}/${second}`)).status).toBe(404);
    expect((await one.post(`${SESSIONS}/end-others`)).body).toEqual({ object: 'ended_sessions', count: 1 });
    expect([await statusOf(one), await statusOf(three)]).toEqual([200, 401]);
  });

  test('are out of reach for colleagues and other organizations', async () => {
    const member = await signInWith((await acme.member('member')).email, 'mine');
    const { id } = (await member.get(SESSIONS)).body.data[0];
    const others = [await acme.signIn(), await (await app.workspace()).signIn()];
    for (const other of others) {
      expect((await other.delete(`${SESSIONS}/${id}`)).status).toBe(404);
      expect(JSON.stringify((await other.get(SESSIONS)).body)).not.toContain(id);
      await other.post(`${SESSIONS}/end-others`);
    }
    expect(await statusOf(member)).toBe(200);
  });
});

describe('confirming again', () => {
  const age = (memberId: string, minutes: number) =>
    app.sql.query(`UPDATE sessions SET confirmed_at = now() - $2 * interval '1 minute' WHERE member_id = $1`, [memberId, minutes]);
  const key = { name: 'Import', module: 'tasks', scopes: ['tasks:task:read'] };

  test('is required after two hours, for what grants or revokes access only', async () => {
    const admin = await acme.member('admin');
    const client = await acme.signIn(admin.email);
    const create = (mode: string) => client.post(KEYS, { ...key, mode });
    expect((await create('live')).status).toBe(201);
    const { id } = (await create('live')).body;
    await age(admin.id, 119);
    expect((await create('live')).status).toBe(201);
    await age(admin.id, 121);
    const member = { email: 'someone@example.com', name: 'Someone', role: 'member', password: PASSWORD };
    const endpoint = { url: 'https://example.com/hooks', events: ['*'] };
    const refused = await Promise.all([
      create('live'),
      client.post(`${KEYS}/${id}/roll`, {}),
      client.patch(`${KEYS}/${id}`, { scopes: ['tasks:task:read', 'tasks:task:write'] }),
      client.post('/api/v1/org/members', member),
      client.patch(`/api/v1/org/members/${admin.id}`, { name: 'Other' }),
      client.post('/api/v1/org/developer/webhook-endpoints', endpoint),
      client.post('/api/v1/org/developer/test-data/erase', { organization_name: 'Acme' }),
    ]);
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(
      Array(refused.length).fill([403, 'confirmation_required']),
    );
    // test keys, narrowing and revoking need no confirmation
    expect((await create('test')).status).toBe(201);
    expect((await client.patch(`${KEYS}/${id}`, { status: 'inactive' })).status).toBe(200);
    expect((await client.post(`${KEYS}/${id}/revoke`)).status).toBe(200);
  });

  test('is required to change where live data is sent, by any way', async () => {
    const admin = await acme.member('admin');
    const client = await acme.signIn(admin.email);
    const HOOKS = '/api/v1/org/developer/webhook-endpoints';
    const create = async (mode: string) =>
      (await client.post(HOOKS, { url: 'https://example.com/hooks', events: ['task.created', 'deal.updated'], mode })).body.id as string;
    const [live, test] = [await create('live'), await create('test')];
    await age(admin.id, 121);
    const project_id = acme.eng.id;
    const elsewhere = { url: 'https://attacker.example/hooks' };
    for (const change of [elsewhere, { events: ['*'] }, { events: ['task.created'] }, { project_id }])
      expect([change, (await client.patch(`${HOOKS}/${live}`, change)).body.error?.code]).toEqual([change, 'confirmation_required']);
    // the mode cannot be changed, so no test endpoint gets live data
    const switched = await client.patch(`${HOOKS}/${test}`, { ...elsewhere, mode: 'live' });
    expect([switched.body.mode, switched.body.url, switched.headers['svc-ignored-fields']]).toEqual(['test', elsewhere.url, 'mode']);
    const harmless = { description: 'CRM', max_concurrency: 3, url: 'https://example.com/hooks', events: ['deal.updated', 'task.created'] };
    expect((await client.patch(`${HOOKS}/${live}`, harmless)).status).toBe(200);
    expect((await client.post(`${HOOKS}/${live}/disable`)).status).toBe(200);
    expect((await client.post(`${HOOKS}/${live}/enable`)).body.error.code).toBe('confirmation_required');
    expect((await client.post(`${HOOKS}/${live}/roll-secret`, {})).body.error.code).toBe('confirmation_required');
    await client.post(`${SESSION}/confirm`, { password: PASSWORD });
    expect((await client.post(`${HOOKS}/${live}/enable`)).status).toBe(200);
    expect((await client.patch(`${HOOKS}/${live}`, elsewhere)).body.url).toBe(elsewhere.url);
  });

  test('is required for addresses that give access by themselves', async () => {
    const client = await acme.signIn();
    const calendar = (await client.post('/api/v1/org/schedule/calendars', { name: 'Rooms', timezone: 'UTC' })).body.id as string;
    await age(acme.owner.id, 121);
    const refused = await Promise.all([
      client.post(`/api/v1/org/schedule/calendars/${calendar}/feeds`, { name: 'Phone' }),
      client.post('/api/v1/org/desk/mailboxes', { address: 'help@example.com' }),
      client.post(`/api/v1/org/desk/mailboxes/${calendar}/token`),
      client.patch('/api/v1/org/papers/settings', { embed_origins: ['https://attacker.example'] }),
    ]);
    expect(refused.map(({ body }) => body.error?.code)).toEqual(Array(4).fill('confirmation_required'));
  });

  test('takes the password, whose failures are limited like those of a sign-in', async () => {
    const admin = await acme.member('admin');
    const client = await acme.signIn(admin.email);
    await age(admin.id, 121);
    const before = (await client.get(SESSION)).body.confirmed_until as string;
    expect(Date.parse(before)).toBeLessThan(Date.now());
    const wrong = await client.post(`${SESSION}/confirm`, { password: 'not the password' });
    expect([wrong.status, wrong.body.error.code, wrong.body.error.param]).toEqual([400, 'validation_failed', 'password']);
    expect((await client.post(KEYS, { ...key, mode: 'live' })).status).toBe(403);
    const confirmed = await client.post(`${SESSION}/confirm`, { password: PASSWORD });
    expect(confirmed.body.object).toBe('session_confirmation');
    expect(Date.parse(confirmed.body.confirmed_until as string)).toBeGreaterThan(Date.now() + 119 * 60_000);
    expect((await client.post(KEYS, { ...key, mode: 'live' })).status).toBe(201);
    for (let i = 0; i < 9; i++) await client.post(`${SESSION}/confirm`, { password: 'not the password' });
    expect((await client.post(`${SESSION}/confirm`, { password: PASSWORD })).status).toBe(429);
  });

  test('takes one database connection, also with an Idempotency-Key', async () => {
    const client = await acme.signIn((await acme.member('member')).email);
    // more than the pool has
    const confirm = (key: number) => client.post(`${SESSION}/confirm`, { password: PASSWORD }, { 'idempotency-key': `confirm-${key}` });
    const all = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(confirm));
    expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await confirm(1)).headers['idempotent-replayed']).toBe('true');
  });

  test('counts for one session only', async () => {
    const admin = await acme.member('admin');
    const [one, two] = [await acme.signIn(admin.email), await acme.signIn(admin.email)];
    await age(admin.id, 121);
    await one.post(`${SESSION}/confirm`, { password: PASSWORD });
    expect((await one.post(KEYS, { ...key, mode: 'live' })).status).toBe(201);
    expect((await two.post(KEYS, { ...key, mode: 'live' })).status).toBe(403);
  });
});
