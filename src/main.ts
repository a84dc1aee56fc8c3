import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const DIST = join(import.meta.dirname, '..');
const BUNDLE = join(DIST, 'bundle', 'start.cjs');
/** Every build deletes it with the rest of dist. */
const CACHE = join(DIST, 'cache');

// comes before everything else that is loaded; Node checks each entry against its source
module.enableCompileCache?.(join(CACHE, 'compiled'));
if (existsSync(BUNDLE)) {
  const { run } = createRequire(import.meta.url)(BUNDLE) as typeof import('./start.js');
  await run({ code: dirname(BUNDLE), folder: join(CACHE, 'openapi') });
} else {
  const { run } = await import('./start.js');
  await run();
}
// a process that is killed later does not write it
module.flushCompileCache?.();
