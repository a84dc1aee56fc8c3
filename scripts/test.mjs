// npm test: installs if needed, then runs jest with the given arguments.
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
