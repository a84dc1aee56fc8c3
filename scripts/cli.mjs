// npm run keys, npm run org: runs a command in src/cli, building it if needed. Only the command's output goes to stdout.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { runInForeground, fail, pinnedNode, ROOT } from './prepare.mjs';

// a command ends before a collection of its garbage pays off
const HEAP = '--max-semi-space-size=64';

const [name, ...args] = process.argv.slice(2);
const prepared = spawnSync(process.execPath, [join(ROOT, 'scripts', 'prepare.mjs')], { cwd: ROOT, stdio: ['ignore', 2, 2] });
if (prepared.status !== 0) process.exit(prepared.status ?? 1);
try {
  process.exit(
    await runInForeground(pinnedNode(), ['--enable-source-maps', HEAP, join(ROOT, 'dist', 'src', 'cli', 'main.js'), name, ...args]),
  );
} catch (error) {
  fail(error);
}
