import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { ProjectCopy } from './project-copy.js';

let copy: ProjectCopy;
beforeAll(() => void (copy = new ProjectCopy(['test/contract'])));
afterAll(() => copy.remove());

test('the module of src/kit/README.md compiles and passes its tests as it is written there', () => {
  const page = readFileSync(join(PROJECT_ROOT, 'src/kit/README.md'), 'utf8');
  const files = [...page.matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```$/gm)].map(([, path, text]) => ({ path, text }));
  expect(files.length).toBeGreaterThan(8);
  // every block is a file
  expect(page.match(/^```ts$/gm)).toHaveLength(files.length);
  const [, path, text] = /`(src\/modules\/\S+\.json)`[^]*?^```json\n([^]*?)^```$/m.exec(page) ?? [];
  files.push({ path, text });
  const command = /^npm run new:module (.+)$/m.exec(page)?.[1].replace('-- ', '').split(' ') ?? [];
  expect(copy.run('scripts/new-module.mjs', ...command)).toMatchObject({ status: 0, stderr: '' });
  for (const { path, text } of files) writeFileSync(join(copy.root, path), text);

  expect(copy.run('node_modules/typescript-native/bin/tsc', '-p', '.', '--singleThreaded').output).toBe('');
  const tests = [`src/modules/${command[0]}/`, 'test/contract/sql.spec.ts', 'test/contract/module-names.spec.ts'];
  const jest = copy.run('node_modules/jest/bin/jest.js', '--silent', '--runInBand', ...tests);
  expect(jest.status === 0 ? '' : jest.output).toBe('');
  expect(jest.output).toMatch(/Test Suites: 4 passed, 4 total/);
}, 240_000);
