import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Tx } from '../../../../kit/index.js';
import { printProblems } from './printable-content.js';

const BUILT = resolve('dist/src/modules/documents/engine');

test('a change runs again only for fonts that the process has not read yet', async () => {
  let runs = 0;
  const prepared = (_key: string, work: () => Promise<unknown>) => {
    runs++;
    return work();
  };
  const tx = { advanced: { prepared } } as unknown as Tx;
  const problems = async (...texts: string[]) => {
    runs = 0;
    return [await printProblems(tx, texts), runs];
  };
  expect(await problems('Berlin', 'Ольга')).toEqual([[null, null], 0]);
  expect(await problems('Nguyễn Thị Ánh')).toEqual([[null], 1]);
  expect(await problems('Nguyễn', 'Berlin')).toEqual([[null, null], 0]);
  // 0 if a spec before this one has read all fonts in the same process
  expect(await problems('𓀀', 'Berlin')).toEqual([[expect.stringContaining('𓀀'), null], expect.any(Number)]);
  expect(await problems('𓀁', '🙂')).toEqual([[expect.stringContaining('𓀁'), null], 0]);
});

test('without the fonts of Chinese, Japanese and Korean, as in the image, only texts in these scripts are refused', () => {
  const script = `
    import Module from 'node:module';
    const find = Module._resolveFilename;
    Module._resolveFilename = (name, ...rest) => find(name.startsWith('@embedpdf/fonts-') ? './absent' : name, ...rest);
    const { printable } = await import('${BUILT}/typst/glyphs.js');
    const { printProblem } = await import('${BUILT}/pdf/printable-content.js');
    const texts = ['Ada\\nOlga', 'שלום\\nHello\\r\\nसुबह', '田中\\nتاك 한', 'Ada ！'];
    console.log(JSON.stringify([await Promise.all(texts.map(printProblem)), texts.map(printable)]));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect([stderr, JSON.parse(stdout || 'null')]).toEqual([
    '',
    [
      [null, null, expect.stringMatching(/: 田 中 한$/), expect.stringMatching(/: ！$/)],
      ['Ada\nOlga', 'שלום\nHello\nसुबह', '\uFFFD\uFFFD\nتاك \uFFFD', 'Ada \uFFFD'],
    ],
  ]);
});
