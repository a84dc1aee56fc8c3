// work-suite build [--declarations]: installs (in the repository of the suite) and compiles.
import { join } from 'node:path';
import { build, install, pinnedNode, PROJECT, step } from './prepare.mjs';

export async function run(args) {
  await install();
  await build();
  if (args.includes('--declarations')) await declare();
  return 0;
}

/** For a package: the types of its module. */
function declare() {
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly'];
  const tsc = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
  return step('Writing declarations', [pinnedNode(), tsc, '-p', '.', ...options], 'The types have errors: see above.');
}
