import '../node-version.js';
import '../closed-output.js';
import module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { bundleFolder } from '../bundle.js';
import { shareBundle } from '../shared-packages.js';

interface Program {
  run(args: readonly string[]): Promise<void>;
}

const DIST = join(import.meta.dirname, '..', '..');
const [name, ...args] = process.argv.slice(2);

// must run before any other module is loaded; Node validates each cache entry against its source
module.enableCompileCache?.(join(DIST, 'cache', 'compiled'));
const bundle = bundleFolder();
if (bundle !== null) shareBundle(bundle);
const program = bundle === null ? await import(`./${name}.js`) : createRequire(import.meta.url)(join(bundle, `${name}.cjs`));
await (program as Program).run(args);
