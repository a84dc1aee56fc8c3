// Rules about mistakes, line length and what modules may reach. oxfmt (.oxfmtrc.json) formats the code.
import stylistic from '@stylistic/eslint-plugin';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

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
const LITERAL_SPREAD = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression.argument',
  message: 'Write the members into the object itself.',
};

/** Specs, and what they share within a module. */
const TEST_FILES = ['**/*spec.ts', 'src/modules/*/testing/**'];

/** oxfmt then writes one option per line: it keeps an object open whose first property is on a line of its own. */
const VERTICAL_DECORATOR_OPTIONS = {
  meta: { type: 'layout', fixable: 'whitespace', schema: [], messages: { vertical: 'Write the options of a decorator one per line.' } },
  create: ({ sourceCode, report }) => ({
    'Decorator > CallExpression > ObjectExpression.arguments[properties.length>1]': (options) => {
      const [first] = options.properties;
      if (sourceCode.text.slice(options.range[0], first.range[0]).includes('\n')) return;
      report({ node: options, messageId: 'vertical', fix: (fixer) => fixer.insertTextBefore(first, '\n') });
    },
  }),
};

export default defineConfig(
  { ignores: ['dist/', 'node_modules/', '.data/', 'scripts/templates/', '.ci/', 'docker/'] },
  {
    files: ['**/*.{ts,mjs}'],
    extends: [tseslint.configs.recommended],
    plugins: { '@stylistic': stylistic, local: { rules: { 'vertical-decorator-options': VERTICAL_DECORATOR_OPTIONS } } },
    // or injected classes would count as types only, although Nest reads them at run time
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // oxfmt breaks code; strings, templates and comments are broken by hand.
      '@stylistic/max-len': ['error', { code: 140 }],
      'local/vertical-decorator-options': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'array-callback-return': 'error',
      'no-constant-binary-expression': 'error',
      'no-constructor-return': 'error',
      'no-return-assign': ['error', 'except-parens'],
      'no-self-compare': 'error',
      'no-template-curly-in-string': 'error',
      'no-unmodified-loop-condition': 'error',
      'no-unreachable-loop': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false }],
      '@typescript-eslint/no-redeclare': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/no-confusing-non-null-assertion': 'error',
      'no-restricted-syntax': ['error', LITERAL_SPREAD],
    },
  },
  {
    files: ['src/**/*.ts', 'migrations/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-syntax': ['error', ENVIRONMENT, OTHER_ENVIRONMENT, HTTP_EXCEPTION, LITERAL_SPREAD],
    },
  },
  { files: ['src/platform/config/**/*.ts'], rules: { 'no-restricted-syntax': ['error', HTTP_EXCEPTION, LITERAL_SPREAD] } },
  // what a person reads in the terminal
  { files: ['src/main.ts', 'src/start.ts', 'src/cli/**/*.ts', 'src/demo/**/*.ts'], rules: { 'no-console': 'off' } },
  // programs of their own, which the docs show
  { files: ['src/platform/docs/receivers/*.ts'], rules: { 'no-restricted-syntax': 'off', 'no-console': 'off' } },
  {
    files: ['src/modules/**/*.ts'],
    ignores: TEST_FILES,
    rules: {
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
  {
    files: TEST_FILES,
    rules: { 'no-restricted-syntax': ['error', LITERAL_SPREAD], 'no-console': 'error' },
  },
);
