import './node-version.js';
import './closed-output.js';
import module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { bundleFolder } from './bundle.js';
import { shareBundle } from './shared-packages.js';

const DIST = join(import.meta.dirname, '..');
/** Every bundling deletes it. */
const CACHE = join(DIST, 'cache');

// must run before any other module is loaded; Node validates each cache entry against its source
module.enableCompileCache?.(join(CACHE, 'compiled'));
const bundle = bundleFolder();
if (bundle !== null) {
  shareBundle(bundle);
  const { run } = createRequire(import.meta.url)(join(bundle, 'start.cjs')) as typeof import('./start.js');
  await run({ cache: { code: bundle, folder: join(CACHE, 'openapi') } });
} else {
  const { run } = await import('./start.js');
  await run();
}
// written now, because a killed process would not write it
module.flushCompileCache?.();
// The start leaves 35 MiB of garbage and half-empty pages, which V8 returns to the system only in such a collection, and not while the
// process is idle. It holds up requests for 0.1 to 0.3 s, so it is not part of the start.
setTimeout(() => void globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' }), 1_000).unref();
