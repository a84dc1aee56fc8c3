// Rules about mistakes, line length and what modules may reach. oxfmt (.oxfmtrc.json) formats the code.
import { defineConfig } from 'oxlint';

const ENVIRONMENT = {
  selector: [
    "MemberExpression[object.name='process'][property.name='env']",
    "MemberExpression[object.name='process'][property.value='env']",
    "VariableDeclarator[init.name='process'] > ObjectPattern > Property[key.name='env']",
  ].join(', '),
  message: 'Settings are read once, in src/platform/config. A module declares its own with moduleSettings; see src/kit/manifest/README.md.',
};
const OTHER_ENVIRONMENT = {
  selector: "ImportDeclaration[source.value='node:process'], ImportDeclaration[source.value='process']",
  message: 'Use the global process; its environment is read in src/platform/config only.',
};
const HTTP_EXCEPTION = {
  selector: 'ThrowStatement > NewExpression[callee.name=/Exception$/]',
  message: 'Throw an error of the catalogue (defineErrors), never an HTTP exception.',
};
const REAL_CLOCK = {
  selector: "NewExpression[callee.name='Date'][arguments.length=0], CallExpression[callee.object.name='Date'][callee.property.name='now']",
  message: 'Decide by currentTime() of the kit, which follows the test clock of a call. For a cache or a lease take performance.now().',
};
const LITERAL_SPREAD = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression.argument',
  message: 'Write the members into the object itself.',
};

/** Specs, and what they share within a module. */
const TEST_FILES = ['**/*spec.ts', 'src/modules/*/testing/**'];

export default defineConfig({
  ignorePatterns: ['dist', 'node_modules', '.data', 'scripts/templates', '.ci', 'docker'],
  plugins: ['typescript'],
  jsPlugins: ['./scripts/lint-rules.mjs'],
  options: { reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'off' },
  rules: {
    // oxfmt breaks code; strings, templates and comments are broken by hand.
    'local/max-len': ['error', 140],
    'local/vertical-decorator-options': 'error',
    'local/no-restricted-syntax': ['error', LITERAL_SPREAD],
    // typescript/consistent-type-imports would count injected classes as types only, although Nest reads them at run time
    'local/type-imports': 'error',
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'array-callback-return': 'error',
    'no-array-constructor': 'error',
    'no-constant-binary-expression': 'error',
    'no-constructor-return': 'error',
    'no-return-assign': ['error', 'except-parens'],
    'no-self-compare': 'error',
    'no-template-curly-in-string': 'error',
    'no-unmodified-loop-condition': 'error',
    'no-unreachable-loop': 'error',
    'no-unused-expressions': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all', ignoreRestSiblings: true }],
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/no-confusing-non-null-assertion': 'error',
    'typescript/no-duplicate-enum-values': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-extra-non-null-assertion': 'error',
    'typescript/no-misused-new': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-non-null-asserted-optional-chain': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-this-alias': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-declaration-merging': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/no-wrapper-object-types': 'error',
    'typescript/prefer-as-const': 'error',
    'typescript/prefer-namespace-keyword': 'error',
    'typescript/triple-slash-reference': 'error',
  },
  overrides: [
    {
      files: ['src/**/*.ts', 'migrations/**/*.ts'],
      rules: {
        'no-console': 'error',
        'local/no-restricted-syntax': ['error', ENVIRONMENT, OTHER_ENVIRONMENT, HTTP_EXCEPTION, LITERAL_SPREAD],
      },
    },
    { files: ['src/platform/config/**/*.ts'], rules: { 'local/no-restricted-syntax': ['error', HTTP_EXCEPTION, LITERAL_SPREAD] } },
    // what a person reads in the terminal
    { files: ['src/main.ts', 'src/start.ts', 'src/cli/**/*.ts', 'src/demo/**/*.ts'], rules: { 'no-console': 'off' } },
    // programs of their own, which the docs show
    { files: ['src/platform/docs/receivers/*.ts'], rules: { 'local/no-restricted-syntax': 'off', 'no-console': 'off' } },
    {
      files: ['src/modules/**/*.ts'],
      excludeFiles: TEST_FILES,
      rules: {
        'local/no-restricted-syntax': ['error', ENVIRONMENT, OTHER_ENVIRONMENT, HTTP_EXCEPTION, LITERAL_SPREAD, REAL_CLOCK],
        'no-restricted-imports': [
          'error',
          {
            paths: [
              {
                name: 'typeorm',
                importNames: ['DataSource', 'EntityManager', 'Repository', 'getRepository'],
                message: 'Rows are reached through Store and Tx, which narrow every query to the caller.',
              },
              { name: '@nestjs/typeorm', message: 'Rows are reached through Store and Tx; entities are listed in the manifest.' },
              { name: 'pg', message: 'Rows are reached through Store and Tx.' },
            ],
          },
        ],
      },
    },
    // demo data is of the present; a signature, a signed link and the lease of a call to a model are valid by the real clock
    {
      files: [
        'src/modules/**/*.demo.ts',
        'src/modules/documents/engine/sealing/**',
        'src/modules/desk/attachments/attachments.service.ts',
        'src/modules/documents/analysis/analyses/analyses.service.ts',
        'src/modules/documents/analysis/credits/ai-credits.service.ts',
      ],
      rules: { 'local/no-restricted-syntax': ['error', ENVIRONMENT, OTHER_ENVIRONMENT, HTTP_EXCEPTION, LITERAL_SPREAD] },
    },
    {
      files: TEST_FILES,
      rules: { 'local/no-restricted-syntax': ['error', LITERAL_SPREAD], 'no-console': 'error' },
    },
  ],
});
