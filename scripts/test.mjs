// npm test: install when needed, then jest with the arguments given.
import { join } from 'node:path';
import { become, fail, install, pinnedNode, ROOT } from './prepare.mjs';

try {
  await install();
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', jest, ...process.argv.slice(2)];
  become(pinnedNode(), args, { env: { ...process.env, NODE_ENV: 'test' } });
} catch (error) {
  fail(error);
}
