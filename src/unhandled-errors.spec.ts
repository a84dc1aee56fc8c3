import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { PROJECT_ROOT } from './platform/config/project-root.js';

const BUILT = join(PROJECT_ROOT, 'dist/src/survives-rejections.js');

it('the rejection of a promise that nothing awaits is logged, and the process goes on', () => {
  const script = `import { survivesRejections } from ${JSON.stringify(BUILT)};
    survivesRejections();
    void Promise.reject(new Error('lost its connection'));
    setTimeout(() => console.log('still here'), 50);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringContaining('still here')]);
  expect(stdout + stderr).toMatch(/ERROR.*an await is missing: lost its connection\S*\s+Error: lost its connection\s+at /s);
});
