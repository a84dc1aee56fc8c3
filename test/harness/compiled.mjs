// `node --import ./test/harness/compiled.mjs` runs test files from source, and the product's from the last build, with a faster argon2.
import '../mcp/ts-loader.mjs';
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT } from '#scripts/prepare.mjs';

const SOURCE = `${pathToFileURL(join(PROJECT, 'src')).href}/`;
/** In the package the harness is compiled. */
const ARGON2 = ['ts', 'js']
  .map((type) => join(import.meta.dirname, `fast-argon2.${type}`))
  .filter((file) => existsSync(file))
  .map((file) => pathToFileURL(file).href)[0];
/** Specs, and what they share within a module. */
const TEST_FILE = /spec\.ts$|\/modules\/[^/]+\/testing\//;
const BUILT = `${pathToFileURL(join(PROJECT, 'dist', 'src')).href}/`;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@node-rs/argon2' && context.parentURL !== ARGON2) return next(ARGON2, context);
    // what Node would find after it has looked for the file and its package.json, which it does for thousands of imports
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.startsWith(BUILT))
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
    const resolved = next(specifier, context);
    if (!resolved.url.startsWith(SOURCE) || !resolved.url.endsWith('.ts') || TEST_FILE.test(resolved.url)) return resolved;
    return { ...resolved, url: BUILT + resolved.url.slice(SOURCE.length, -'ts'.length) + 'js' };
  },
});
