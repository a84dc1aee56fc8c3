import { expect, test } from '@jest/globals';
import { DE } from './texts/de.js';
import { EN } from './texts/en.js';
import { ES } from './texts/es.js';
import { FR } from './texts/fr.js';

/** Each text of a mail with its path; functions are called with names that begin with a capital letter. */
function textsOf(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, String((value as (...given: string[]) => unknown)('Ada', 'Ada', 'Ada'))]];
  return Object.entries(value as object).flatMap(([name, one]) => textsOf(one, `${path}.${name}`));
}

test.each(Object.entries({ DE, EN, ES, FR }))('every part of a mail in %s begins with a capital letter', (_, { mails }) => {
  const texts = textsOf(mails, 'mails');
  expect(texts.length).toBeGreaterThan(50);
  expect(texts.filter(([, text]) => !/^[¿¡]?\p{Lu}/u.test(text))).toEqual([]);
});
