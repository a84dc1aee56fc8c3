import { expect, test } from '@jest/globals';
import { manifestOf } from '../../src/kit/internal.js';
import { MODULES } from '../../src/modules.js';
import { ALLOWED } from './module-names.allowed.js';
import { sourceFiles, textOf } from './source-files.js';

const SEARCHED = ['src/platform', 'src/console', 'src/demo', 'test/harness', 'test/contract'];

/** The words by which code would name a module: its name, its prefix, and the beginnings of its scopes and permissions. */
const WORDS = [
  ...new Set(
    MODULES.map(manifestOf).flatMap(({ name, prefix, permissions = {} }) => [
      name,
      prefix,
      ...Object.keys(permissions).map((permission) => permission.split('.')[0]),
    ]),
  ),
].filter((word) => word !== 'org');
const ANY = WORDS.join('|');
const ACCESS = MODULES.map(manifestOf).flatMap(({ scopes, permissions = {} }) => [...Object.keys(scopes), ...Object.keys(permissions)]);
const NAMES = new RegExp(
  [
    `(['"\`])(?:${ANY})\\1`, // 'tasks'
    `(?<![\\w.])(?:${ACCESS.join('|').replaceAll('.', '\\.')})\\b`, // 'tasks:task:read', 'tasks.task.view'
    `/(?:${ANY})/`, // '/api/v1/ext/tasks/tasks', modules/tasks/
    String.raw`\b(?:lead|LEAD)[_-]?(?:webhook|WEBHOOK)|[lL]eadWebhook|leadkeys`,
  ].join('|'),
  'g',
);

/** What manifests declare for agents and testers; the platform has general words only. */
const DECLARED = MODULES.map(manifestOf).flatMap(({ scopes, scenarios = [], agentWords = {} }) => [
  ...Object.keys(scopes).map((scope) => scope.split(':')[1]),
  ...Object.keys(agentWords.search ?? {}).filter((word) => word !== 'status'),
  ...Object.values(agentWords.arguments ?? {}).flat(),
  ...scenarios,
]);
const GENERAL = new Set(['config', 'project', 'message', 'status_id', 'amount']);

function namesIn(text: string): number {
  return [...text.matchAll(NAMES)].length;
}

test('the platform, the console, the demo and the tests of every module name no module', () => {
  const found: Record<string, number> = {};
  for (const path of SEARCHED.flatMap((folder) => sourceFiles(folder))) {
    // specs beside the code try the platform on the product's modules; lists of what is allowed name files
    const isList = path.endsWith('.allowed.ts') || path === 'test/contract/module-names.spec.ts';
    if ((path.startsWith('src/') && path.endsWith('spec.ts')) || isList) continue;
    const count = namesIn(textOf(path));
    if (count > 0) found[path] = count;
  }
  const more = Object.entries(found).filter(([path, count]) => count > (ALLOWED[path] ?? 0));
  expect(more.map(([path, count]) => `${path} names modules ${count} times; ${ALLOWED[path] ?? 0} are allowed`)).toEqual([]);
  // remove these from the list
  expect(Object.keys(ALLOWED).filter((path) => !(path in found))).toEqual([]);
});

test('the words of agents and the scenarios of a module stand in its manifest only', () => {
  const words = new Set(DECLARED.filter((word) => !GENERAL.has(word)));
  expect(words).toContain('ai_execution_failed');
  const found = [...sourceFiles('src/platform/mcp/text'), 'src/platform/http/scenario.guard.ts']
    .filter((path) => !path.endsWith('spec.ts'))
    .flatMap((path) => [...textOf(path).matchAll(/(?<=')[a-z_ ]+(?=')|^ +[a-z_]+(?=:)/gm)].flatMap(([text]) => text.trim().split(' ')))
    .filter((word) => words.has(word));
  expect(found).toEqual([]);
});

test.each([
  `const LEAD_WEBHOOK = 1;`,
  `if (module === 'tasks') return;`,
  `const path = \`/api/v1/ext/papers/\${id}\`;`,
  `visit.can('hr.private.manage');`,
  `import { x } from '../../modules/desk/desk.public.js';`,
  `scopes: ['accounting:invoice:read'],`,
])('finds the name in: %s', (line) => expect(namesIn(line)).toBe(1));

test.each([`the tasks of a project`, `const tasks = [];`, `schedule(work);`, `'deskutop'`])('finds none in: %s', (line) =>
  expect(namesIn(line)).toBe(0),
);
