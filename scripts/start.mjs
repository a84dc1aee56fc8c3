// work-suite start, npm start: installs and builds if needed, then runs the suite.
import { join } from 'node:path';
import { environmentArguments } from './environment.mjs';
import { build, install, pinnedNode, ROOT, runInForeground } from './prepare.mjs';

// A larger nursery is not faster for short requests, but takes about 80 MiB more under load (npm run bench). A nursery that begins with
// 4 MiB is collected less often during the start, which copies less and takes 3 MiB less. By default V8 lets the heap grow to four times
// what is in use before it collects it; 1.6 times takes less memory under load, and jobs that work at the limit of their heap, such as an
// import of 100,000 rows, stay below theirs. src/main.ts calls the exposed function after the start. The image and test/bench/server.ts
// have the same arguments and variables.
export const HEAP = ['--min-semi-space-size=4', '--max-semi-space-size=8', '--heap-growing-percent=60', '--expose-gc'];

// By default glibc keeps freed memory: in an arena for each thread, and the 25 MiB that the compile cache took at the start. With these
// limits an idle process takes 25 MiB less. Other C libraries ignore them.
export const MALLOC = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '262144', MALLOC_MMAP_THRESHOLD_: '1048576' };

export async function run(args) {
  await install();
  await build();
  return runInForeground(pinnedNode(), [...nodeArguments(), ...args], {
    env: { ...MALLOC, ...process.env },
  });
}

/** Of Node, and the file that it runs. */
export function nodeArguments(more = []) {
  return ['--enable-source-maps', ...environmentArguments(), ...HEAP, ...more, join(ROOT, 'dist', 'src', 'main.js')];
}
