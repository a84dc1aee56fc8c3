import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { csvText } from './csv-text.js';

const csv = (...rows: unknown[][]) => csvText(['title', 'amount'], rows);

test('ends lines with CRLF and quotes values that contain a comma, a quote or a line break', () => {
  expect(csv(['Acme, Ltd', 1], ['says "no"', 2.5], ['two\nlines', null], [undefined, true])).toBe(
    'title,amount\r\n"Acme, Ltd",1\r\n"says ""no""",2.5\r\n"two\nlines",\r\n,true\r\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tcmd', '\r1'])('escapes %j so that a spreadsheet does not run it as a formula', (text) => {
  const [, [cell]] = parse(csv([text, 1])) as string[][];
  expect(cell).toBe(`'${text}`);
});

test('escapes formulas that start where a spreadsheet divides lines at semicolons or tabs', () => {
  const [, ...rows] = parse(csv(['Help;=1+cmd', 1], ['a; "@x"\t-y', 2], ['one\n-two; three = 3', 3], ['\r=1', 4])) as string[][];
  expect(rows.map(([cell]) => cell)).toEqual(["Help;'=1+cmd", `a; "'@x"\t'-y`, "one\n'-two; three = 3", "'\r'=1"]);
});

test('keeps negative numbers', () => {
  expect(csv(['a', -5])).toContain('a,-5\r\n');
});

test('is readable by an independent CSV parser', () => {
  const titles = ['a"b', 'x,y', ' spaced ', 'ä€😀', 'a\r\nb', ''];
  const read = parse(csv(...titles.map((title) => [title, 1]))) as string[][];
  expect(read.slice(1).map(([title]) => title)).toEqual(titles);
});
