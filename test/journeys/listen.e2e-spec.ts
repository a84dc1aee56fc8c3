import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { webhooks } from '../../src/client/webhooks.js';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { eventually } from '../harness/eventually.js';
import { NOTES, ownNotesApp, startNotesApp } from '../harness/fixtures/fixture-apps.js';
import { freePort } from '../harness/free-port.js';
import { Receiver } from '../harness/receiver.js';

const receiver = await Receiver.start();
const app = await ownNotesApp();
const space = await app.workspace();
const owner = await space.signIn();
const writer = await space.key({ mode: 'test' });

/** Which process the address of the suite leads to. */
let target = app.url;
/** Without a demo, until a test writes one. */
const dataDir = mkdtempSync(join(tmpdir(), 'listen-data-'));
const sockets = new Set<Socket>();
const children = new Set<ChildProcess>();
const address = createServer((socket) => {
  const inner = connect(Number(new URL(target).port), '127.0.0.1');
  for (const end of [socket, inner]) end.on('error', () => undefined).once('close', () => (socket.destroy(), inner.destroy()));
  sockets.add(socket);
  socket.pipe(inner).pipe(socket);
});
await once(address.listen(0, '127.0.0.1'), 'listening');
const suiteUrl = `http://127.0.0.1:${(address.address() as AddressInfo).port}`;

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const child of children) child.kill('SIGKILL');
  address.close();
  rmSync(dataDir, { recursive: true });
  await receiver.stop();
});

async function note(title: string): Promise<void> {
  expect((await writer.client.post(NOTES, { project_id: space.eng.id, title })).status).toBe(201);
}

/** Runs `work-suite listen`. */
function listen(key: string, ...args: string[]) {
  const env = { ...process.env, NODE_OPTIONS: '', SUITE_URL: suiteUrl, SUITE_KEY: key, DATA_DIR: dataDir };
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'scripts', 'work-suite.mjs'), 'listen', ...args], { env });
  const output = { out: '', err: '' };
  child.stdout.on('data', (text) => (output.out += String(text)));
  child.stderr.on('data', (text) => (output.err += String(text)));
  const exit = once(child, 'exit').then(([code]) => code as number);
  children.add(child);
  return { output, exit };
}

test('listen forwards events signed, and continues when the suite is started again', async () => {
  const { secret: key, id } = await space.key({ module: 'developer', mode: 'test' });
  const replaced = await startNotesApp({ databaseUrl: app.databaseUrl });
  target = replaced.url;
  const forwarding = listen(key, '--forward-to', receiver.url('/hooks'), '--events', 'note.*');
  const signing = await eventually(
    async () => /Signing secret: (\S+)/.exec(forwarding.output.out)?.[1],
    (secret) => secret !== undefined,
  );
  const titles = async () =>
    Promise.all(
      receiver.at('/hooks').map(async ({ body, headers }) => {
        const event = (await webhooks.verify(body, headers['svc-signature'], signing!)) as { data: { object: { title: string } } };
        return event.data.object.title;
      }),
    );
  await note('one');
  await eventually(titles, ({ length }) => length === 1);
  receiver.on('/hooks', (_request, response) => void response.writeHead(418).end());
  target = app.url;
  await replaced.close();
  await note('two');
  expect(await eventually(titles, ({ length }) => length === 2)).toEqual(['one', 'two']);
  await eventually(
    async () => forwarding.output.out,
    (out) => / {2}418 {2}/.test(out),
  );
  expect(forwarding.output.out).toMatch(/^\d+ {2}note\.created {2}[\w-]{36} {2}200 {2}\d+ ms$/m);
  expect(forwarding.output.err).toMatch(/^The suite ended the stream: This process is shutting down; connect again\. Connecting again/);

  await owner.post(`/api/v1/org/developer/api-keys/${id}/revoke`);
  expect(await forwarding.exit).toBe(1);
  expect(forwarding.output.err).toMatch(/The suite answered 401: This API key was revoked or rolled; use the new one\.\n$/);
});

test.each([
  [['--forward-to', 'localhost:4000'], 'svc_test_x', 2, '--forward-to must be an http or https URL.'],
  [['--forward-to', 'http://localhost:4000'], '', 2, 'A key is missing: pass --key, or set SUITE_KEY.'],
  [['--forward-to', 'http://localhost:4000'], 'svc_live_x', 2, 'This is a live key: use a test key, or pass --live'],
  [['--forward-to', 'http://localhost:4000'], 'svc_test_x', 1, 'The suite answered 401: This API key does not exist;'],
])('listen with %j and the key %j exits', async (args, key, code, message) => {
  const { output, exit } = listen(key, ...args);
  expect([await exit, output.err.startsWith(message)]).toEqual([code, true]);
});

test('listen has the key of the demo by default', async () => {
  const { secret } = await space.key({ module: 'developer', mode: 'test' });
  const keys = [{ module: 'developer', mode: 'test', project_id: null, scopes: ['developer:event:read'], secret }];
  writeFileSync(join(dataDir, 'demo.json'), JSON.stringify({ keys, members: [] }));
  const { output } = listen('', '--forward-to', receiver.url('/demo'));
  await eventually(
    () => Promise.resolve(output.out + output.err),
    (printed) => printed !== '',
  );
  expect(output).toEqual({ out: expect.stringMatching(/^Forwarding \* to /), err: '' });
});

test('listen ends with the npx that runs it, also if npx is killed', async () => {
  const command = `"${process.execPath}" "${join(PROJECT_ROOT, 'scripts', 'work-suite.mjs')}" listen --forward-to ${suiteUrl}; exit`;
  const npx = `require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(command)}], { stdio: 'inherit' })`;
  const env = { ...process.env, NODE_OPTIONS: '', npm_lifecycle_event: 'npx', SUITE_URL: 'http://127.0.0.1:9', SUITE_KEY: 'svc_test_x' };
  const parent = spawn(process.execPath, ['-e', npx], { env });
  children.add(parent);
  await once(parent.stderr, 'data');
  parent.kill('SIGKILL');
  // once no process has its output open
  await once(parent, 'close');
});

test('trigger finds the suite at PORT of the .env of its project', async () => {
  const port = await freePort();
  const cwd = mkdtempSync(join(tmpdir(), 'work-suite-env-'));
  writeFileSync(join(cwd, 'suite.config.ts'), '');
  writeFileSync(join(cwd, '.env'), `PORT=${port}\n`);
  const { SUITE_URL: _, PORT: __, ...env } = process.env;
  const run = (more: object) =>
    spawnSync(process.execPath, [join(PROJECT_ROOT, 'scripts', 'work-suite.mjs'), 'trigger', 'note.cretaed'], {
      cwd,
      encoding: 'utf8',
      env: { ...env, NODE_OPTIONS: '', ...more },
    });
  expect(run({}).stderr).toContain(`The suite at http://localhost:${port} cannot be reached`);
  expect(run({ PORT: '4' }).stderr).toContain('The suite at http://localhost:4 cannot be reached');
  rmSync(cwd, { recursive: true });
});
