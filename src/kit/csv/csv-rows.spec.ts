import { describe, expect, it } from '@jest/globals';
import { inspectCsv as inspect, readCsv } from './csv-rows.js';
import { growth, LINEAR } from '../../../test/harness/cpu-time.js';

const inspectCsv = async (bytes: Buffer) => {
  const { headings, rows } = await inspect({ bytes, contentType: 'text/csv' }, { bytes: 32 * 1024 * 1024, rows: 100_000 });
  return { headings, rows };
};

/** Reads a text in pieces of a few bytes, so that they end anywhere. */
const csvOf = (text: string, pieceSize = 7) => {
  const file = Buffer.from(text);
  return readCsv((offset) => Promise.resolve(file.subarray(offset, offset + (offset === 0 ? 1_024 : pieceSize))));
};

async function rowsOf(text: string, pieceSize?: number): Promise<(string[] | string)[]> {
  const { headings, rows } = await csvOf(text, pieceSize);
  const read: (string[] | string)[] = [headings];
  for await (const { cells, problem } of rows()) read.push(problem ?? cells);
  return read;
}

const STRAY = expect.stringContaining('neither begins nor ends a cell');
const UNCLOSED = expect.stringContaining('not closed');

describe('CSV', () => {
  it.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('may have %s, quotes, blank lines and a byte order mark', async (_, mark) => {
    const text = `\ufeffa${mark}b\r\n"x ""y""\n${mark}z"${mark}2\r\n\r\n3${mark}4\r\n "5" ${mark}"" \r\n6`;
    expect(await rowsOf(text)).toEqual([['a', 'b'], [`x "y"\n${mark}z`, '2'], ['3', '4'], ['5', ''], ['6']]);
  });

  it.each(['sep=;\n', '\ufeffSEP=;\r\n', '\n\r\nsep=;\n\n', '\n \n', '\ufeff\r\n'])('may begin with %j', async (preamble) => {
    expect(await rowsOf(`${preamble}a;b\n1;2\n`)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  it('may have an empty first heading, and carriage returns alone', async () => {
    expect(await rowsOf('\n\tname\n1\tAda\n')).toEqual([
      ['', 'name'],
      ['1', 'Ada'],
    ]);
    expect(await rowsOf('a,b\r1,"2\r3"\r')).toEqual([
      ['a', 'b'],
      ['1', '2\r3'],
    ]);
  });

  it.each([1, 2, 3, 5, 8, 1_000])('is read the same in pieces of %i bytes', async (size) => {
    const text = 'name,note\n"Ünal ""x""",à\n5" pipe,b\n"ß\r\nß",\xa0c\xa0\n"open,d\nlast,"e"';
    expect(await rowsOf(text, size)).toEqual([['name', 'note'], ['Ünal "x"', 'à'], STRAY, ['ß\r\nß', 'c'], STRAY, ['last', 'e']]);
  });

  it.each([
    ['in a cell', '5" pipe,x', STRAY],
    ['after a quoted cell', '"a" b,x', STRAY],
    ['that opens a cell', '"a,x', STRAY],
    ['that closes a cell', 'a",x', STRAY],
    ['inside a quoted cell', '"a "b" c",x', STRAY],
  ])('a stray quote %s costs its row alone', async (_, row, problem) => {
    expect(await rowsOf(`a,b\n1,2\n${row}\n3,"4"\n"5\n5",6\n`)).toEqual([['a', 'b'], ['1', '2'], problem, ['3', '4'], ['5\n5', '6']]);
  });

  it('a quote that is never closed costs its row alone, however much follows', async () => {
    const long = '5'.repeat(1_000);
    for (const count of [2, 600])
      expect(await rowsOf(`a,b\n1,2\n"3,4\n${`${long},6\n`.repeat(count)}`, 64 * 1024)).toEqual([
        ['a', 'b'],
        ['1', '2'],
        UNCLOSED,
        ...Array<string[]>(count).fill([long, '6']),
      ]);
  });

  it('can be read from the end of any row on', async () => {
    const { rows } = await csvOf('ä,b\n"ü\n",2\n\n3",\n4,5\n');
    const all = [];
    for await (const row of rows()) all.push(row);
    for (const [index, { end }] of all.entries()) {
      const rest = [];
      for await (const row of rows(end)) rest.push(row);
      expect(rest).toEqual(all.slice(index + 1));
    }
    expect(all).toHaveLength(3);
  });

  it.each([
    ['open quotes', '"a\n'],
    ['doubled quotes', '"a""b\n'],
    ['open quotes on every other line', '"a\nb\n'],
    ['empty cells and open quotes', '"",\n'],
    ['long lines of empty cells', `${'"",'.repeat(400)}\n`],
  ])('of %s takes time in proportion to its size', async (_, line) => {
    const fileOf = (size: number) => Buffer.from(`a\n${line.repeat(size / line.length)}`);
    expect(await growth(fileOf, 128 * 1024, (file) => inspectCsv(file).catch(() => undefined))).toBeLessThan(LINEAR);
  });

  it('is counted, and other work proceeds meanwhile', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `Jürgen ${n},ü${n}@example.com`);
    const file = Buffer.from(`name,email\n${rows.join('\n')}`);
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    expect(await inspectCsv(file)).toEqual({ headings: ['name', 'email'], rows: 20_000 });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(3);
  });

  it.each([
    ['a line of more than 524288 bytes', `a\n${'b'.repeat(700_000)}`, 'a line of more than'],
    ['unusable headings', 'a,"b\n1,2\n', 'unusable headings'],
    ['more than 100000 rows', `a\n${'b\n'.repeat(100_001)}`, 'more than 100000 rows'],
  ])('with %s is rejected', async (_, text, message) => {
    await expect(inspectCsv(Buffer.from(text))).rejects.toThrow(message);
  });

  it('has headings of at most 255 characters', async () => {
    const heading = '🙂'.repeat(255);
    expect(await inspectCsv(Buffer.from(`${heading}\n1`))).toEqual({ headings: [heading], rows: 1 });
    await expect(inspectCsv(Buffer.from(`${heading}a\n1`))).rejects.toThrow('headings of at most 255 characters');
  });

  it('may have rows of empty cells anywhere, as below the table of a spreadsheet', async () => {
    expect(await rowsOf(';;\na;b;c\n;;\n1;;3\n"";"" ;\n;;\n4;5;6\n;;\n;;')).toEqual([
      ['a', 'b', 'c'],
      ['1', '', '3'],
      ['4', '5', '6'],
    ]);
  });

  it('has semicolons where its headings have as many commas', async () => {
    expect((await csvOf('Name, Vorname;Strasse, Nr;Ort\nA;B;C')).headings).toEqual(['Name, Vorname', 'Strasse, Nr', 'Ort']);
    expect((await csvOf('"a, b, c, d";e\n1;2')).headings).toEqual(['a, b, c, d', 'e']);
  });
});
