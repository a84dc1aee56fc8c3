import { describe, expect, it } from '@jest/globals';
import { csvRecords, inspectCsv } from './csv-rows.js';

describe('CSV', () => {
  const rowsOf = async (text: string) => {
    const rows: string[][] = [];
    for await (const row of csvRecords(Buffer.from(text))) rows.push(row);
    return rows;
  };

  it.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('may have %s, quotes, blank lines and a byte order mark', async (_, mark) => {
    expect(await rowsOf(`\ufeffa${mark}b\r\n"x ""y""\n${mark}z"${mark}2\r\n\r\n3${mark}4`)).toEqual([
      ['a', 'b'],
      [`x "y"\n${mark}z`, '2'],
      ['3', '4'],
    ]);
  });

  it.each(['sep=;\n', '\ufeffSEP=;\r\n', '\n\r\nsep=;\n\n', '\n \n', '\ufeff\r\n'])('may begin with %j', async (preamble) => {
    expect(await rowsOf(`${preamble}a;b\n1;2\n`)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  it('may have an empty first heading', async () => {
    expect(await rowsOf('\n\tname\n1\tAda\n')).toEqual([
      ['', 'name'],
      ['1', 'Ada'],
    ]);
  });

  it('is read across slices that split characters', async () => {
    const rows = Array.from({ length: 9_000 }, (_, n) => `Jürgen ${n},ü${n}@example.com`);
    expect(await inspectCsv(Buffer.from(`name,email\n${rows.join('\n')}`))).toEqual({ headings: ['name', 'email'], rows: 9_000 });
    expect((await rowsOf(`name,email\n${rows.join('\n')}`))[8_999]).toEqual(['Jürgen 8998', 'ü8998@example.com']);
  });

  it('must be UTF-8 text', async () => {
    await expect(inspectCsv(Buffer.from([0x61, 0x0a, 0xff, 0xfe]))).rejects.toThrow('UTF-8');
  });
});
