// `node --import ./test/kit/compiled.mjs` runs test files from source, and files in src from the last build.
import '../mcp/ts-loader.mjs';
import { registerHooks } from 'node:module';

const SOURCE = new URL('../../src/', import.meta.url).href;
const BUILT = new URL('../../dist/src/', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (!resolved.url.startsWith(SOURCE) || !resolved.url.endsWith('.ts')) return resolved;
    return { ...resolved, url: BUILT + resolved.url.slice(SOURCE.length, -'ts'.length) + 'js' };
  },
});
