import { expect, test } from '@jest/globals';
import { Demo, startDemoApp } from '../../test/harness/demo.js';
import { documentedSamples } from '../../test/harness/docs-samples.js';
import { ownApp } from '../../test/harness/hosted-app.js';

const { app, demo } = await startDemoApp();
const empty = await ownApp({}, { file: 'src/modules/tasks/testing/demo-app.ts', name: 'createDemoApp' });

test.each([
  ['tasks', 'Tasks'],
  ['storefront', 'Storefront'],
  ['schedule', 'Schedule'],
])('samples of %s that read find records of the demo', async (prefix, title) => {
  const samples = await documentedSamples(app.url, prefix);
  const urls = samples.flatMap(({ curl }) => (/ (-X|-d|--data-binary) /.test(curl) ? [] : (/'(http[^']+)'/.exec(curl)?.[1] ?? [])));
  expect(urls.length).toBeGreaterThan(7);
  const answers = await Promise.all(urls.map((url) => demo.key(`${title}, test, full`).get(url.slice(app.url.length))));
  const failed = urls.filter((_, index) => answers[index].status !== 200);
  // visitors book in live mode only
  expect(failed.filter((url) => !url.includes('/bookings/'))).toEqual([]);
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
