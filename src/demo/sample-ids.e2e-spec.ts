import { expect, test } from '@jest/globals';
import { Demo, startDemoApp } from '../../test/harness/demo.js';
import { documentedSamples } from '../../test/harness/docs-samples.js';
import { ownApp } from '../../test/harness/hosted-app.js';

const { app, demo } = await startDemoApp();
const empty = await ownApp({}, { file: 'src/modules/tasks/testing/demo-app.ts', name: 'createDemoApp' });

const { modules } = await app.inside<typeof import('../../test/contract/declarations.js')>('test/contract/declarations.ts').declarations();

test.each(modules.map(({ name, prefix }) => [prefix, name]))(
  'samples of %s work as they are, or say what to replace',
  async (prefix, module) => {
    const samples = await documentedSamples(app.url, prefix);
    expect(samples.length).toBeGreaterThan(0);
    const own = demo.facts().keys.filter((key) => key.module === module && key.mode === 'test' && key.project_id === null);
    // a key that is bound to a member, if there is one, may call everything
    const [{ name }] = own.toSorted((one, other) => Number(other.actor_email !== null) - Number(one.actor_email !== null));
    const failed: unknown[] = [];
    for (const { mcp } of samples) {
      const names = mcp === null ? [] : Object.keys(JSON.parse(mcp).params.arguments);
      failed.push(...names.filter((argument) => /[A-Z]/.test(argument)));
    }
    for (const sample of samples.filter(({ replaced }) => replaced === null)) {
      const { method, path, body, type } = requestOf(sample.curl);
      if (path.endsWith('/stream')) continue;
      const headers = { ...(method === 'get' ? {} : { 'svc-dry-run': 'true' }), ...(type && { 'content-type': type }) };
      const answer = await demo.key(name).send(method, path, body, headers);
      if (answer.status >= 300) failed.push([method, path, answer.status, answer.body]);
    }
    expect(failed).toEqual([]);
  },
  60_000,
);

/** What a sample sends with curl. */
function requestOf(curl: string): { method: 'get' | 'post' | 'patch' | 'put' | 'delete'; path: string; body?: string; type?: string } {
  const quoted = (option: string) => new RegExp(`${option} '((?:[^']|'\\\\'')*)'`).exec(curl)?.[1].replaceAll(`'\\''`, `'`);
  const body = quoted('-d') ?? quoted('--data-binary');
  const method = / -X (\w+)/.exec(curl)?.[1].toLowerCase() ?? (body === undefined ? 'get' : 'post');
  return {
    method: method as 'get',
    path: /'https?:\/\/[^/]+(\/[^']+)'/.exec(curl)![1],
    body,
    type: /'Content-Type: ([^']+)'/.exec(curl)?.[1],
  };
}

test('a sample without a fitting record says what the reader needs', async () => {
  const [papers, tasks] = await Promise.all(['papers', 'tasks'].map((prefix) => documentedSamples(app.url, prefix)));
  const noteOf = (samples: typeof papers, tool: string) => samples.find(({ mcp }) => mcp?.includes(`"${tool}"`))!.replaced;
  expect(noteOf(papers, 'replace_document')).toBe(
    "Replace `id` with your own. The record's `state` must be `finalized`, `executed` or `expired`.",
  );
  expect(noteOf(papers, 'add_document_file')).toBe('Replace `file_url` with your own.');
  expect(noteOf(tasks, 'restore_task')).toBe('Replace `id` with your own. The record must be deleted.');
  expect(noteOf(tasks, 'update_task')).toBeNull();
});

test('a sample that changes something names a record in the state that it needs', async () => {
  const samples = await documentedSamples(app.url, 'accounting');
  const { curl } = samples.find(({ mcp }) => mcp?.includes('"issue_invoice"'))!;
  const path = /'https?:\/\/[^/]+(\/[^']+)'/.exec(curl)![1];
  const answer = await demo.key('Accounting, test, full').post(path, undefined, { 'svc-dry-run': 'true' });
  expect([answer.status, answer.body.status]).toEqual([200, 'issued']);
});

test('a sample about two records names both', async () => {
  const samples = await documentedSamples(app.url, 'desk');
  const { mcp } = samples.find((one) => one.mcp?.includes('"merge_ticket"'))!;
  const { id, into_id } = JSON.parse(mcp!).params.arguments;
  const tickets = await Promise.all(
    [id, into_id].map((one) => demo.key('Service desk, test, full').get(`/api/v1/ext/desk/tickets/${one}`)),
  );
  expect(tickets.map(({ status, body }) => [status, body.id])).toEqual([id, into_id].map((one) => [200, one]));
  expect(id).not.toBe(into_id);
});

test('a page that was read before the demo was made names its records afterwards', async () => {
  const page = async () => (await fetch(`${empty.url}/docs/api/tasks/tasks.md`)).text();
  const before = await page();
  const later = new Demo(empty);
  await later.start();
  const { body } = await later.key('Tasks, test, full').get('/api/v1/ext/tasks/tasks?limit=100');
  const namesOne = (text: string) => body.data.some(({ id }: { id: string }) => text.includes(id));
  expect([before, await page()].map(namesOne)).toEqual([false, true]);
  later.deleteFolder();
});
