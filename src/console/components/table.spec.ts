import { expect, test } from '@jest/globals';
import { table } from './table.js';

test('an empty cell has nothing in it, so that the style of narrow screens hides it', () => {
  const columns = [
    { label: 'Name', cell: (name: string) => name },
    { label: 'Note', cell: () => false as const },
  ];
  const { markup } = table({ caption: 'Notes', columns, rows: ['a', 'b'] });
  expect(markup.match(/<td data-label="Note">(?=<tr>|<\/tbody>)/g)).toHaveLength(2);
});
