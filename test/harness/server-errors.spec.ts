import { expect, test } from '@jest/globals';
import { NOTES, sharedNotesApp } from './fixtures/fixture-apps.js';

const EXPLAIN = './explain-failure.mjs';
const { explainFailure, forgetServerErrors } = (await import(EXPLAIN)) as {
  explainFailure(error: unknown): void;
  forgetServerErrors(): void;
};
const app = await sharedNotesApp();
const workspace = await app.workspace();
const { client } = await workspace.key();

test('the message of a test that fails tells why the server answered 500', async () => {
  const { status } = await client.post(NOTES, { project_id: workspace.eng.id, title: 'crash' });
  const failure = new Error(`expected 201, received ${status}`);
  explainFailure([failure]);
  const explained =
    /^expected 201, received 500\n\nPOST \/\S+\/notes failed on the server with Error: crashed on purpose\n +at .*notes\.fixture\.ts:\d+/;
  expect(failure.message).toMatch(explained);
  expect(failure.stack).toContain(failure.message);
});

test('and nothing of answers without an unexpected error, or before the test', async () => {
  await client.post(NOTES, { project_id: workspace.eng.id, title: 'crash' });
  forgetServerErrors();
  await client.get(`${NOTES}/none`);
  const failure = new Error('as it was');
  explainFailure(failure);
  expect(failure.message).toBe('as it was');
});
