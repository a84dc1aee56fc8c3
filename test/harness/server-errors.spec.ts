import { expect, test } from '@jest/globals';
import { NOTES, sharedNotesApp } from './fixtures/fixture-apps.js';
import { expectAnswer } from '../contract/module/module-errors.js';

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

test('a check that needs an answer tells status, code and cause first if there is another', async () => {
  const response = await client.post(NOTES, { project_id: workspace.eng.id, title: 'crash' });
  expect(() => expectAnswer(response, 201, 'create_note')).toThrow(
    /^create_note: 500 internal_error \(Error: crashed on purpose\) instead of 201: \{"error"/,
  );
  const unreadable = { status: 502, body: {}, text: '' };
  expect(() => expectAnswer(unreadable, 200, 'list_notes')).toThrow(/^list_notes: 502 no error code instead of 200: $/);
});

test('and nothing of answers without an unexpected error, or before the test', async () => {
  await client.post(NOTES, { project_id: workspace.eng.id, title: 'crash' });
  forgetServerErrors();
  await client.get(`${NOTES}/none`);
  const failure = new Error('as it was');
  explainFailure(failure);
  expect(failure.message).toBe('as it was');
});
