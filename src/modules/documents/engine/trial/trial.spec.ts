import { expect, test } from '@jest/globals';
import { keyFile } from '../sealing/seal-key.fixture.js';
import { SEALABLE, UNSEALABLE } from './odd-files.fixture.js';
import { trial } from './trial.js';

const key = keyFile();

test.each(Object.entries(SEALABLE))('a file can be sealed: %s', async (_, bytes) => {
  expect(await trial(await bytes(), key)).toEqual({ form_fields: [] });
});

test('what fails for another reason is no fault of the file', async () => {
  const [file] = Object.values(SEALABLE);
  await expect(trial(await file(), { ...key, passphrase: 'wrong' })).rejects.toThrow('The seal file cannot be read');
});

test.each(UNSEALABLE)('a file cannot be sealed: %s', async (_, bytes, reason) => {
  expect(await trial(await bytes(), key)).toEqual({ problem: expect.stringMatching(reason) });
});
