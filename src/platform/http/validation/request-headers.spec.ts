import { expect, it } from '@jest/globals';
import { readIfMatch } from './request-headers.js';

it.each([
  [undefined, null],
  [' * ', null],
  ['"3"', [3]],
  ['W/"3"', [3]],
  ['"3", W/"4"', [3, 4]],
  [', "3",, "4" ,', [3, 4]],
])('reads the If-Match %j', (value, versions) => {
  expect(readIfMatch(value)).toEqual(versions);
});

it.each(['', ' ', ',', '3', '"a"', '"3" "4"', '*, "3"', 'w/"3"', '"-1"', '"12345678901"'])('refuses the If-Match %j', (value) => {
  expect(() => readIfMatch(value)).toThrow('If-Match must be the ETag of an earlier response, for example "3"');
});
