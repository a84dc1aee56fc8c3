import './node-version.js';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const DIST = join(import.meta.dirname, '..');
const BUNDLE = join(DIST, 'bundle', 'start.cjs');
/** A bundle without it is older than the rest of dist. */
const BUILT = join(DIST, '.work-suite-build');
/** Every build deletes it. */
const CACHE = join(DIST, 'cache');

// must run before any other module is loaded; Node validates each cache entry against its source
module.enableCompileCache?.(join(CACHE, 'compiled'));
if (existsSync(BUILT)) {
  const { run } = createRequire(import.meta.url)(BUNDLE) as typeof import('./start.js');
  await run({ code: dirname(BUNDLE), folder: join(CACHE, 'openapi') });
} else {
  const { run } = await import('./start.js');
  await run();
}
// written now, because a killed process would not write it
module.flushCompileCache?.();
// The start leaves 35 MiB of garbage and half-empty pages, which V8 returns to the system only in such a collection, and not while the
// process is idle. It holds up requests for 0.1 to 0.3 s, so it is not part of the start.
setTimeout(() => void globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' }), 1_000).unref();
