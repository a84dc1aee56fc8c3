import { afterAll, describe, expect, test } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '../../../test/harness/client.js';
import { eventually } from '../../../test/harness/eventually.js';
import { freePort } from '../../../test/harness/free-port.js';
import { NOTES, sharedNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';
import { signatureHeader } from '../webhooks/sending/signature.js';
import { explainSkippedTests } from '../../../test/harness/skipped-tests.js';

const ENDPOINTS = '/api/v1/org/developer/webhook-endpoints';
const FOLDER = fileURLToPath(new URL('receivers/', import.meta.url));
const BUILT = mkdtempSync(join(tmpdir(), 'work-suite-receivers-'));
const GO_PROGRAM = join(BUILT, 'receiver');

/** How each is started, and what a machine needs for it. */
const RECEIVERS = [
  { file: 'receiver.ts', needs: [process.execPath, '--version'], command: [process.execPath, join(FOLDER, 'receiver.ts')] },
  { file: 'receiver.py', needs: ['python3', '--version'], command: ['python3', join(FOLDER, 'receiver.py')] },
  { file: 'receiver.go', needs: ['go', 'version'], command: [GO_PROGRAM] },
];

const app = await sharedNotesApp();
const space = await app.workspace();
const owner = await space.signIn();
const key = await space.key();
const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(BUILT, { recursive: true, force: true });
});

function isThere([command, ...args]: string[], file: string): boolean {
  if (spawnSync(command, args, { stdio: 'ignore' }).status === 0) return true;
  explainSkippedTests(`${file} is not tested: there is no ${command} on this machine.`);
  return false;
}

/** Starts a receiver that knows the secret; `printed` returns its output, one line per event. */
async function start(
  [command, ...args]: string[],
  port: number,
  secret: string,
): Promise<{ printed: () => string[]; child: ChildProcess }> {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: `${port}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const listens = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
        .on('error', () => resolve(false))
        .on('connect', () => socket.destroy());
    });
  if (!(await eventually(listens, (yes) => yes || child.exitCode !== null))) throw new Error(`${command} does not listen.`);
  return { child, printed: () => output.split('\n').filter((line) => line !== '') };
}

describe.each(RECEIVERS)('$file', ({ file, needs, command }) => {
  test('accepts only valid signatures, of the old or the new secret', async () => {
    if (!isThere(needs, file)) return;
    if (file === 'receiver.go') {
      const built = spawnSync('go', ['build', '-o', GO_PROGRAM, join(FOLDER, file)], {
        env: { ...process.env, GOCACHE: join(BUILT, 'cache') },
        encoding: 'utf8',
      });
      expect([built.status, built.stderr]).toEqual([0, '']);
    }
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hooks`;
    const { body: endpoint } = await owner.post(ENDPOINTS, { url, events: ['note.created'] });
    const { child, printed } = await start(command, port, endpoint.secret);

    /** The delivery of a new note's event, once it has been tried. */
    const deliver = async () => {
      const title = `Ünïcode "quoted" \u2028 ${randomUUID()}`;
      expect((await key.client.post(NOTES, { project_id: space.eng.id, title })).status).toBe(201);
      const newest = async () =>
        (await owner.get(`/api/v1/org/developer/deliveries?endpoint_id=${endpoint.id}`)).body.data[0] as {
          status: string;
          event_id: string;
          attempt_count: number;
        };
      const delivery = await eventually(newest, (found) => found?.attempt_count > 0 && found.status !== 'pending');
      expect(delivery).toMatchObject({ status: 'delivered', attempt_count: 1, last_status: 204 });
      return `note.created ${delivery.event_id}`;
    };
    const first = await deliver();
    // from now on signed by two secrets, of which the receiver knows the old one
    await owner.post(`${ENDPOINTS}/${endpoint.id}/roll-secret`, { overlap_hours: 1 });
    const second = await deliver();
    expect(second).not.toBe(first);
    expect(
      await eventually(
        async () => printed(),
        (lines) => lines.length > 1,
      ),
    ).toEqual([first, second]);

    const now = Math.floor(Date.now() / 1000);
    const send = async (signature: string | undefined, body: string) =>
      (await fetch(url, { method: 'POST', body, headers: signature === undefined ? {} : { 'Svc-Signature': signature } })).status;
    const id = randomUUID();
    // not as a serialiser would write it
    const body = `{ "type" : "caf\u00e9.opened",\n"id":"${id}", "n": 1.0 }`;
    const valid = signatureHeader([endpoint.secret], body, now);
    const [, hex] = valid.split('v1=');
    for (const rejected of [
      undefined,
      '',
      't',
      ',,',
      `t=${now}`,
      `v1=${hex}`,
      `t=${now},v1=`,
      `t=${now},v1=${hex.slice(2)}`,
      `t=${now},v1=zz${hex.slice(2)}`,
      `t=${now},v1=\u00e9`,
      `t=${now},v0=${hex}`,
      `t=x,v1=${hex}`,
      `t=${'9'.repeat(400)},v1=${hex}`,
      `t=${now - 1},v1=${hex}`,
      signatureHeader([endpoint.secret], body, now - 301),
      signatureHeader([endpoint.secret], body, now + 320),
      signatureHeader(['svc_whsec_other'], body, now),
      signatureHeader([endpoint.secret], `${body} `, now),
    ])
      expect([rejected, await send(rejected, body)]).toEqual([rejected, 400]);
    expect(printed()).toHaveLength(2);

    // a sender that disconnects within the body does not stop the receiver
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf', () => socket.destroy()),
      );
      socket.on('close', () => resolve());
    });
    for (const accepted of [
      valid,
      signatureHeader([endpoint.secret, 'svc_whsec_other'], body, now),
      signatureHeader(['svc_whsec_other', endpoint.secret], body, now - 290),
    ])
      expect(await send(accepted, body)).toBe(204);
    expect(
      (
        await eventually(
          async () => printed(),
          (lines) => lines.length > 2,
        )
      ).slice(2),
    ).toEqual([`caf\u00e9.opened ${id}`]);
    child.kill('SIGKILL');
  });
});

test('the docs show the complete source with the configured values', async () => {
  const { status, text } = await new Client(app.url).get('/docs/webhooks');
  expect(status).toBe(200);
  const shown = [...text.matchAll(/<pre[^>]*><code>(.*?)<\/code><\/pre>/gs)].map(([, code]) =>
    code
      .replace(/<[^>]+>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&'),
  );
  expect(shown).toEqual(RECEIVERS.map(({ file }) => readFileSync(join(FOLDER, file), 'utf8')));
  for (const fact of [
    '10 attempts',
    'complete within 10 s',
    '16 KiB',
    'first delay is 30 s',
    'up to 21600 s',
    '120 hours',
    'for 30 days',
    'by DNS alone',
  ])
    expect(text).toContain(fact);
});
