import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { PROJECT_ROOT } from './platform/config/project-root.js';

const BUILT = join(PROJECT_ROOT, 'dist/src/unhandled-errors.js');

it('the rejection of a promise that nothing awaits is logged, and the process goes on', () => {
  const script = `import { survivesRejections } from ${JSON.stringify(BUILT)};
    survivesRejections();
    void Promise.reject(new Error('lost its connection'));
    setTimeout(() => console.log('still here'), 50);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringContaining('still here')]);
  expect(stdout + stderr).toMatch(/ERROR.*an await is missing: lost its connection\S*\s+Error: lost its connection\s+at /s);
});

it('an exception in a timer is logged, and the process ends with what runs', () => {
  const script = `import { endsOnExceptions } from ${JSON.stringify(BUILT)};
    const running = setTimeout(() => { console.log('answered'); process.exit(); }, 100);
    endsOnExceptions(() => { console.log('stops'); setTimeout(() => { throw new Error('again'); }); });
    setTimeout(() => { throw new Error('a bug'); });`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, expect.stringMatching(/^stops\n[^]*answered\n$/)]);
  expect(stdout + stderr).toMatch(/FATAL.*Nothing caught an exception.*: a bug/);
  expect(stdout + stderr).not.toContain('again');
});
