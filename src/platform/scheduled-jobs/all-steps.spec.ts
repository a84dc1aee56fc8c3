import { expect, test } from '@jest/globals';
import { runAll } from './all-steps.js';

test('a step that fails does not stop those after it; one that is interrupted does', async () => {
  const run: string[] = [];
  const stop = new AbortController();
  const step = (subject: string, work: () => void = () => undefined) => ({
    subject,
    run: async () => {
      run.push(subject);
      work();
    },
  });
  const fail = () => {
    throw new Error('no lock');
  };
  const failing = runAll([step('a', fail), step('a', fail), step('b'), step('c', fail)], 'Not done:', stop.signal);
  await expect(failing).rejects.toThrow(/^Not done: a: no lock; c: no lock$/);
  expect(run.splice(0)).toEqual(['a', 'a', 'b', 'c']);
  const interrupted = runAll([step('a', () => stop.abort(new Error('stopping'))), step('b')], 'Not done:', stop.signal);
  await expect(interrupted).rejects.toThrow('stopping');
  expect(run).toEqual(['a']);
});
