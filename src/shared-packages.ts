import { readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { join } from 'node:path';

const SCHEME = 'work-suite-bundle:';
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * Lets the modules of a project, and those that are packages, import the suite and the packages that they share with it from the bundle:
 * a second copy of the kit, of Nest or of TypeORM would not know what the first one has registered. `scripts/bundle.mjs` lists them.
 */
export function shareBundle(folder: string): void {
  const shared = JSON.parse(readFileSync(join(folder, 'shared.json'), 'utf8')) as Record<string, string>;
  const require = createRequire(import.meta.url);
  // imported by name, it would end an older Node before node-version.ts can tell which one is needed
  module.registerHooks({
    resolve: (specifier, context, next) =>
      Object.hasOwn(shared, specifier) ? { url: SCHEME + specifier, format: 'module', shortCircuit: true } : next(specifier, context),
    load: (url, context, next) => {
      if (!url.startsWith(SCHEME)) return next(url, context);
      const file = join(folder, shared[url.slice(SCHEME.length)]);
      const names = Object.keys(require(file) as object).filter((name) => IDENTIFIER.test(name) && name !== 'default');
      // its last file would seem to define what the files of the project define
      delete (globalThis as { evaluatedFile?: string }).evaluatedFile;
      const source = `
        import { createRequire } from 'node:module';
        const found = createRequire(${JSON.stringify(import.meta.url)})(${JSON.stringify(file)});
        export const { ${names.join(', ')} } = found;
        export default found.default ?? found;`;
      return { format: 'module', source, shortCircuit: true };
    },
  });
}
