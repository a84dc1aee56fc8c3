import { expect, test } from '@jest/globals';
import { keyFile } from '../sealing/seal-key.fixture.js';
import { SEALABLE, UNSEALABLE } from './odd-files.fixture.js';
import { trialProblem } from './trial.js';

const key = keyFile();

test.each(Object.entries(SEALABLE))('a file can be sealed: %s', async (_, bytes) => {
  expect(await trialProblem(await bytes(), key)).toBeNull();
});

test('what fails for another reason is no fault of the file', async () => {
  const [file] = Object.values(SEALABLE);
  await expect(trialProblem(await file(), { ...key, passphrase: 'wrong' })).rejects.toThrow('The seal file cannot be read');
});

test.each(UNSEALABLE)('a file cannot be sealed: %s', async (_, bytes, reason) => {
  expect(await trialProblem(await bytes(), key)).toMatch(reason);
});
