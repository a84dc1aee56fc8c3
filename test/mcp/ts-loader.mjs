// Lets Node run TypeScript from source, with decorators: `node --import ./test/mcp/ts-loader.mjs`.
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileSource } from '#scripts/compiler.mjs';
import { PROJECT, ROOT } from '#scripts/prepare.mjs';

const COMPILED = [ROOT, PROJECT].flatMap((root) => ['node_modules', 'dist'].map((folder) => `${pathToFileURL(join(root, folder)).href}/`));

const MAP = '//# sourceMappingURL=';
/** Of the files that were loaded, by their URL: as data URLs. */
export const sourceMaps = new Map();

registerHooks({
  resolve(specifier, context, next) {
    // compiled files import compiled files
    const isCompiled = COMPILED.some((folder) => context.parentURL?.startsWith(folder));
    if (isCompiled || !specifier.startsWith('.') || !specifier.endsWith('.js')) return next(specifier, context);
    try {
      return next(`${specifier.slice(0, -3)}.ts`, context);
    } catch {
      return next(specifier, context);
    }
  },
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    const code = compileSource(fileURLToPath(url));
    sourceMaps.set(url, code.slice(code.lastIndexOf(MAP) + MAP.length).trim());
    return { format: 'module', source: code, shortCircuit: true };
  },
});
