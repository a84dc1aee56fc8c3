// npm run keys, npm run org: runs a command in src/cli, building it if needed. Only the command's output goes to stdout.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { become, fail, pinnedNode, ROOT } from './prepare.mjs';

const [name, ...args] = process.argv.slice(2);
const prepared = spawnSync(process.execPath, [join(ROOT, 'scripts', 'prepare.mjs')], { cwd: ROOT, stdio: ['ignore', 2, 2] });
if (prepared.status !== 0) process.exit(prepared.status ?? 1);
try {
  process.exit(await become(pinnedNode(), ['--enable-source-maps', join(ROOT, 'dist', 'src', 'cli', `${name}.js`), ...args]));
} catch (error) {
  fail(error);
}
