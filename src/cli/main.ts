import '../node-version.js';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { join } from 'node:path';

interface Program {
  run(args: readonly string[]): Promise<void>;
}

const DIST = join(import.meta.dirname, '..', '..');
const [name, ...args] = process.argv.slice(2);
const BUNDLE = join(DIST, 'bundle', `${name}.cjs`);

// must run before any other module is loaded; Node validates each cache entry against its source
module.enableCompileCache?.(join(DIST, 'cache', 'compiled'));
const program = existsSync(join(DIST, '.work-suite-build')) ? createRequire(import.meta.url)(BUNDLE) : await import(`./${name}.js`);
await (program as Program).run(args);
