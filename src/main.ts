import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { join } from 'node:path';

const DIST = join(import.meta.dirname, '..');
const BUNDLE = join(DIST, 'bundle', 'start.cjs');

// Comes before everything else that is loaded. Node checks each entry against its source, and a build deletes the folder.
module.enableCompileCache?.(join(DIST, 'compile-cache'));
const { run } = existsSync(BUNDLE) ? (createRequire(import.meta.url)(BUNDLE) as typeof import('./start.js')) : await import('./start.js');
await run();
// a process that is killed later does not write it
module.flushCompileCache?.();
