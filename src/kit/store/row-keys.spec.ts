import { expect, test } from '@jest/globals';
import { severalRows } from './row-keys.js';

const ids = Array.from({ length: 12 }, (_, n) => `id-${n}`);

test.each([
  [2, undefined, '2 records have AGR-1; send the id of the one that you mean', 2],
  [12, undefined, '12 records have AGR-1, 10 of which are named; send the id of the one that you mean', 10],
  [10, 4000, '4000 records have AGR-1, 10 of which are named; send the id of the one that you mean', 10],
])('a key of several rows names some of them: %s of %s', (given, rows, message, named) => {
  const error = severalRows('id', 'AGR-1', ids.slice(0, given), rows);
  expect(error).toMatchObject({ message, occurrence: { allowed: ids.slice(0, named) } });
});
