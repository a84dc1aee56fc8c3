// `node --import ./test/harness/compiled.mjs` runs test files from source, and the product's from the last build, with a faster argon2.
import '../mcp/ts-loader.mjs';
import { registerHooks } from 'node:module';

const SOURCE = new URL('../../src/', import.meta.url).href;
const ARGON2 = new URL('./fast-argon2.ts', import.meta.url).href;
/** Specs, and what they share within a module. */
const TEST_FILE = /spec\.ts$|\/modules\/[^/]+\/testing\//;
const BUILT = new URL('../../dist/src/', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@node-rs/argon2' && context.parentURL !== ARGON2) return next(ARGON2, context);
    const resolved = next(specifier, context);
    if (!resolved.url.startsWith(SOURCE) || !resolved.url.endsWith('.ts') || TEST_FILE.test(resolved.url)) return resolved;
    return { ...resolved, url: BUILT + resolved.url.slice(SOURCE.length, -'ts'.length) + 'js' };
  },
});
