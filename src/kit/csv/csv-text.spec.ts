import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { csvText } from './csv-text.js';

const csv = (...rows: unknown[][]) => csvText(['title', 'amount'], rows);

test('ends lines with CRLF and quotes values that contain a comma, a quote or a line break', () => {
  expect(csv(['Acme, Ltd', 1], ['says "no"', 2.5], ['two\nlines', null], [undefined, true])).toBe(
    'title,amount\r\n"Acme, Ltd",1\r\n"says ""no""",2.5\r\n"two\nlines",\r\n,true\r\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tcmd', '\r=1'])('escapes %j so that a spreadsheet does not run it as a formula', (text) => {
  const [, [cell]] = parse(csv([text, 1])) as string[][];
  expect(cell).toBe(`'${text}`);
});

test('keeps negative numbers', () => {
  expect(csv(['a', -5])).toContain('a,-5\r\n');
});

test('is readable by an independent CSV parser', () => {
  const titles = ['a"b', 'x,y', ' spaced ', 'ä€😀', 'a\r\nb', ''];
  const read = parse(csv(...titles.map((title) => [title, 1]))) as string[][];
  expect(read.slice(1).map(([title]) => title)).toEqual(titles);
});
