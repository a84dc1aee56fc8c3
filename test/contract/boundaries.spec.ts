import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';

/** What the checks need beside the files that they look at. */
const COPIED = [
  'package.json',
  'package-lock.json',
  'suite.config.ts',
  'tsconfig.json',
  'oxlint.config.ts',
  '.oxfmtrc.json',
  '.dependency-cruiser.mjs',
  'scripts/checks.mjs',
  'scripts/dependencies.mjs',
  'scripts/lint-rules.mjs',
  'scripts/prepare.mjs',
];

/** A small tree with one violation per rule, to prove that each rule can fail. */
const DEPENDENCY_VIOLATIONS: Record<string, { text: string; rule: string }> = {
  'src/modules/apples/reaches-platform.ts': { text: `import '../../platform/thing.js';`, rule: 'modules-import-kit-and-public-faces' },
  'src/modules/apples/reaches-inside-kit.ts': { text: `import '../../kit/part.js';`, rule: 'modules-import-kit-and-public-faces' },
  'src/modules/apples/reaches-kit-internal.ts': {
    text: `import '../../kit/internal.js';`,
    rule: 'modules-import-kit-and-public-faces',
  },
  'src/modules/apples/kit.spec.ts': { text: `import '../../kit/internal.js';`, rule: 'modules-import-no-platform-types-from-tests' },
  'src/modules/apples/testing/reaches-platform.ts': {
    text: `import '../../../platform/thing.js';`,
    rule: 'modules-import-no-platform-types-from-tests',
  },
  'src/modules/apples/reaches-testing.ts': { text: `import '../pears/testing/fixture.js';`, rule: 'product-imports-no-testing' },
  'src/modules/lamps/reaches-console.ts': { text: `import '../../console/index.js';`, rule: 'modules-import-kit-and-public-faces' },
  'src/modules/lamps/console/reaches-inside.page.ts': {
    text: `import '../../../console/frame.js';`,
    rule: 'pages-of-modules-import-kit-and-console',
  },
  'src/modules/lamps/console/reaches-service.page.ts': {
    text: `import '../lamps.service.js';`,
    rule: 'pages-of-modules-import-kit-and-console',
  },
  'src/platform/reaches-inside-kit.ts': { text: `import '../kit/part.js';`, rule: 'kit-has-two-faces' },
  'src/modules/apples/reaches-sibling.ts': { text: `import '../pears/pears.service.js';`, rule: 'modules-import-kit-and-public-faces' },
  'src/modules/apples/apples.spec.ts': { text: `import '../../platform/thing.js';`, rule: 'modules-import-no-platform-types-from-tests' },
  'src/platform/reaches-module.ts': { text: `import '../modules/pears/pears.service.js';`, rule: 'platform-imports-no-module' },
  'src/console/reaches-module.ts': { text: `import '../modules/pears/pears.service.js';`, rule: 'console-imports-no-module' },
  'src/kit/reaches-platform.ts': { text: `import '../platform/thing.js';`, rule: 'kit-imports-nothing-of-ours' },
  'src/platform/reaches-test.ts': { text: `import '../../test/tool.js';`, rule: 'product-imports-no-test' },
  'migrations/reaches-kit.ts': { text: `import '../src/kit/index.js';`, rule: 'migrations-stand-alone' },
  'src/platform/one.ts': { text: `import type { Two } from './two.js';\nexport const one: Two = 2;`, rule: 'no-cycle' },
  'src/platform/north/up/reaches-parent.ts': { text: `import type { Thing } from '../thing.js';`, rule: 'subfolder-imports-no-parent' },
  'src/modules/apples/engine/reaches-wing.ts': { text: `import '../workflow/thing.js';`, rule: 'engine-imports-only-the-model' },
  'src/modules/apples/views/reaches-wing.ts': { text: `import '../workflow/thing.js';`, rule: 'wings-import-one-way' },
  'src/modules/apples/workflow/reaches-wing.ts': { text: `import '../automation/thing.js';`, rule: 'wings-import-one-way' },
  'src/modules/apples/automation/reaches-wing.ts': { text: `import '../analysis/thing.js';`, rule: 'wings-import-one-way' },
  'src/modules/apples/analysis/reaches-wing.ts': { text: `import '../automation/thing.js';`, rule: 'wings-import-one-way' },
  'src/platform/needs-jest.ts': { text: `import 'jest';`, rule: 'product-needs-no-dev-dependency' },
  'src/platform/needs-nothing.ts': { text: `import './nowhere.js';`, rule: 'no-missing-file' },
};

const VALID_FILES: Record<string, string> = {
  'src/modules.ts': 'export const MODULES = [];\n',
  'src/kit/index.ts': `export * from './part.js';`,
  'src/kit/internal.ts': `export { detail } from './part.js';`,
  'src/kit/part.ts': 'export const part = 1;\nexport const detail = 2;',
  'src/platform/thing.ts':
    `import { part } from '../kit/index.js';\nimport { detail } from '../kit/internal.js';\n` + 'export const thing = [part, detail];',
  'src/platform/two.ts': `import { one } from './one.js';\nexport type Two = number;\nexport const two = one;`,
  'src/platform/east/thing.ts': `import type { Thing } from '../west/thing.js';\nexport const thing: Thing = 1;`,
  'src/platform/west/thing.ts': 'export type Thing = number;',
  // a test closes no cycle of folders
  'src/platform/west/thing.spec.ts': `import { thing } from '../east/thing.js';\nexport const tested = thing;`,
  'src/modules/pears/pears.service.ts': `import { part } from '../../kit/index.js';\nexport const service = part;`,
  'src/modules/pears/pears.public.ts': `export { service } from './pears.service.js';`,
  'src/modules/pears/testing/fixture.ts':
    `import { Repository } from 'typeorm';\nimport { tool } from '../../../../test/tool.js';\n` +
    'export const fixture = [Repository, tool];',
  'src/modules/apples/testing/valid.ts': `import { fixture } from '../../pears/testing/fixture.js';\nexport const valid = fixture;`,
  'src/modules/apples/workflow/thing.ts': `import { model } from '../model/thing.js';\nexport const thing = model;`,
  'src/modules/apples/automation/thing.ts': `import { thing } from '../workflow/thing.js';\nexport const automation = thing;`,
  'src/modules/apples/analysis/thing.ts': `import { thing } from '../workflow/thing.js';\nexport const analysis = thing;`,
  'src/modules/apples/model/thing.ts': 'export const model = 1;',
  'src/console/frame.ts': 'export const frame = 1;',
  'src/console/index.ts': `export { frame } from './frame.js';`,
  'src/modules/lamps/lamps.service.ts': 'export const lamps = 1;',
  'src/modules/lamps/console/valid.page.ts':
    `import { frame } from '../../../console/index.js';\nimport { part } from '../../../kit/index.js';\n` +
    'export const page = [frame, part];',
  'src/modules/apples/valid.ts':
    `import { part } from '../../kit/index.js';\nimport { service } from '../pears/pears.public.js';\n` +
    'export const valid = [part, service];',
  'test/tool.ts': 'export const tool = 1;',
  'scripts/tool.mjs': 'export const tool = 1;',
};

/** Two folders that form a cycle although their files do not. One of the imports is of a type. */
const FOLDER_CYCLE: Record<string, string> = {
  'src/platform/north/thing.ts': `import { base } from '../south/base.js';\nexport type Thing = typeof base;`,
  'src/platform/south/base.ts': 'export const base = 1;',
  'src/platform/south/thing.ts': `import type { Thing } from '../north/thing.js';\nexport const thing: Thing = 1;`,
};

/** Files that the linter must reject, with the rule. */
const LINT_VIOLATIONS: Record<string, { text: string; rule: string }> = {
  'src/modules/apples/environment.ts': { text: 'export const url = process.env.DATABASE_URL;', rule: 'no-restricted-syntax' },
  'src/platform/http/environment.ts': {
    text: 'const { env } = process;\nexport const url = env.DATABASE_URL;',
    rule: 'no-restricted-syntax',
  },
  'src/modules/apples/exception.ts': {
    text: `import { NotFoundException } from '@nestjs/common';\nthrow new NotFoundException();`,
    rule: 'no-restricted-syntax',
  },
  'src/modules/apples/repository.ts': {
    text: `import { Repository } from 'typeorm';\nexport const rows = Repository;`,
    rule: 'no-restricted-imports',
  },
  'src/modules/apples/source.ts': {
    text: `import { DataSource } from 'typeorm';\nexport const rows = DataSource;`,
    rule: 'no-restricted-imports',
  },
  'src/modules/apples/injected.ts': {
    text: `import { InjectRepository } from '@nestjs/typeorm';\nexport const rows = InjectRepository;`,
    rule: 'no-restricted-imports',
  },
  'src/platform/http/printed.ts': { text: `console.log('here');`, rule: 'no-console' },
  'src/modules/apples/clock.ts': { text: 'export const isLate = (dueAt: Date) => dueAt < new Date();', rule: 'no-restricted-syntax' },
  'src/modules/apples/horizontal.ts': {
    text: `import { Listing } from '../../kit/index.js';\n@Listing({ ...{}, defaultSort: 'name' })\nexport class Query {}`,
    rule: 'vertical-decorator-options',
  },
};

describe('the checks of npm run lint', () => {
  let folder: string;
  let output: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'work-suite-boundaries-'));
    const files = { ...VALID_FILES, ...FOLDER_CYCLE, ...textsOf(DEPENDENCY_VIOLATIONS), ...textsOf(LINT_VIOLATIONS) };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    for (const file of COPIED) cpSync(join(PROJECT_ROOT, file), join(folder, file));
    symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(folder, 'node_modules'));
    output = await outputOfFailure(['scripts/checks.mjs', 'lint'], folder);
    // the checks have low priority: on a busy machine they take minutes
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('each report their violations and fail', () => {
    expect(output).toContain('FAIL oxfmt (npm run lint)');
    expect(output).toMatch(/^src\/modules\/apples\/repository\.ts \(/m);
    expect(output).toMatch(/^Checks: {6}3 failed, 0 passed, 3 total$/m);
  });

  test('of dependencies each detect a violation and accept valid files', () => {
    const found = violationsIn(output);
    for (const [path, { rule }] of Object.entries(DEPENDENCY_VIOLATIONS))
      expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${rule}: ${path}( |$)`)));
    expect(
      found.filter((violation) =>
        Object.keys(VALID_FILES).some((path) => path !== 'src/platform/two.ts' && violation.includes(`: ${path} `)),
      ),
    ).toEqual([]);
  });

  test('of dependencies detect a cycle of folders that only a type import closes', () => {
    const found = violationsIn(output).filter((violation) => violation.includes('folders-form-a-dag'));
    expect(found).toContain('folders-form-a-dag: src/platform/north -> src/platform/south -> src/platform/north');
    expect(found).toContain('folders-form-a-dag: src/platform/south -> src/platform/north -> src/platform/south');
    expect(found.filter((violation) => /platform.(east|west)/.test(violation))).toEqual([]);
  });

  test('of the linter each detect a violation', () => {
    const found = lintErrorsIn(output);
    for (const [path, { rule }] of Object.entries(LINT_VIOLATIONS)) expect(found).toContainEqual(`${path}: ${rule}`);
    expect(found.filter((error) => error.startsWith('src/modules/pears/testing/'))).toEqual([]);
  });
});

test('the build contains no test file', () => {
  const built = readdirSync(join(PROJECT_ROOT, 'dist/src'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
  expect(built.length).toBeGreaterThan(1000);
  expect(built.filter((path) => /spec\.js$|^modules[\\/][^\\/]+[\\/]testing[\\/]/.test(path))).toEqual([]);
});

function textsOf(files: Record<string, { text: string }>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, { text }]) => [path, text]));
}

/**
 * Runs a script that must fail, and returns what it prints, without colors. Some checks take `CI` and any `FORCE_COLOR` as a wish for them.
 */
async function outputOfFailure(args: string[], cwd: string): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', FORCE_COLOR: undefined, CI: undefined };
  const options = { cwd, env, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      if (error?.code === 1) resolve(stdout + stderr);
      else reject(new Error(`It did not fail as a check does: ${stdout}${stderr}`, { cause: error }));
    });
  });
}

/** `rule: from -> to`, of a cycle with all that it passes. */
function violationsIn(report: string): string[] {
  const oneLineEach = report.replace(/→ *\n\s+/g, '→ ');
  return [...oneLineEach.matchAll(/^ *error ([\w-]+: .*)$/gm)].map(([, violation]) => violation.replaceAll('→', '->'));
}

/** `file: rule`. */
function lintErrorsIn(report: string): string[] {
  return [...report.matchAll(/^(\S+?):\d+:\d+: .* \[Error\/\w+\(([\w-]+)\)\]$/gm)].map(([, file, rule]) => `${file}: ${rule}`);
}
