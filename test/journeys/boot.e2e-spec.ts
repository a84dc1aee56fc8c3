import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { derivedSecret } from '../../src/platform/keys/key-secret.js';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { Client } from '../harness/client.js';
import { newDataDir } from '../harness/data-dir.js';
import { withParameter } from '../harness/database-server.js';
import { eventually } from '../harness/eventually.js';
import { freePort } from '../harness/free-port.js';
import { createTestDatabase } from '../harness/test-database.js';

const run = promisify(execFile);
const MAIN = join(PROJECT_ROOT, 'dist', 'src', 'main.js');
const LONGEST_START_MS = 120_000;
/** For which a process serves requests after SIGTERM: long enough for a busy machine to make some. */
const DELAY_MS = 6_000;
const LOADED_PACKAGES_HOOK = join(PROJECT_ROOT, 'test', 'journeys', 'loaded-packages.mjs');

interface Running {
  process: ChildProcessWithoutNullStreams;
  output(): string;
  /** Resolves with the exit code. */
  ended: Promise<number>;
}

const folders: string[] = [];
const started: Running[] = [];

beforeAll(async () => {
  await run(process.execPath, [join(PROJECT_ROOT, 'scripts', 'prepare.mjs')], { cwd: PROJECT_ROOT });
});
afterAll(async () => {
  for (const { process: child } of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  await Promise.all(started.map(({ ended }) => ended));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** From which the demo's keys follow. */
const SEED = 'of the journey of a boot';

function dataDirOfTest(): string {
  const folder = newDataDir('boot');
  folders.push(folder);
  return folder;
}

/** Runs the built service with only PATH from this process's environment. */
function startService(env: Record<string, string>, command = process.execPath, args = [...process.execArgv, MAIN]): Running {
  const child = spawn(command, args, { cwd: tmpdir(), env: { PATH: process.env.PATH, NODE_ENV: 'development', ...env } });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'close').then(([code]) => code as number);
  const running = { process: child, output: () => output, ended };
  started.push(running);
  return running;
}

async function listening(running: Running, port: number): Promise<Client> {
  const client = new Client(`http://127.0.0.1:${port}`);
  const isReady = () =>
    client.get('/health/ready').then(
      ({ status }) => status === 200,
      () => false,
    );
  const hasEnded = () => running.process.exitCode !== null;
  await eventually(isReady, (ready) => ready || hasEnded(), LONGEST_START_MS);
  if (hasEnded()) throw new Error(`The service exited: ${running.output()}`);
  return client;
}

async function endsCleanly(running: Running): Promise<void> {
  const code = await running.ended;
  if (code !== 0) throw new Error(`The service ended with code ${code}: ${running.output()}`);
}

/** Waits for a boot to fail; returns its exit code and output. */
async function failedBoot(env: Record<string, string>): Promise<{ code: number; output: string }> {
  const running = startService({ DATA_DIR: dataDirOfTest(), ...env });
  const code = await running.ended;
  return { code, output: running.output().trim() };
}

describe('boot fails with one sentence for', () => {
  test.each([
    ['an invalid setting', { PORT: 'abc' }, /^PORT must be .* but it is "abc"\.$/],
    [
      'an unreachable database',
      { DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/none' },
      /^The database at 127\.0\.0\.1:1\/none cannot be used: .*\.$/,
    ],
    ['a data folder that is a file', { DATA_DIR: '/etc/hostname' }, /^DATA_DIR \/etc\/hostname cannot be used: .*\.$/],
    ['a data folder that cannot be created', { DATA_DIR: '/proc/nope' }, /^DATA_DIR \/proc\/nope cannot be used: .*\.$/],
  ])('%s', async (_name, env, sentence) => {
    const { code, output } = await failedBoot(env as Record<string, string>);
    expect(output).toMatch(sentence);
    expect(output.split('\n')).toHaveLength(1);
    expect(output).not.toContain('secret');
    expect(code).toBe(1);
  });

  test.each([
    ['its address', {}, /^BASE_URL must be set when NODE_ENV is production/],
    ['a database', { BASE_URL: 'https://a.example' }, /^DATABASE_URL must be set when NODE_ENV is production/],
  ])('production without %s, as a line of the log', async (_name, env, sentence) => {
    const { code, output } = await failedBoot({ NODE_ENV: 'production', ...env });
    const line = JSON.parse(output) as { level: string; context: string; message: string };
    expect([code, line.level, line.context, line.message]).toEqual([1, 'fatal', 'Start', expect.stringMatching(sentence)]);
  });

  test('an unreachable Redis, as a line of the log like what libraries print', async () => {
    const library = `data:text/javascript,process.on('exit',()=>console.warn('closed%20%25d',6379))`;
    const env = { REDIS_URL: 'redis://127.0.0.1:1', LOG_FORMAT: 'json', NODE_OPTIONS: `--import=${library}` };
    const { code, output } = await failedBoot(env);
    const lines = output.split('\n').map((line) => JSON.parse(line) as { level: string; context: string; message: string });
    expect([code, lines.map(({ level, context, message }) => [level, context, message])]).toEqual([
      1,
      [
        ['error', 'Console', expect.stringMatching(/^The Redis at 127\.0\.0\.1:1 cannot be used: .*\.$/)],
        ['warn', 'Console', 'closed 6379'],
      ],
    ]);
  });

  test('a database that is too old', async () => {
    const database = await createTestDatabase();
    const { Client: Pg } = await import('pg');
    const admin = new Pg({ connectionString: database.url });
    await admin.connect();
    // simulates an old server: the function hides the actual version
    await admin.query(
      `CREATE SCHEMA old; CREATE FUNCTION old.current_setting(text) RETURNS text LANGUAGE sql AS
       $$ SELECT CASE $1 WHEN 'server_version_num' THEN '130014' ELSE '13.14' END $$`,
    );
    await admin.end();
    const { output } = await failedBoot({ DATABASE_URL: withParameter(database.url, 'options', '-c search_path=old,pg_catalog') });
    expect(output).toBe('DATABASE_URL points to PostgreSQL 13.14, but 14 or newer is required.');
    await database.drop();
  });

  test('a port in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    const dataDir = dataDirOfTest();
    const { code, output } = await failedBoot({ PORT: String(port), DATA_DIR: dataDir });
    blocker.close();
    expect([code, output]).toEqual([1, `Port ${port} is in use by another program: set PORT to a free one, or end that program.`]);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
  });
});

describe('a new installation', () => {
  const dataDir = dataDirOfTest();
  const loadedPackages = join(dataDirOfTest(), 'loaded-packages.json');
  let port: number;
  let demo: {
    base_url: string;
    mcp_url: string;
    projects: { id: string; key: string }[];
    members: { email: string; password: string; role: string }[];
    samples: { documents: Record<string, object> };
    keys: { name: string; module: string; mode: string; secret: string; scopes: string[]; project_id: string | null }[];
  };

  const readDemo = () => JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as typeof demo;
  const fullTestKey = () =>
    demo.keys.find(
      ({ module, mode, scopes, project_id }) =>
        module === 'tasks' && mode === 'test' && project_id === null && scopes.includes('tasks:task:write'),
    );

  /** What the first start builds from the code and stores for later ones. */
  const contract = async (client: Client) => {
    const texts = await Promise.all(
      ['/openapi.json', '/openapi.org.json', '/openapi.public.json'].map(async (path) => (await client.get(path)).text),
    );
    const key = client.with({ authorization: `Bearer ${fullTestKey()?.secret}`, accept: 'application/json, text/event-stream' });
    const tools = await key.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    return [...texts, tools.text];
  };
  let firstContract: string[];

  test('starts with a demo workspace whose credentials work, and allows no second process', async () => {
    port = await freePort();
    const running = startService({
      DATA_DIR: dataDir,
      PORT: String(port),
      NODE_OPTIONS: `--import=${LOADED_PACKAGES_HOOK}`,
      LOADED_PACKAGES: loadedPackages,
      DEMO_SECRET_SEED: SEED,
    });
    await listening(running, port);
    // what is ready has its demo
    demo = readDemo();
    expect(fullTestKey()?.secret).toBe(derivedSecret('test', `${SEED} Tasks, test, full`));
    expect(statSync(join(dataDir, 'demo.json')).mode & 0o777).toBe(0o600);
    expect(demo).toMatchObject({ base_url: `http://localhost:${port}`, mcp_url: `http://localhost:${port}/api/v1/ext/mcp` });
    expect(demo.projects).toHaveLength(2);

    const key = new Client(`http://127.0.0.1:${port}`, { authorization: `Bearer ${fullTestKey()?.secret}` });
    const created = await key.post('/api/v1/ext/tasks/tasks', { project_id: demo.projects[0].id, title: 'First steps' });
    expect([created.status, created.body.title]).toEqual([201, 'First steps']);
    firstContract = await contract(new Client(`http://127.0.0.1:${port}`));
    expect(firstContract.at(-1)).toContain('"create_task"');
    const owner = demo.members.find(({ role }) => role === 'owner');
    const session = await new Client(`http://127.0.0.1:${port}`).post('/api/v1/org/session', {
      email: owner?.email,
      password: owner?.password,
    });
    expect(session.body.permissions).toContain('org.developer.apikeys.manage');

    const second = startService({ DATA_DIR: dataDir, PORT: String(await freePort()) });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain('Another process already serves this database');
    expect((await key.get('/api/v1/ext/tasks/tasks?limit=1')).status).toBe(200);

    running.process.kill('SIGTERM');
    await endsCleanly(running);
    // a package from outside the bundle would be a second copy of one that is in it; uuidv7 belongs to a migration, and piscina runs
    // the threads that typeset the PDFs of the demo's invoices; class-transformer is a package of the tests
    const expected = ['class-transformer', 'piscina', 'uuidv7'];
    const outside = JSON.parse(readFileSync(loadedPackages, 'utf8')) as string[];
    expect(outside.filter((name) => !name.startsWith('@node-rs/argon2') && !expected.includes(name))).toEqual([]);
    // by which the boot finds entities and events that no manifest lists
    const dist = join(PROJECT_ROOT, 'dist');
    const current = readFileSync(join(dist, 'bundle', 'current'), 'utf8');
    expect(readFileSync(join(dist, 'in-use', String(running.process.pid)), 'utf8')).toBe(current);
    const bundle = join(dist, 'bundle', current);
    const code = readdirSync(bundle, { encoding: 'utf8' }).flatMap((file) =>
      file.endsWith('.cjs') ? readFileSync(join(bundle, file), 'utf8') : [],
    );
    const named = [...code.join().matchAll(/evaluatedFile=["`]file:\/(src\/modules\/[^"`]+\.entity\.js)/g)].map(([, file]) => file);
    const entities = readdirSync(join(dist, 'src', 'modules'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.entity.js'),
    );
    expect(named.sort()).toEqual(entities.map((file) => `src/modules/${file}`).sort());
  }, 180_000);

  test('keeps its data on the next start, and on SIGTERM serves requests for the shutdown delay and finishes those in flight', async () => {
    const running = startService({ DATA_DIR: dataDir, PORT: String(port), SHUTDOWN_DELAY_SECONDS: `${DELAY_MS / 1000}` });
    const client = await listening(running, port);
    const key = client.with({ authorization: `Bearer ${fullTestKey()?.secret}` });
    const tasks = await key.get('/api/v1/ext/tasks/tasks?q=First');
    expect(tasks.body.data.map(({ title }: { title: string }) => title)).toContain('First steps');

    // threads and fonts are files that only a bundle can lose
    const mayWrite = ({ scopes }: { scopes: string[] }) => scopes.includes('papers:document:write');
    const papers = demo.keys.find((one) => one.module === 'documents' && one.mode === 'live' && one.project_id === null && mayWrite(one));
    const reader = client.with({ authorization: `Bearer ${papers?.secret}` });
    const [document] = (await reader.get('/api/v1/ext/papers/documents?limit=1')).body.data;
    const pdf = await reader.get(`/api/v1/ext/papers/documents/${document.id}/content?format=pdf`);
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf']);
    const title = 'اتفاقية توريد';
    const nda = { type_code: 'mutual_nda', title, project_id: demo.projects[0].id, data_values: demo.samples.documents.mutual_nda };
    const { id } = (await reader.post('/api/v1/ext/papers/documents', nda)).body;
    expect((await reader.post(`/api/v1/ext/papers/documents/${id}/submit`, {})).body).toMatchObject({ title, state: 'approved' });
    expect(await contract(client)).toEqual(firstContract);

    running.process.kill('SIGTERM');
    const end = performance.now() + DELAY_MS;
    const ready = await eventually(
      () => client.get('/health/ready'),
      ({ status }) => status === 503,
    );
    expect([ready.status, ready.headers.connection, ready.body.error.message]).toEqual([503, 'close', 'This process is shutting down.']);
    const served = await key.get('/api/v1/ext/tasks/tasks?limit=1');
    expect([served.status, served.headers.connection, (await client.get('/health/live')).status]).toEqual([200, 'close', 200]);
    // a request of five seconds, of which most are left when the delay ends
    await sleep(Math.max(0, end - 1_500 - performance.now()));
    const inFlight = key.get('/api/v1/ext/tasks/tasks', { 'svc-test-scenario': 'slow_response' });
    const refuses = () =>
      client.get('/health').then(
        () => false,
        () => true,
      );
    expect(await eventually(refuses, (refused) => refused)).toBe(true);
    // the request still runs: the process has not just ended
    expect(running.process.exitCode).toBe(null);
    expect((await inFlight).status).toBe(200);
    await endsCleanly(running);
  }, 180_000);
});
