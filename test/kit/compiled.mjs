// `node --import ./test/kit/compiled.mjs` runs test files from source, and files in src from the last build, with a faster argon2.
import '../mcp/ts-loader.mjs';
import { registerHooks } from 'node:module';

const SOURCE = new URL('../../src/', import.meta.url).href;
const ARGON2 = new URL('./fast-argon2.ts', import.meta.url).href;
const BUILT = new URL('../../dist/src/', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@node-rs/argon2' && context.parentURL !== ARGON2) return next(ARGON2, context);
    const resolved = next(specifier, context);
    if (!resolved.url.startsWith(SOURCE) || !resolved.url.endsWith('.ts') || resolved.url.endsWith('spec.ts')) return resolved;
    return { ...resolved, url: BUILT + resolved.url.slice(SOURCE.length, -'ts'.length) + 'js' };
  },
});
