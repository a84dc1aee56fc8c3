// Jest's module loader for native-environment.mjs. Node loads the test files, so a worker evaluates the product's modules and their
// packages once; jest's own loader does so again for each test file. The product's modules are those of the last build.
import { createRequire, enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { COMPILE_CACHE } from '#scripts/prepare.mjs';
import './compiled.mjs';
import { sourceMaps } from '../mcp/ts-loader.mjs';

// a part of jest, in its own version
const Runtime = createRequire(createRequire(import.meta.url).resolve('jest'))('jest-runtime').default;

const GLOBALS = 'jest:globals';
const NAMES = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'jest', 'test'].join(', ');
// modules of test/harness, which are evaluated once as well, see the functions of the present test file
const GLOBALS_MODULE = `export let ${NAMES}; export const use = (present) => void ({ ${NAMES} } = present);`;

enableCompileCache(COMPILE_CACHE);
registerHooks({
  resolve: (specifier, context, next) => (specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context)),
  load: (url, context, next) => (url === GLOBALS ? { format: 'module', source: GLOBALS_MODULE, shortCircuit: true } : next(url, context)),
});

// Jest kills a worker that does not end soon after its last file. Freeing hundreds of MiB first takes a busy machine too long.
process.once('beforeExit', () => process.exit());

export default class NativeRuntime extends Runtime {
  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    const { use } = await import('@jest/globals');
    use(this.requireModuleOrMock(path, '@jest/globals'));
    await import(pathToFileURL(path).href);
  }

  /** The test framework, which is loaded again for each test file. */
  requireInternalModule(path) {
    const require = createRequire(path);
    delete require.cache[path];
    return require(path);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  /** Node would write the cache when the worker ends, which takes longer than jest waits. */
  teardown() {
    flushCompileCache();
    super.teardown();
  }

  /** `process.getBuiltinModule` stays Node's, too. */
  installGetBuiltinModule() {}
}
