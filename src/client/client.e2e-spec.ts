import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { blocksOf, unpackClient } from '../../test/harness/client-package.js';
import { PDFDocument } from '@cantoo/pdf-lib';
import { sharedApp } from '../../test/harness/hosted-app.js';
import { WorkflowFixture } from '../modules/documents/testing/workflow-fixture.js';
import { PACKAGE_ROOT } from '../platform/config/project-root.js';
import { signatureHeader } from '../platform/webhooks/sending/signature.js';
import type * as Runtime from './index.js';

/** Untyped, because the types are generated: the test of types compiles a file. */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
type Suite = any;

const app = await sharedApp();
const workspace = await app.workspace();
const { secret: key } = await workspace.key({ module: 'tasks', mode: 'test' });
const folder = mkdtempSync(join(tmpdir(), 'work-suite-client-'));
const { folder: installed, archive } = await unpackClient(app.url, folder);
const { WorkSuite, WorkSuiteError, ConnectionError, TimeoutError, SignatureError, webhooks } = (await import(
  pathToFileURL(join(installed, 'index.js')).href
)) as typeof Runtime & { WorkSuite: new (options: object) => Suite };

/** What the proxy does with the next requests, before or after the application has served them. */
type Fault = 'drop' | 'drop after' | { status: number; headers?: Record<string, string>; body?: string };
const faults: Fault[] = [];
const seen: IncomingMessage[] = [];
const proxy = createServer((request, response) => {
  seen.push(request);
  const fault = faults.shift();
  if (fault === 'drop') return request.socket.destroy();
  if (typeof fault === 'object') return response.writeHead(fault.status, fault.headers).end(fault.body);
  request.pipe(
    forward(app.url + request.url!, { method: request.method, headers: request.headers }, (answer) => {
      if (fault === 'drop after') return answer.resume().on('end', () => request.socket.destroy());
      answer.pipe(response.writeHead(answer.statusCode!, answer.headers));
    }),
  );
});
let suite: Suite;
beforeAll(async () => {
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  suite = new WorkSuite({ baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`, key });
});
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
  rmSync(folder, { recursive: true });
});

/** Lists that have no answer without parameters. */
const NEED_PERIODS = ['schedule.bookings', 'hr.holidays', 'hr.absences'];
const project_id = workspace.eng.id;
let titles = 0;
const newTask = () => ({ project_id, title: `client task ${++titles}` });
const rows = async (title: string) =>
  (await app.sql.query<{ n: number }>('SELECT count(*)::int AS n FROM tasks WHERE title = $1', [title])).rows[0].n;
/** The error of a call, and the number of requests that it made. */
const failureOf = async (call: Promise<unknown>) => {
  const before = seen.length;
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  return { error: error as InstanceType<typeof WorkSuiteError>, requests: seen.length - before };
};

describe('retries', () => {
  test('a write whose answer was lost has been executed once, under one key', async () => {
    const body = newTask();
    faults.push('drop after', 'drop');
    const before = seen.length;
    const statuses: number[] = [];
    const task = await suite.tasks.create(body, { timeoutMs: Infinity, onResponse: ({ status }: Response) => statuses.push(status) });
    expect([task.title, await rows(body.title), statuses]).toEqual([body.title, 1, [201]]);
    const keys = seen.slice(before).map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size, String(keys[0])]).toEqual([3, 1, expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });

  test('waits as Retry-After says, whether the suite or a proxy refuses', async () => {
    faults.push({ status: 429, headers: { 'Retry-After': '1' }, body: '{"error":{"code":"rate_limited"}}' });
    const started = Date.now();
    expect((await suite.tasks.get((await suite.tasks.create(newTask())).id)).object).toBe('task');
    expect(Date.now() - started).toBeGreaterThanOrEqual(1000);
    faults.push({ status: 502, body: '<h1>Bad gateway</h1>' });
    expect((await suite.tasks.projects.list().page()).data.length).toBeGreaterThan(0);
  });

  test('ends after maxRetries with the last error, and at once if Retry-After is long', async () => {
    const headers = { 'Svc-Test-Scenario': 'rate_limited' };
    const { error, requests } = await failureOf(suite.tasks.create(newTask(), { headers, maxRetries: 1 }));
    expect([error.code, error.status, error.retryAfter, requests]).toEqual(['rate_limited', 429, 1, 2]);
    faults.push({ status: 429, headers: { 'Retry-After': '3600' }, body: '{"error":{"code":"rate_limited"}}' });
    expect(await failureOf(suite.tasks.projects.list().page())).toMatchObject({ error: { retryAfter: 3600 }, requests: 1 });
  });

  test('does not repeat what has no key, or what a repeat cannot change', async () => {
    faults.push('drop');
    const booking = suite.public.booking.create('meet', { start_at: '2030-01-01T09:00:00Z' });
    expect(await failureOf(booking)).toMatchObject({ error: expect.any(ConnectionError), requests: 1 });
    faults.push({ status: 500, body: '{"error":{"code":"internal_error"}}' });
    expect(await failureOf(suite.tasks.create(newTask()))).toMatchObject({ error: { code: 'internal_error' }, requests: 1 });
    faults.push({ status: 301, headers: { Location: 'https://elsewhere.example/' } });
    const redirected = await failureOf(suite.tasks.create(newTask()));
    expect([redirected.error.message, redirected.requests]).toEqual([expect.stringContaining('https://elsewhere.example/'), 1]);
  });

  test('deletes what an earlier attempt may have deleted, but not another version', async () => {
    const [one, other] = [await suite.tasks.create(newTask()), await suite.tasks.create(newTask())];
    faults.push('drop after');
    expect(await suite.tasks.delete(one.id)).toBeUndefined();
    expect((await failureOf(suite.tasks.delete(one.id))).error.code).toBe('not_found');
    faults.push('drop after');
    expect(await failureOf(suite.tasks.delete(other))).toMatchObject({ error: expect.any(ConnectionError), requests: 1 });
    expect(await rows(other.title)).toBe(0);
  });

  test('a call that times out or is cancelled ends, while it waits too', async () => {
    const headers = { 'Svc-Test-Scenario': 'slow_response' };
    const late = await failureOf(suite.tasks.projects.list({}, { headers, timeoutMs: 300, maxRetries: 1 }).page());
    expect([late.error, late.requests]).toEqual([expect.any(TimeoutError), 2]);
    const cancelled = suite.tasks.projects.list({}, { headers, signal: AbortSignal.timeout(100) }).page();
    expect((await failureOf(cancelled)).error.name).toBe('TimeoutError');
    faults.push({ status: 503, headers: { 'Retry-After': '30' }, body: '{"error":{"code":"unavailable"}}' });
    const waiting = new AbortController();
    setTimeout(() => waiting.abort(new Error('enough')), 100);
    expect(await failureOf(suite.tasks.create(newTask(), { signal: waiting.signal }))).toMatchObject({
      error: { message: 'enough' },
      requests: 1,
    });
  });
});

describe('calls', () => {
  test('a change of an object applies to the version that was read', async () => {
    const task = await suite.tasks.create(newTask());
    const title = `${task.title} changed`;
    expect((await suite.tasks.update(task, { title })).version).toBe(2);
    const { error, requests } = await failureOf(suite.tasks.update(task, { title: 'late' }));
    expect([error.code, error.status, error.param, requests]).toEqual(['version_conflict', 412, 'If-Match', 1]);
    expect([error.operation, error.requestId, error.docUrl]).toEqual([
      'update_task',
      expect.stringMatching(/^req_/),
      expect.stringContaining('/docs/errors#'),
    ]);
    expect([suite.tasks.update.isError(error), suite.tasks.create.isError(error)]).toEqual([true, false]);
    expect((await suite.tasks.update(task, { title: 'forced' }, { ifMatch: null })).title).toBe('forced');
    expect((await failureOf(suite.tasks.delete(task.id, { ifMatch: task }))).error.code).toBe('version_conflict');
    expect(await suite.tasks.delete(task.id, { ifMatch: '"3"' })).toBeUndefined();
  });

  test('errors name all invalid fields', async () => {
    const { error } = await failureOf(suite.tasks.create({ ...newTask(), priority: 'enormous', assignee_ids: 'me' }));
    expect([error.code, error.details.map(({ param }) => param).sort()]).toEqual(['validation_failed', ['assignee_ids', 'priority']]);
    expect(error.details.find(({ param }) => param === 'priority')?.allowed).toContain('urgent');
  });

  test('an id that would be another path is refused before anything is sent', async () => {
    for (const id of ['', '..', undefined, {}]) {
      const { error, requests } = await failureOf(suite.tasks.delete(id));
      expect([error.message, requests]).toEqual([expect.stringContaining('delete_task: id must be an id'), 0]);
    }
  });

  test('a list is read page by page', async () => {
    const tasks = await Promise.all([1, 2, 3, 4, 5].map(() => suite.tasks.create(newTask())));
    const ids = tasks.map(({ id }) => id as string);
    const found: string[] = [];
    const before = seen.length;
    for await (const { id } of suite.tasks.list({ project_id, limit: 2, sort: '-created_at' })) found.push(id as string);
    expect(ids.filter((id) => !found.includes(id))).toEqual([]);
    expect(new Set(found).size).toBe(found.length);
    expect(seen.length - before).toBe(Math.ceil(found.length / 2));
    const page = await suite.tasks.list({ project_id, limit: 2, include_total: true }).page();
    expect([page.data.length, page.has_more, page.total_count]).toEqual([2, true, found.length]);
    const csv = (await suite.tasks.list({ project_id, sort: '-created_at' }).csv()) as Response;
    const [head, ...rows] = (await csv.text()).trimEnd().split('\r\n');
    expect([csv.headers.get('content-type'), head.split(',').includes('title'), rows.length]).toEqual([
      'text/csv; charset=utf-8',
      true,
      found.length,
    ]);
    const failing = suite.tasks.list({ limit: 1_000 })[Symbol.asyncIterator]();
    expect((await failureOf(failing.next())).error.param).toBe('limit');
  });

  test('a list is filtered by custom fields', async () => {
    const region = { resource: 'task', key: 'region', label: 'Region', type: 'choice', options: ['emea', 'apac', 'us'], filterable: true };
    expect((await (await workspace.signIn()).post('/api/v1/org/custom-fields', region)).status).toBe(201);
    const create = (value: string) => suite.tasks.create({ ...newTask(), custom_fields: { region: value } });
    const [emea, apac] = [await create('emea'), await create('apac'), await create('us')];
    const { data } = await suite.tasks.list({ custom_fields: { region: ['emea', 'apac'] } }).page();
    expect(data.map(({ id }: { id: string }) => id).sort()).toEqual([emea.id, apac.id].sort());
  });

  test('every list of every module gives each item once, however small its pages are', async () => {
    const keys = { tasks: 'tasks', crm: 'crm', papers: 'documents', schedule: 'schedule', inventory: 'inventory', desk: 'desk', hr: 'hr' };
    const lists: Record<string, number> = {};
    for (const [name, module] of Object.entries({
      ...keys,
      leadWebhook: 'lead_webhook',
      accounting: 'accounting',
      storefront: 'storefront',
    })) {
      const own = new WorkSuite({ baseUrl: app.url, key: (await workspace.key({ module })).secret })[name] as Record<string, Suite>;
      for (const [resource, { list }] of Object.entries({ ...own, [name]: own })) {
        if (!list || NEED_PERIODS.includes(`${name}.${resource}`)) continue;
        const found = new Set<string>();
        for await (const item of list({ limit: 1 })) found.add(JSON.stringify(item));
        expect([resource, found.size]).toEqual([resource, (await list({ limit: 100 }).page()).data.length]);
        lists[`${name}.${resource}`] = found.size;
      }
    }
    expect(Object.keys(lists).length).toBeGreaterThan(50);
    expect(lists).toMatchObject({ 'tasks.projects': 2, 'tasks.priorities': 5 });
  });

  test('files are sent in forms, and a CSV as a stream', async () => {
    const desk = new WorkSuite({ baseUrl: app.url, key: (await workspace.key({ module: 'desk' })).secret }).desk;
    const ticket = {
      project_id,
      subject: 'Über',
      message: 'It does not print.',
      requester: { email: 'ada@customer.example' },
      tags: ['a', 'b'],
    };
    const files = [new File(['first'], 'größe.txt', { type: 'text/plain' }), new File(['second'], 'second.txt', { type: 'text/plain' })];
    const send = () => desk.tickets.create({ ...ticket, files }, { idempotencyKey: 'form' });
    const [sent, again] = [await send(), await send()];
    expect([again.id, sent.subject, sent.tags]).toEqual([sent.id, 'Über', ['a', 'b']]);
    const [{ attachments }] = (await desk.tickets.listMessages(sent).page()).data;
    expect(attachments.map(({ file_name }: { file_name: string }) => file_name)).toEqual(['größe.txt', 'second.txt']);

    const inventory = new WorkSuite({ baseUrl: app.url, key: (await workspace.key({ module: 'inventory' })).secret }).inventory;
    const csv = new Blob(['sku,name\nC-1,Chair\n', 'C-2,Table\n']).stream();
    expect(await inventory.imports.importItems(csv, { project_id })).toMatchObject({ rows: 2, imported: 2 });
  });

  test('a PDF is sent and received as a stream, for the version that was read', async () => {
    const workflow = await WorkflowFixture.open(app);
    const { code } = await workflow.type();
    const { papers } = new WorkSuite({ baseUrl: app.url, key: workflow.api.headers.authorization.slice('Bearer '.length) });
    const document = await papers.documents.get((await workflow.draft(code)).id);
    const created = await PDFDocument.create();
    created.addPage();
    const pdf = await created.save();
    expect((await papers.documents.replaceFile(document, new Blob([pdf as BlobPart]).stream())).pages).toBe(1);
    const response = (await papers.documents.downloadFile(document)) as Response;
    expect([response.headers.get('content-type'), await response.bytes()]).toEqual(['application/pdf', pdf]);
    const { error } = await failureOf(papers.documents.replaceFile(document, pdf));
    expect([error.code, papers.documents.replaceFile.isError(error)]).toEqual(['version_conflict', true]);
    expect((await papers.documents.submit(document.id)).state).not.toBe('draft');
  });
});

describe('webhooks.verify', () => {
  const body = JSON.stringify({ type: 'task.created', data: { object: { title: 'Über' } } });
  const now = () => Math.floor(Date.now() / 1000);

  test('returns the event, under each of several secrets', async () => {
    const signature = signatureHeader(['new', 'old'], body, now());
    for (const secret of ['new', 'old', ['unused', 'old']])
      expect(await webhooks.verify(Buffer.from(body), signature, secret)).toEqual(JSON.parse(body));
    expect(await suite.webhooks.verify(body, signatureHeader(['old'], body, now()), ['new', 'old'])).toEqual(JSON.parse(body));
  });

  test.each([
    ['another body', body.replace('Ü', 'U'), signatureHeader(['s'], body, now())],
    ['another secret', body, signatureHeader(['other'], body, now())],
    ['an old delivery', body, signatureHeader(['s'], body, now() - 400)],
    ['a time in the future', body, signatureHeader(['s'], body, now() + 400)],
    ['another time', body, signatureHeader(['s'], body, now()).replace(/\d+/, String(now() - 1))],
    ['a short signature', body, `t=${now()},v1=00`],
    ['no header', body, undefined],
  ])('rejects %s', async (_, text, signature) => {
    await expect(webhooks.verify(text, signature, 's')).rejects.toThrow(SignatureError);
  });

  test('a missing secret or a parsed body is a mistake of the receiver', async () => {
    const signature = signatureHeader(['s'], body, now());
    await expect(webhooks.verify(body, signature, '')).rejects.toThrow(TypeError);
    await expect(webhooks.verify(JSON.parse(body) as string, signature, 's')).rejects.toThrow('raw body');
  });
});

describe('the package', () => {
  test('is the same at each request, and small', async () => {
    const response = await fetch(`${app.url}/client.tgz`);
    expect(Buffer.from(await response.arrayBuffer()).equals(archive)).toBe(true);
    const headers = { 'If-None-Match': response.headers.get('etag')! };
    expect((await fetch(`${app.url}/client.tgz`, { headers })).status).toBe(304);
    const runtime = ['index.js', ...readdirSync(join(installed, 'runtime')).map((name) => `runtime/${name}`)];
    const size = gzipSync(Buffer.concat(runtime.map((name) => readFileSync(join(installed, name))))).length;
    expect(size).toBeLessThanOrEqual(12 * 1024);
    expect(runtime.filter((name) => /from '(?!\.)|require\(|sourceMappingURL/.test(readFileSync(join(installed, name), 'utf8')))).toEqual(
      [],
    );
  });

  test('has types that compile strictly, and that refuse mistakes', async () => {
    symlinkSync(join(PACKAGE_ROOT, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const { receiver, story } = blocksOf(readFileSync(join(import.meta.dirname, 'README.md'), 'utf8'));
    const programs = { 'mistakes.ts': MISTAKES, 'receiver.ts': receiver, 'story.ts': story };
    for (const [name, code] of Object.entries(programs)) writeFileSync(join(folder, name), code);
    const tsc = join(PACKAGE_ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
    const options = [
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--types',
      'node',
    ];
    const compiled = await promisify(execFile)(process.execPath, [tsc, ...options, ...Object.keys(programs)], { cwd: folder }).catch(
      ({ stdout }: { stdout: string }) => ({ stdout }),
    );
    expect(compiled.stdout).toBe('');
  });
});

/** Each `@ts-expect-error` fails the compilation if the line after it is accepted. */
const MISTAKES = `
import { WorkSuite, type CommonErrorCode, type Document, type Task, type WebhookEvent } from 'work-suite-client';

export async function correct({ tasks, crm, papers, desk, inventory, webhooks }: WorkSuite, event: WebhookEvent): Promise<void> {
  const task: Task = await tasks.create({ title: 'A task', priority: 'high' }, { idempotencyKey: 'once', signal: AbortSignal.timeout(1) });
  for await (const { key } of tasks.list({ priority: 'high', status_group: ['started', 'completed'] })) key.toUpperCase();
  const total: number | undefined = (await tasks.list().page()).total_count;
  const document: Document = await papers.documents.submit(task.id);
  const nothing: void = await tasks.delete(task, { ifMatch: '"1"' });
  const pdf: ReadableStream | null = (await papers.documents.downloadFile(document)).body;
  await papers.documents.addFile(document, new Blob(), { headers: {} });
  await desk.tickets.reply('id', { body: 'text', files: new Blob() });
  await inventory.imports.importItems('sku,name', { dry_run: true });
  if (event.type === 'task.status_changed') event.data.object.status_id.toUpperCase();
  const received: WebhookEvent = await webhooks.verify('', null, ['secret']);
  const common: CommonErrorCode = 'rate_limited';
  // the README declares the fields of tasks, and none of deals
  const region: 'emea' | 'apac' | null | undefined = task.custom_fields.region;
  await tasks.update(task, { custom_fields: { region: null } });
  const { weight } = (await crm.deals.get('id')).custom_fields;
  if (typeof weight === 'number') weight.toFixed(2);
  try {
    await tasks.update(task, {});
  } catch (error) {
    if (tasks.update.isError(error) && error.code === 'version_conflict') error.requestId.toUpperCase();
    // @ts-expect-error -- no code of this call
    if (tasks.update.isError(error) && error.code === 'email_taken') error.requestId.toUpperCase();
    // @ts-expect-error -- the error of a list of tasks cannot be a conflict of versions
    if (tasks.list.isError(error) && error.code === 'version_conflict') error.requestId.toUpperCase();
  }
  console.log(total, nothing, pdf, received, common, region);
}

export async function mistaken({ tasks, papers }: WorkSuite, event: WebhookEvent): Promise<void> {
  // @ts-expect-error -- a title is required
  await tasks.create({ priority: 'high' });
  // @ts-expect-error -- no priority
  await tasks.create({ title: 'A task', priority: 'enormous' });
  // @ts-expect-error -- no field
  await tasks.create({ title: 'A task', colour: 'red' });
  // @ts-expect-error -- no choice of the custom field
  await tasks.create({ title: 'A task', custom_fields: { region: 'moon' } });
  // @ts-expect-error -- no custom field of tasks
  await tasks.create({ title: 'A task', custom_fields: { weight: 1 } });
  // @ts-expect-error -- no value of a custom field
  await crm.deals.update('id', { custom_fields: { weight: { grams: 1 } } });
  // @ts-expect-error -- an id is required
  await tasks.get();
  // @ts-expect-error -- an object without an id
  await tasks.get({ version: 1 });
  // @ts-expect-error -- no filter
  tasks.list({ colour: 'red' });
  // @ts-expect-error -- a read takes no key
  await tasks.get('id', {}, { idempotencyKey: 'once' });
  // @ts-expect-error -- no call
  await papers.documents.approve('id');
  // @ts-expect-error -- a list is no page
  (await tasks.list()).data;
  // @ts-expect-error -- a member of another event
  if (event.type === 'task.created') event.data.object.gross_amount;
  // @ts-expect-error -- no event
  if (event.type === 'task.exploded') return;
}
`;
