import { describe, expect, test } from '@jest/globals';
import { Authenticator } from '../../../../test/harness/authenticator.js';
import { Client } from '../../../../test/harness/client.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { PASSWORD, type Workspace } from '../../../../test/harness/workspace.js';

const SESSION = '/api/v1/org/session';
const FACTOR = '/api/v1/org/account/second-factor';
const MEMBERS = '/api/v1/org/members';

const app = await sharedApp();
const acme = await app.workspace();
const owner = await acme.signIn();
const anonymous = new Client(app.url);

/** A member who has turned the second factor on with the code of the step before. */
async function protectedMember(role = 'admin', space: Workspace = acme) {
  const member = await space.member(role);
  const client = await space.signIn(member.email);
  const setUp = await client.post(FACTOR);
  const phone = new Authenticator(setUp.body.secret as string);
  const enabled = await client.post(`${FACTOR}/enable`, { code: phone.code(-1) });
  return { ...member, client, phone, codes: enabled.body.codes as string[], setUp, enabled };
}

interface Noted {
  actor_type: string;
  address: string;
  after: { failures: number; given?: string };
}

const signIn = (email: string, code?: string) => anonymous.post(SESSION, { email, password: PASSWORD, ...(code ? { code } : {}) });

/** Resolves once so many sessions of the database wait for one, or for those that wait for it. */
async function untilWaitingFor(pid: number, count: number): Promise<void> {
  const waiting = async () =>
    (
      await app.sql.query(
        `WITH RECURSIVE waiting AS (
           SELECT $1::int AS pid UNION SELECT a.pid FROM pg_stat_activity a JOIN waiting w ON w.pid = ANY (pg_blocking_pids(a.pid))
         ) SELECT 1 FROM waiting WHERE pid <> $1`,
        [pid],
      )
    ).rows.length;
  expect(await eventually(waiting, (found) => found >= count)).toBe(count);
}

describe('a second factor', () => {
  test('is set up with a code of the app, and then required at every sign-in', async () => {
    const { id, email, client, phone, codes, setUp, enabled } = await protectedMember();
    expect(setUp.status).toBe(201);
    expect(setUp.body.uri).toContain(`secret=${setUp.body.secret as string}&issuer=`);
    expect([enabled.status, codes.length, new Set(codes).size]).toEqual([200, 10, 10]);
    expect((await client.get(FACTOR)).body).toMatchObject({ enabled_at: expect.any(String), recovery_codes_left: 10, required: false });
    expect((await owner.get(`${MEMBERS}/${id}`)).body).toMatchObject({ second_factor: true, last_sign_in_at: expect.any(String) });
    const first = await signIn(email);
    expect([first.status, first.body.error.code, first.headers['set-cookie']]).toEqual([401, 'second_factor_code_required', undefined]);
    const wrong = await signIn(email, '000000');
    expect([wrong.status, wrong.body.error.param]).toEqual([400, 'code']);
    const { second_factor_token } = first.body.error;
    const code = phone.code();
    const second = await anonymous.post(`${SESSION}/second-factor`, { second_factor_token, code });
    expect([second.status, second.body.member.id, String(second.headers['set-cookie'])]).toEqual([
      200,
      id,
      expect.stringMatching(/^svc_session=/),
    ]);
    // no code is accepted twice
    expect((await signIn(email, code)).body.error.param).toBe('code');
    expect((await signIn(email, phone.code(1))).status).toBe(200);
  });

  test('is stored encrypted, its recovery codes only as keyed hashes', async () => {
    const { setUp, codes } = await protectedMember();
    const { rows } = await app.sql.query<{ row: string }>('SELECT f::text AS row FROM second_factors f');
    for (const secret of [setUp.body.secret as string, ...codes])
      for (const { row } of rows) {
        expect(row).not.toContain(secret);
        expect(row).not.toContain(Buffer.from(secret).toString('hex'));
      }
  });

  test('can be replaced by each recovery code once', async () => {
    const { email, client, codes } = await protectedMember();
    expect((await signIn(email, codes[0].toUpperCase().replace('-', ' '))).status).toBe(200);
    expect((await signIn(email, codes[0])).body.error.param).toBe('code');
    expect((await client.get(FACTOR)).body.recovery_codes_left).toBe(9);
    const renewed = (await client.post(`${FACTOR}/recovery-codes`)).body.codes as string[];
    expect((await signIn(email, codes[1])).status).toBe(400);
    expect((await signIn(email, renewed[0])).status).toBe(200);
  });

  test('five wrong codes close it for 15 minutes, whatever the address', async () => {
    const { id, email, phone } = await protectedMember();
    const { second_factor_token } = (await signIn(email)).body.error;
    const attempts = await Promise.all(
      Array.from({ length: 8 }, () => anonymous.post(`${SESSION}/second-factor`, { second_factor_token, code: '000000' })),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
    const closed = await signIn(email, phone.code());
    expect([closed.status, Number(closed.headers['retry-after']) > 800]).toEqual([429, true]);
    const noted = await eventually(
      async () => (await owner.get(`/api/v1/org/audit-entries?action=second_factor_failed&object_id=${id}`)).body.data as Noted[],
      ({ length }) => length === 5,
    );
    expect(noted.map(({ after }) => after.failures).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(noted.map(({ actor_type, address }) => `${actor_type} ${address}`))).toEqual(new Set(['guest 127.0.0.1']));
  });

  test('the token of the first step ends with the time and with the password', async () => {
    const { id, email, phone } = await protectedMember();
    const { second_factor_token: token } = (await signIn(email)).body.error as { second_factor_token: string };
    const send = (second_factor_token: string) => anonymous.post(`${SESSION}/second-factor`, { second_factor_token, code: phone.code() });
    const [member, until, mac] = token.split('.');
    for (const other of ['nonsense', `${member}.${Number(until) + 60_000}.${mac}`, `${acme.owner.id}.${until}.${mac}`])
      expect((await send(other)).body.error).toMatchObject({ code: 'validation_failed', param: 'second_factor_token' });
    await owner.patch(`${MEMBERS}/${id}`, { password: 'set by the administrator' });
    expect((await send(token)).status).toBe(400);
  });

  test('is asked again when a session is confirmed', async () => {
    const { id, client, phone } = await protectedMember();
    const confirm = (body: object) => client.post(`${SESSION}/confirm`, { password: PASSWORD, ...body });
    expect((await confirm({})).body.error).toMatchObject({ code: 'missing_fields', param: 'code' });
    expect((await confirm({ code: '000000' })).body.error.param).toBe('code');
    expect((await confirm({ password: 'not the password', code: phone.code() })).body.error.param).toBe('password');
    expect((await confirm({ code: phone.code() })).status).toBe(200);
    const noted = await eventually(
      async () => (await owner.get(`/api/v1/org/audit-entries?action=confirmation_failed&actor_id=${id}`)).body.data as Noted[],
      ({ length }) => length === 2,
    );
    expect(noted.map(({ after }) => after.given).sort()).toEqual(['code', 'password']);
  });

  test('is removed by the member, or by whoever commands their role', async () => {
    const mine = await protectedMember();
    expect((await mine.client.delete(FACTOR)).status).toBe(204);
    expect((await signIn(mine.email)).status).toBe(200);
    const { body } = await owner.get(`/api/v1/org/developer/mail-outbox?recipient=${encodeURIComponent(mine.email)}`);
    const subjects = (body.data as { subject: string }[]).map(({ subject }) => subject);
    expect(subjects.sort()).toEqual(['Your second factor is on', 'Your second factor was removed']);

    const lost = await protectedMember('owner');
    const admin = await acme.signIn((await acme.member('admin')).email);
    const developer = await acme.signIn((await acme.member('developer')).email);
    const other = await (await app.workspace()).signIn();
    const reset = (client: Client) => client.delete(`${MEMBERS}/${lost.id}/second-factor`);
    expect([(await reset(admin)).status, (await reset(developer)).status, (await reset(other)).status]).toEqual([403, 403, 404]);
    expect((await signIn(lost.email)).status).toBe(401);
    expect((await reset(owner)).body).toMatchObject({ id: lost.id, second_factor: false });
    expect((await lost.client.get(SESSION)).status).toBe(401);
    expect((await signIn(lost.email)).status).toBe(200);
  });

  test('ends the other sessions of the member once it is enabled', async () => {
    const { email } = await acme.member('member');
    const [here, elsewhere] = [await acme.signIn(email), await acme.signIn(email)];
    const phone = new Authenticator((await here.post(FACTOR)).body.secret as string);
    expect((await elsewhere.get(SESSION)).status).toBe(200);
    expect((await here.post(`${FACTOR}/enable`, { code: phone.code() })).status).toBe(200);
    expect([(await here.get(SESSION)).status, (await elsewhere.get(SESSION)).status]).toEqual([200, 401]);
  });

  test.each(['post', 'delete'] as const)('is enabled only with the secret whose code was sent, not with what a %s left', async (change) => {
    const { id, email } = await acme.member('member');
    const client = await acme.signIn(email);
    const phone = new Authenticator((await client.post(FACTOR)).body.secret as string);
    const lock = await app.sql.connect();
    let answers: Promise<{ status: number; body: { error: { code: string; param: string } } }[]>;
    try {
      await lock.query('BEGIN');
      await lock.query('SELECT 1 FROM members WHERE id = $1 FOR UPDATE', [id]);
      const { rows } = await lock.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const changed = client[change](FACTOR);
      await untilWaitingFor(rows[0].pid, 1);
      answers = Promise.all([changed, client.post(`${FACTOR}/enable`, { code: phone.code() })]);
      await untilWaitingFor(rows[0].pid, 2);
    } finally {
      await lock.query('ROLLBACK');
      lock.release();
    }
    expect((await answers)[1].body.error).toMatchObject({ code: 'validation_failed', param: 'code' });
    expect((await signIn(email)).status).toBe(200);
  });

  test('changes only after a recent confirmation', async () => {
    const { id, client } = await protectedMember();
    await app.sql.query(`UPDATE sessions SET confirmed_at = now() - interval '3 hours' WHERE member_id = $1`, [id]);
    const refused = [
      await client.post(FACTOR),
      await client.post(`${FACTOR}/enable`, { code: '000000' }),
      await client.post(`${FACTOR}/recovery-codes`),
      await client.delete(FACTOR),
    ];
    expect(refused.map(({ body }) => body.error.code)).toEqual(Array(4).fill('confirmation_required'));
  });
});

describe('an organization that requires a second factor', () => {
  test('closes what needs a permission to those who manage keys or members and have none', async () => {
    const space = await app.workspace();
    const boss = await space.signIn();
    const [admin, member] = [await space.member('admin'), await space.member('member')];
    const [ofAdmin, ofMember] = [await space.signIn(admin.email), await space.signIn(member.email)];
    const require = (client: Client) => client.patch('/api/v1/org/organization', { requires_second_factor: true });
    // nobody locks themselves out
    expect((await require(boss)).body.error).toMatchObject({ code: 'resource_conflict', param: 'requires_second_factor' });
    const { client: protectedAdmin } = await protectedMember('admin', space);
    expect((await require(protectedAdmin)).body.requires_second_factor).toBe(true);
    expect((await protectedAdmin.get('/api/v1/org/developer/logs')).status).toBe(200);
    expect((await ofMember.patch('/api/v1/org/organization', { requires_second_factor: false })).status).toBe(403);
    const logs = () => ofAdmin.get('/api/v1/org/developer/logs');
    expect((await logs()).body.error).toMatchObject({ type: 'permission_error', code: 'second_factor_required' });
    expect((await boss.get('/api/v1/org/developer/logs')).status).toBe(403);
    expect((await ofAdmin.get(SESSION)).body.lacks_second_factor).toBe(true);
    expect((await ofMember.get(SESSION)).body.lacks_second_factor).toBe(false);
    expect((await ofMember.get('/api/v1/org/tasks/tasks')).status).toBe(200);

    const phone = new Authenticator((await ofAdmin.post(FACTOR)).body.secret as string);
    expect((await ofAdmin.post(`${FACTOR}/enable`, { code: phone.code() })).status).toBe(200);
    expect((await logs()).status).toBe(200);
    expect((await ofAdmin.get(FACTOR)).body.required).toBe(true);
    expect((await ofAdmin.delete(FACTOR)).body.error.code).toBe('resource_conflict');
    // keys go on: they belong to the organization
    expect((await (await space.key()).client.get('/api/v1/ext/tasks/tasks')).status).toBe(200);
  });
});
