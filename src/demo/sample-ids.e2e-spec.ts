import { expect, test } from '@jest/globals';
import { startDemoApp } from '../../test/harness/demo.js';
import { documentedSamples } from '../../test/harness/docs-samples.js';

const { app, demo } = await startDemoApp();

test.each([
  ['tasks', 'Tasks', 'list_tasks'],
  ['storefront', 'Storefront', 'list_orders'],
  ['schedule', 'Schedule', 'list_calendar_events'],
])('samples of %s that read find records of the demo', async (prefix, title, list) => {
  const samples = await documentedSamples(app.url, prefix);
  const urls = samples.flatMap(({ curl }) => (/ (-X|-d|--data-binary) /.test(curl) ? [] : (/'(http[^']+)'/.exec(curl)?.[1] ?? [])));
  expect(urls.length).toBeGreaterThan(7);
  const answers = await Promise.all(urls.map((url) => demo.key(`${title}, test, full`).get(url.slice(app.url.length))));
  const failed = urls.filter((_, index) => answers[index].status !== 200);
  // visitors book in live mode only
  expect(failed.filter((url) => !url.includes('/bookings/'))).toEqual([]);
  expect(demo.facts().sample_ids).toHaveProperty(list);
});

test('a sample that changes something names a record in the state that it needs', async () => {
  const samples = await documentedSamples(app.url, 'accounting');
  const { curl } = samples.find(({ mcp }) => mcp?.includes('"issue_invoice"'))!;
  const path = /'https?:\/\/[^/]+(\/[^']+)'/.exec(curl)![1];
  const answer = await demo.key('Accounting, test, full').post(path, undefined, { 'svc-dry-run': 'true' });
  expect([answer.status, answer.body.status]).toEqual([200, 'issued']);
});
