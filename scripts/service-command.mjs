// work-suite keys, org ...: runs a command in src/cli, building it if needed. Only the command's output goes to stdout.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pinnedNode, PROJECT, ROOT, runInForeground } from './prepare.mjs';
import { environmentArguments } from './environment.mjs';

// a command ends before a collection of its garbage pays off
const HEAP = '--max-semi-space-size=64';

export async function run(args) {
  const prepared = spawnSync(process.execPath, [join(ROOT, 'scripts', 'prepare.mjs')], { cwd: PROJECT, stdio: ['ignore', 2, 2] });
  if (prepared.status !== 0) return prepared.status ?? 1;
  const node = ['--enable-source-maps', ...environmentArguments(), HEAP, join(ROOT, 'dist', 'src', 'cli', 'main.js')];
  return runInForeground(pinnedNode(), [...node, ...args]);
}
