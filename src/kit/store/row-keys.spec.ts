import { expect, test } from '@jest/globals';
import { severalRows } from './row-keys.js';

const rows = Array.from({ length: 12 }, (_, n) => ({ id: `id-${n}` }));
const two = [
  { id: 'id-0', project: 'ENG', title: 'Lease' },
  { id: 'id-1', project: 'OPS', title: 'x'.repeat(61) },
];
const TEN = 'id-0, id-1, id-2, id-3, id-4, id-5, id-6, id-7, id-8, id-9';

test.each([
  [two, undefined, `2 records have AGR-1; send the id of the one that you mean: id-0 (ENG "Lease"), id-1 (OPS "${'x'.repeat(59)}…")`],
  [rows, undefined, `12 records have AGR-1, 10 of which are named; send the id of the one that you mean: ${TEN}`],
  [rows.slice(0, 10), 4000, `4000 records have AGR-1, 10 of which are named; send the id of the one that you mean: ${TEN}`],
])('a key of several rows names some of them: %#', (given, count, message) => {
  const error = severalRows('id', 'AGR-1', given, count);
  expect(error).toMatchObject({ message, occurrence: { allowed: given.slice(0, 10).map(({ id }) => id) } });
});
