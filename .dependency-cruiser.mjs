// The arrows of the architecture: app -> modules, platform -> kit. `npm test` and `npm run lint` check them.
// scripts/dependencies.mjs applies the rules, and one more about folders.

/** Before a build, an import of dist is not resolved, and stays relative. */
/** Has a package.json of its own. */
const INSTALLED_APART = '^test/mcp/converters/';
const NOT_SOURCE = String.raw`^(\.\./)*(dist|node_modules)/`;

/** Specs, and what they share within a module. */
export const TEST_FILE = String.raw`\.(e2e-)?spec\.ts$|^src/modules/[^/]+/testing/`;

/** What the folders of a module with wings may not import, besides what `engine-imports-only-the-model` says. */
const OUT_OF_REACH = {
  'model|views|types|settings|pages': 'workflow|automation|analysis',
  workflow: 'automation|analysis',
  automation: 'analysis',
  analysis: 'automation',
};

const TESTING = '^src/modules/[^/]+/testing/';

/** The product's own files: not tests. */
const RULES_OF_THE_PRODUCT = [
  {
    name: 'modules-import-kit-and-public-faces',
    comment: 'A module imports of src only the kit, its own folder and the narrow face (*.public.ts) of a sibling.',
    severity: 'error',
    from: { path: '^src/modules/([^/]+)/', pathNot: '^src/modules/[^/]+/console/' },
    to: { path: '^src/', pathNot: ['^src/kit/index\\.ts$', '^src/modules/$1/', String.raw`^src/modules/[^/]+/[^/]+\.public\.ts$`] },
  },
  {
    name: 'pages-of-modules-import-kit-and-console',
    comment:
      "A module's pages stand in its folder console/ and import what the console offers to pages, too. They call routes, no services; " +
      'they may name the types of the responses.',
    severity: 'error',
    from: { path: '^src/modules/([^/]+)/console/' },
    to: {
      path: '^src/',
      pathNot: String.raw`^src/(kit|console)/index\.ts$|^src/modules/$1/console/`,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'platform-imports-no-module',
    comment: 'The platform reads manifests; it knows no module by name.',
    severity: 'error',
    from: { path: '^src/platform/' },
    to: { path: ['^src/modules', '^src/app', '^src/start', '^src/boot', '^src/cli/', '^src/console/', '^src/demo/'] },
  },
  {
    name: 'console-imports-no-module',
    comment: "The console's pages call routes; they know no module.",
    severity: 'error',
    from: { path: '^src/console/' },
    to: { path: ['^src/modules', '^src/app', '^src/start', '^src/boot', '^src/cli/', '^src/demo/'] },
  },
  {
    name: 'kit-imports-nothing-of-ours',
    comment: 'The kit is what everything else stands on.',
    severity: 'error',
    from: { path: '^src/kit/' },
    to: { path: '^(src|test|migrations|scripts)/', pathNot: '^src/kit/' },
  },
  {
    name: 'product-imports-no-test',
    severity: 'error',
    from: { path: '^(src|migrations)/' },
    to: { path: '^test/' },
  },
  {
    name: 'migrations-stand-alone',
    comment: 'A migration says what was true on its day; code it imported would change under it.',
    severity: 'error',
    from: { path: '^migrations/' },
    to: { path: '^(src|test|scripts)/' },
  },
  ...[1, 2, 3, 4, 5]
    .map((depth) => `src${'/[^/]+'.repeat(depth)}`)
    .map((folder) => ({
      name: 'subfolder-imports-no-parent',
      comment: 'A folder puts its subfolders together; what both need stands in a subfolder of its own.',
      severity: 'error',
      from: { path: `^(${folder})/[^/]+/` },
      to: { path: '^$1/[^/]+$' },
    })),
  {
    name: 'engine-imports-only-the-model',
    comment: 'What makes and reads files knows the records, but no one who does something to them.',
    severity: 'error',
    from: { path: '^src/modules/([^/]+)/engine/' },
    to: { path: '^src/modules/$1/', pathNot: '^src/modules/$1/(engine|model)/' },
  },
  ...Object.entries(OUT_OF_REACH).map(([folders, others]) => ({
    name: 'wings-import-one-way',
    comment: 'Automation and analysis know the workflow; the workflow knows neither, and they do not know each other.',
    severity: 'error',
    from: { path: `^src/modules/([^/]+)/(${folders})/` },
    to: { path: `^src/modules/$1/(${others})/` },
  })),
  {
    name: 'product-needs-no-dev-dependency',
    comment: 'What src imports is installed in production too.',
    severity: 'error',
    from: { path: '^(src|migrations)/' },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'] },
  },
].map((rule) => ({ ...rule, from: { ...rule.from, pathNot: [rule.from.pathNot ?? [], TEST_FILE].flat() } }));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...RULES_OF_THE_PRODUCT,
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
    {
      name: 'kit-has-two-faces',
      comment: "What is behind the kit's index.ts and internal.ts can change without a look at who imports it.",
      severity: 'error',
      from: { path: '^(src|test|scripts)/', pathNot: '^src/kit/' },
      to: { path: '^src/kit/', pathNot: String.raw`^src/kit/(index|internal)\.ts$` },
    },
    {
      name: 'no-cycle',
      comment: 'Type imports count: who reads one file of a cycle has to read them all.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-undeclared-package',
      severity: 'error',
      from: { path: '^(src|test|migrations|scripts)/', pathNot: INSTALLED_APART },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-missing-file',
      severity: 'error',
      from: { pathNot: INSTALLED_APART },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: NOT_SOURCE },
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
    moduleSystems: ['es6', 'cjs'],
  },
};
