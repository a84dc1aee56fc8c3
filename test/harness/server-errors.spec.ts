import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { NOTES, sharedNotesApp } from './fixtures/fixture-apps.js';
import { expectAnswer } from '../contract/module/module-errors.js';

const EXPLAIN = './explain-failure.mjs';
const { explainFailure, forgetServerErrors } = (await import(EXPLAIN)) as {
  explainFailure(error: unknown): Promise<void>;
  forgetServerErrors(): void;
};
const app = await sharedNotesApp();
const workspace = await app.workspace();
const { client } = await workspace.key();

test('the message of a test that fails tells why the server answered 500', async () => {
  const { status } = await client.post(NOTES, { project_id: workspace.eng.id, title: 'crash' });
  const failure = new Error(`expected 201, received ${status}`);
  await explainFailure([failure]);
  const explained =
    /^expected 201, received 500\n\nPOST \/\S+\/notes failed on the server with Error: crashed on purpose\n +at .*notes\.fixture\.ts:\d+/;
  expect(failure.message).toMatch(explained);
  expect(failure.stack).toContain(failure.message);
});

test('but not again what the test says itself', async () => {
  await client.post(NOTES, { project_id: workspace.eng.id, title: 'crash' });
  const failure = new Error('500 internal_error (Error: crashed on purpose)');
  await explainFailure(failure);
  expect(failure.message).toBe('500 internal_error (Error: crashed on purpose)');
});

test('and why jobs of the file failed since it began', async () => {
  const other = await app.workspace();
  const fail = (organizationId: string, failed: string, error: string) =>
    app.sql.query(
      `INSERT INTO jobs (id, name, organization_id, mode, actor, payload, status, last_error, due_at)
       VALUES (gen_random_uuid(), 'notes.probe', $1, 'live', '{}', '{}', 'failed', $2, $3)`,
      [organizationId, error, failed],
    );
  await fail(workspace.organizationId, '2020-01-01', 'long ago');
  await fail(randomUUID(), '2100-01-01', 'of another file');
  await fail(other.organizationId, '2100-01-01', 'Cannot read properties of undefined');
  const failure = new Error('expected true, received false');
  await explainFailure(failure);
  await app.sql.query(`DELETE FROM jobs WHERE name = 'notes.probe'`);
  expect(failure.message).toBe('expected true, received false\n\nThe job notes.probe failed: Cannot read properties of undefined');
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
  await explainFailure(failure);
  expect(failure.message).toBe('as it was');
});
