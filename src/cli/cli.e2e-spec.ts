import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '../../test/harness/client.js';
import { eventually } from '../../test/harness/eventually.js';
import { sharedApp } from '../../test/harness/hosted-app.js';
import { PROJECT_ROOT } from '../platform/config/project-root.js';

const DEALS = '/api/v1/ext/crm/deals';
const SCOPE = 'tasks:task:read';

const app = await sharedApp();
const acme = await app.workspace();

interface Ended {
  code: number;
  out: string;
  error: string;
}

type Command = [name: 'jobs' | 'keys' | 'org' | 'outbound', ...args: string[]];

const env = {
  PATH: process.env.PATH,
  NODE_ENV: 'test',
  DATA_DIR: process.env.TEST_DATA_DIR,
  DATABASE_URL: app.databaseUrl,
  OUTBOUND: 'off',
};
let commands: ChildProcess;
let broken: Promise<never>;

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(PROJECT_ROOT, 'scripts', 'prepare.mjs')], { cwd: PROJECT_ROOT });
  commands = fork(join(PROJECT_ROOT, 'test', 'harness', 'command-process.mjs'), { env });
  broken = once(commands, 'exit').then(([code]) => Promise.reject(new Error(`A command ended its process with ${code}.`)));
  // at the end it ends, too
  broken.catch(() => undefined);
});
afterAll(() => commands.disconnect());

/** A command in a process of its own, as an operator runs it, beside the running server. */
function runAlone(...args: Command): Promise<Ended> {
  const command = [...process.execArgv, join(PROJECT_ROOT, 'dist', 'src', 'cli', 'main.js'), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env }, (failure, out, error) =>
      resolve({ code: failure ? Number(failure.code) : 0, out, error }),
    );
  });
}

/** A command in the process of the others. */
async function run(...args: Command): Promise<Ended> {
  commands.send(args);
  const ended: unknown = await Promise.race([once(commands, 'message').then(([message]) => message), broken]);
  return ended as Ended;
}

async function runJson<T>(...args: Command): Promise<T> {
  return jsonOf(await run(...args, '--json'));
}

function jsonOf<T>({ code, out, error }: Ended): T {
  expect([code, error]).toEqual([0, '']);
  return JSON.parse(out) as T;
}

/** Until the server hears of a change, which PostgreSQL notifies it of. */
const refused = (secret: string) =>
  eventually(
    () => statusWith(secret),
    (status) => status === 401,
  );
const statusWith = async (secret: string) => (await new Client(app.url, { authorization: `Bearer ${secret}` }).get(DEALS)).status;

describe('beside the running server', () => {
  test('closes an organization, whose keys are refused at once, exports it and opens it again', async () => {
    const space = await app.workspace();
    const { secret } = await space.key({ module: 'crm' });
    expect(await statusWith(secret)).toBe(200);
    const { rows } = await app.sql.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [space.organizationId]);
    const closed = await runJson<{ closed_at: string }>('org', 'delete', space.organizationId, '--confirm', rows[0].name);
    expect(closed.closed_at).toEqual(expect.any(String));
    await refused(secret);
    const file = join(process.env.TEST_DATA_DIR as string, `${space.organizationId}.tar.gz`);
    const exported = await runAlone('org', 'export', space.organizationId, '--out', file);
    expect([exported.error, exported.code]).toEqual(['', 0]);
    expect(gunzipSync(readFileSync(file)).toString('latin1')).toContain(`"email":"${space.owner.email}"`);
    const target = process.env.TEST_DATA_DIR as string;
    expect((await run('org', 'export', space.organizationId, '--out', target)).error).toBe(
      `--out ${target} is a folder: name a file in it.\n`,
    );
    const nowhere = await run('org', 'export', space.organizationId, '--out', join(file, 'x'));
    expect([nowhere.code, nowhere.error]).toEqual([1, expect.stringMatching(/^--out \S+\/x cannot be written: ENOTDIR\b.*\n$/)]);
    await runJson('org', 'reopen', space.organizationId);
    await eventually(
      () => statusWith(secret),
      (status) => status === 200,
    );
  });

  test('rolls and revokes a key: the old secret is rejected', async () => {
    const key = await acme.key({ module: 'crm' });
    expect(await statusWith(key.secret)).toBe(200);
    const rolled = await runJson<{ id: string; secret: string }>('keys', 'roll', key.id);
    await refused(key.secret);
    expect(await statusWith(rolled.secret)).toBe(200);
    const { secret } = await runJson<{ secret: string }>('keys', 'roll', key.id, '--overlap-hours', '1');
    expect([await statusWith(rolled.secret), await statusWith(secret)]).toEqual([200, 200]);
    expect(await runJson('keys', 'revoke', key.id)).toMatchObject({ id: key.id, status: 'revoked' });
    await Promise.all([refused(rolled.secret), refused(secret)]);
  });

  test('creates a key with all options, and lists it', async () => {
    const organization = acme.organizationId;
    const made = await runJson<{ id: string }>(
      'keys',
      'create',
      '--organization',
      organization,
      '--module',
      'tasks',
      '--scopes',
      SCOPE,
      '--name',
      'Import',
      '--mode',
      'live',
      '--project',
      'eng',
      '--actor',
      acme.owner.email.toUpperCase(),
      '--ips',
      '10.0.0.0/8, ::1',
      '--expires',
      '2127-01-01',
      '--rate-limit',
      '9',
    );
    expect(made).toMatchObject({
      module: 'tasks',
      scopes: [SCOPE],
      mode: 'live',
      project_id: acme.eng.id,
      actor_user_id: acme.owner.id,
      allowed_ips: ['10.0.0.0/8', '::1/128'],
      expires_at: '2127-01-01T00:00:00.000Z',
      rate_limit_per_minute: 9,
      origin: 'cli',
      created_by: null,
      secret: expect.stringMatching(/^svc_live_/),
    });
    const listed = await runJson<{ id: string; secret?: string }[]>('keys', 'list', '--organization', organization, '--module', 'tasks');
    expect(listed.map(({ id }) => id)).toEqual([made.id]);
    expect(listed[0].secret).toBeUndefined();
  });

  test("creates a key of the platform's own module", async () => {
    const given = ['--organization', acme.organizationId, '--module', 'developer', '--scopes', 'developer:event:read', '--name', 'Mine'];
    const { secret } = await runJson<{ secret: string }>('keys', 'create', ...given);
    const events = await new Client(app.url, { authorization: `Bearer ${secret}` }).get('/api/v1/ext/developer/events');
    expect(events).toMatchObject({ status: 200, body: { object: 'list' } });
  });

  test('creates an organization whose owner can sign in', async () => {
    const owner = ['--owner-email', 'Fresh@Example.com', '--owner-name', 'Fresh Owner'];
    const ended = await runAlone('org', 'create', '--name', 'Fresh', ...owner, '--json');
    const made = jsonOf<{ owner: { email: string; password: string } }>(ended);
    const answer = await new Client(app.url).post('/api/v1/org/session', made.owner);
    expect(answer.body).toMatchObject({ member: { email: 'fresh@example.com', role: 'owner' } });
  });
});

test('gives a member a new password, which ends their sessions', async () => {
  const { email } = await acme.member('member');
  const session = await acme.signIn(email);
  const made = await runJson<{ member: { password: string } }>('org', 'reset-password', email, '--organization', acme.organizationId);
  expect((await session.get('/api/v1/org/session')).status).toBe(401);
  const answer = await new Client(app.url).post('/api/v1/org/session', { email, password: made.member.password });
  expect(answer.status).toBe(200);
});

test('tells what holds back a copied database, until it is released', async () => {
  await app.sql.query(
    `INSERT INTO installation (database_identity) VALUES ('another')
     ON CONFLICT (is_only) DO UPDATE SET database_identity = excluded.database_identity`,
  );
  const waiting = /^Waiting to be sent: \d+ webhook deliveries, \d+ mails\.\n$/m;
  const isOff = 'Processes with OUTBOUND=off, as here, send nothing.\n';
  const held = await run('outbound', 'status');
  expect([held.code, held.out]).toEqual([1, expect.stringMatching(/^This database is a copy: nothing is sent until `.* release`\.\n/)]);
  expect(held.out).toMatch(waiting);
  expect(await run('outbound', 'release')).toEqual({ code: 0, out: expect.stringMatching(waiting), error: '' });
  const open = await run('outbound', 'status');
  expect([open.code, open.out]).toEqual([0, expect.stringContaining(`This database is not held back.\n${isOff}`)]);
});

test('prints one sentence for an impossible command', async () => {
  const several = await runAlone('keys', 'list');
  expect(await run('keys', 'revoke', 'nonsense')).toEqual({
    code: 1,
    out: '',
    error: 'There is no API key "nonsense"; npm run keys -- list shows their ids.\n',
  });
  expect(several).toEqual({ code: 1, out: '', error: 'There are several organizations: name one with --organization.\n' });
});

test('the audit log cannot be shortened early', async () => {
  const ended = await run('jobs', 'run', 'platform.audit_retention', '--at', '2099-01-01');
  expect([ended.code, ended.error]).toEqual([1, expect.stringContaining('goes by the clock')]);
});
