// What holds for tests, too, and what a module's tests may import. The other rules are about the product's own files.
import product, { NOT_SOURCE, TEST_FILE } from './.dependency-cruiser.mjs';

const TESTING = '^src/modules/[^/]+/testing/';
const FOR_ALL_FILES = ['no-cycle', 'no-undeclared-package', 'no-missing-file', 'kit-has-two-faces'];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'modules-import-no-platform-types-from-tests',
      comment: 'A test inside a module uses the module, the kit, test/harness, and of siblings the public face and what their tests share.',
      severity: 'error',
      from: { path: String.raw`^src/modules/([^/]+)/(testing/|.*\.(e2e-)?spec\.ts$)` },
      to: {
        path: '^src/',
        pathNot: ['^src/kit/index\\.ts$', '^src/modules/$1/', String.raw`^src/modules/[^/]+/[^/]+\.public\.ts$`, TESTING],
      },
    },
    {
      name: 'product-imports-no-testing',
      comment: 'The folder testing of a module is not built.',
      severity: 'error',
      from: { path: '^src/', pathNot: TEST_FILE },
      to: { path: TESTING },
    },
    ...product.forbidden.filter(({ name }) => FOR_ALL_FILES.includes(name)),
  ],
  options: { ...product.options, exclude: { path: NOT_SOURCE } },
};
