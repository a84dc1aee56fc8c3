import { expect, test } from '@jest/globals';
import type { Tx } from '../../../../kit/index.js';
import { printProblems } from './printable-content.js';

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
