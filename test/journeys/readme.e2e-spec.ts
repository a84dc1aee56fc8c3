import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { blocksOf, unpackClient } from '../harness/client-package.js';
import { startDemoApp } from '../harness/demo.js';
import { eventually } from '../harness/eventually.js';
import { freePort } from '../harness/free-port.js';
import { PASSWORD, signIn } from '../harness/workspace.js';

const { app, demo, printed } = await startDemoApp();
const LEADS = 'src/modules/lead-webhook/README.md';
const DOCUMENTS = 'src/modules/documents/README.md';
const STOREFRONT = 'src/modules/storefront/README.md';
const DESK = 'src/modules/desk/README.md';
const CLIENT = 'src/client/README.md';
const BASE = 'http://localhost:3000';
const README = page('README.md');

function page(path: string): string {
  return readFileSync(join(PROJECT_ROOT, path), 'utf8');
}

/** The shell code block of a page that contains a text. */
function blockWith(text: string, path = 'README.md'): string {
  const blocks = [...page(path).matchAll(/^```sh\n(.*?)^```/gms)].map(([, lines]) => lines);
  return blocks.find((lines) => lines.includes(text)) as string;
}

describe('commands of the README files work when pasted', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'work-suite-readme-'));
    symlinkSync(demo.folder, join(folder, '.data'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function paste(lines: string): Promise<string> {
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
    const { stdout } = await promisify(execFile)('sh', ['-c', lines.replaceAll(BASE, app.url)], {
      cwd: folder,
      env: { ...process.env, PATH },
    });
    return stdout;
  }

  it('for the first call, which has no further effect when repeated', async () => {
    const config = printed.split('\n').find((line) => line.startsWith('{"mcpServers"')) as string;
    const task = JSON.parse(await paste(blockWith("'Tasks, test, full'"))) as { key: string };
    expect(task).toMatchObject({ object: 'task', title: 'Try the API' });
    expect(README).toContain(`a key such as \`${task.key}\``);
    expect(JSON.parse(await paste(blockWith("'Tasks, test, full'")))).toEqual(task);
    expect(README).toContain(config.replaceAll(app.url, BASE).replace(/svc_test_\w+/, '<API_KEY>'));
  });

  it('for a lead, which matches the existing one when repeated', async () => {
    const lines = blockWith('/api/v1/webhooks/leads', LEADS);
    expect(JSON.parse(await paste(lines))).toMatchObject({ object: 'lead_submission', result: 'created' });
    expect(JSON.parse(await paste(lines))).toMatchObject({ result: 'matched' });
  });

  it('for a won deal, whose agreement is approved, finalized and downloaded', async () => {
    const deal = JSON.parse(await paste(blockWith('crm/deals', DOCUMENTS))) as { status: string; title: string };
    expect(deal.status).toBe('won');
    const lines = blockWith('approvals/pending', DOCUMENTS);
    const [show] = /^GRACE=.*\ncurl .*$/m.exec(lines) as RegExpExecArray;
    const pending = await eventually(
      () => paste(show),
      (printed) => printed.includes(`Agreement: ${deal.title}`),
    );
    expect(JSON.parse(pending).data.map(({ document }: { document: { title: string } }) => document.title)).toContain(
      `Agreement: ${deal.title}`,
    );
    // the commands print the pending decisions first
    expect(await paste(lines)).toContain('"state":"finalized"');
    expect(readFileSync(join(folder, 'agreement.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('for documents that are sent to many, and a link to a signing page', async () => {
    const [first, second] = [blockWith('bulk-sends', DOCUMENTS), blockWith('signing-link', DOCUMENTS)];
    const [key] = /^GRACE=.*$/m.exec(first) as RegExpExecArray;
    expect(JSON.parse(await paste(first))).toMatchObject({ object: 'bulk_send', status: 'running' });
    const [show] = /^BULK=.*\ncurl .*$/m.exec(second) as RegExpExecArray;
    await eventually(
      () => paste(`${key}\n${show}`),
      (printed) => printed.includes('"sent_count":3'),
    );
    expect(await paste(`${key}\n${second}`)).toMatch(/"object":"signing_link","url":"http[^"]+\/s\/[\w-]{43}"/);
  });

  it('for an order, which is paid, shipped, invoiced as PDF and partly refunded', async () => {
    const lines = [blockWith('orders/$ORDER/place', STOREFRONT), blockWith('orders/$ORDER/refunds', STOREFRONT)]
      .join('')
      .replaceAll('sleep 1', 'sleep 0.1');
    const printed = await paste(lines);
    for (const part of ["'O-8', 'open', 26290", 'paid', "'completed', 'fulfilled'", "'partially_refunded', 12900"])
      expect(printed).toContain(part);
    expect(printed).toMatch(/48 on hand, (\d+) reserved[^]*46 on hand/);
    expect(printed).toMatch(/'INV-\d+-\d+', 'invoice', 'paid', 26290[^]*'CN-\d+-\d+', 'credit_note', 'paid', 12900/);
    expect(readFileSync(join(folder, 'invoice.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('for tickets that are overdue, and a mail to the desk', async () => {
    const { data } = JSON.parse(await paste(blockWith('sla_due_before', DESK))) as { data: { sla_due_at: string }[] };
    expect(data.length).toBeGreaterThan(0);
    expect(data.filter(({ sla_due_at }) => Date.parse(sla_due_at) > Date.now())).toEqual([]);
    const accepted = blockWith('message/rfc822', DESK).replace('curl -sS', "curl -sS -w '%{http_code}'");
    expect(await paste(accepted)).toContain('202');
  });

  it('for the first project in production', async () => {
    const { owner } = await app.workspace();
    const lines = blockWith('/api/v1/org/projects', 'docker/README.md')
      .replace('ada@example.com', owner.email)
      .replace('<PASSWORD>', PASSWORD)
      .replace('"ENG"', '"NEW"');
    expect(JSON.parse(await paste(lines))).toMatchObject({ object: 'project', key: 'NEW', status: 'active' });
  });

  it('for the typed client, from the first call to the webhook', async () => {
    const port = await freePort();
    const owner = await signIn(app.url, demo.facts().members[0]);
    const endpoint = { url: `http://127.0.0.1:${port}/`, events: ['task.created'], mode: 'test' };
    const { body: created } = await owner.post('/api/v1/org/developer/webhook-endpoints', endpoint);
    const key = (module: string) => demo.secret(`${module}, test, full`);
    const env = {
      PATH: process.env.PATH,
      TASKS_KEY: key('Tasks'),
      DOCUMENTS_KEY: key('Documents'),
      DESK_KEY: key('Service desk'),
      WEBHOOK_SECRET: created.secret as string,
    };
    await unpackClient(app.url, folder);
    writeFileSync(join(folder, 'photo.png'), Buffer.from('iVBORw0KGgo=', 'base64'));
    const { receiver, story } = blocksOf(page(CLIENT));
    writeFileSync(join(folder, 'receiver.mts'), receiver.replace('4000', String(port)));
    writeFileSync(join(folder, 'story.mts'), story.replace(BASE, app.url));

    const received = spawn(process.execPath, ['receiver.mts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let events = '';
    received.stdout.on('data', (chunk: Buffer) => (events += chunk.toString()));
    try {
      await eventually(
        () =>
          fetch(endpoint.url).then(
            ({ status }) => status === 400,
            () => false,
          ),
        Boolean,
      );
      const { stdout } = await promisify(execFile)(process.execPath, ['story.mts'], { cwd: folder, env });
      const expected = /^Engineering\n(TEST-ENG-\d+ .*\n)+\d+ of \d+\nThe printer does not print\n412 If-Match true\n$/;
      expect(stdout).toMatch(expected);
      expect(readFileSync(join(folder, 'document.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
      await eventually(
        () => Promise.resolve(events),
        (printed) => printed.includes('created Send the October invoice'),
      );
    } finally {
      received.kill();
    }
  });
});
