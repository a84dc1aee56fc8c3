// A process that runs commands of src/cli one after the other, each as `dist/src/cli/main.js` does: to load the suite for each takes
// longer than most of them. The parent sends the arguments of a command, and gets its exit code and output.
import { createRequire, enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { PROJECT } from '#scripts/prepare.mjs';

const DIST = join(PROJECT, 'dist');
const MAIN = join(DIST, 'src', 'cli', 'main.js');
const require = createRequire(MAIN);

enableCompileCache(join(DIST, 'cache', 'compiled'));
const bundle = require(join(DIST, 'src', 'bundle.js')).bundleFolder();
require(join(DIST, 'src', 'shared-packages.js')).shareBundle(bundle);

const printed = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr']) process[name].write = (text) => (printed[name] += text) !== '';

process.on('message', async ([name, ...args]) => {
  process.argv = [process.execPath, MAIN, name, ...args];
  await require(join(bundle, `${name}.cjs`)).run(args);
  process.send({ code: process.exitCode ?? 0, out: printed.stdout, error: printed.stderr });
  process.exitCode = undefined;
  Object.assign(printed, { stdout: '', stderr: '' });
});
