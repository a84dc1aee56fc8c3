import { expect, test } from '@jest/globals';
import { manifestOf } from '../../src/kit/internal.js';
import { BUILT_IN } from '../../src/modules.js';
import { ALLOWED } from './module-names.allowed.js';
import { sourceFiles, textOf } from './source-files.js';

const SEARCHED = ['src/platform', 'src/console', 'src/demo', 'test/harness', 'test/contract'];

/** Not those that an author adds, whose subjects may be any nouns. */
const MANIFESTS = BUILT_IN.map(manifestOf);

/** The words by which code would name a module: its name, its prefix, and the beginnings of its scopes and permissions. */
const WORDS = [
  ...new Set(
    MANIFESTS.flatMap(({ name, prefix, permissions = {} }) => [
      name,
      prefix,
      ...Object.keys(permissions).map((permission) => permission.split('.')[0]),
    ]),
  ),
].filter((word) => word !== 'org');
const ANY = WORDS.join('|');
const ACCESS = MANIFESTS.flatMap(({ scopes, permissions = {} }) => [...Object.keys(scopes), ...Object.keys(permissions)]);
const NAMES = new RegExp(
  [
    `(['"\`])(?:${ANY})\\1`, // 'tasks'
    `(?<![\\w.])(?:${ACCESS.join('|').replaceAll('.', '\\.')})\\b`, // 'tasks:task:read', 'tasks.task.view'
    `/(?:${ANY})/`, // '/api/v1/ext/tasks/tasks', modules/tasks/
    String.raw`\b(?:lead|LEAD)[_-]?(?:webhook|WEBHOOK)|[lL]eadWebhook|leadkeys`,
  ].join('|'),
  'g',
);

/** Nouns of modules that mean something else in the platform, or are verbs and adverbs there. */
const GENERAL_NOUNS = new Set(
  (
    'ai calendar comment config document event form item lead leave message order org payment product project report ' +
    'webhook_endpoint workflow'
  ).split(' '),
);

/** What manifests declare for agents and testers; the platform has general words only. */
const DECLARED = MANIFESTS.flatMap(({ scopes, scenarios = [], agentWords = {} }) => [
  ...Object.keys(scopes).map((scope) => scope.split(':')[1]),
  ...Object.keys(agentWords.search ?? {}).filter((word) => word !== 'status'),
  ...Object.values(agentWords.arguments ?? {}).flat(),
  ...scenarios,
]);
const GENERAL = new Set(['config', 'project', 'message', 'status_id', 'amount']);

/** What events and scopes of modules are about; those that the platform has too are general. */
const NOUNS = [
  ...new Set(
    MANIFESTS.flatMap(({ scopes, events = {} }) => [
      ...Object.keys(scopes).map((scope) => scope.split(':')[1]),
      ...Object.values(events).map((event) => event.name.split('.')[0]),
    ]),
  ),
].filter((noun) => !GENERAL_NOUNS.has(noun));
const SUBJECTS = new RegExp(`\\b(?:${NOUNS.join('|')})s?(?=\\b|_)`, 'gi');
/** Text between quotes on one line, but not in a comment, in an import or in the code of a template. */
const TEXTS = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`\n]*`?/g;

/** The subjects of modules that texts for people and agents name. */
function subjectsIn(text: string): string[] {
  const code = text.replace(/^import [^;]*;$/gm, '').replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
  return [...code.matchAll(TEXTS)].flatMap(([quoted]) => [...quoted.replace(/\$\{[^}]*\}/g, '').matchAll(SUBJECTS)].map(([noun]) => noun));
}

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

test('no file of the platform or the console imports a module, specs included: journeys do', () => {
  const paths = ['src/platform', 'src/console', 'src/kit'].flatMap((folder) => sourceFiles(folder));
  expect(paths.filter((path) => /^import .*\/modules\/.*\//m.test(textOf(path)))).toEqual([]);
});

test('texts of the platform, the kit, the console and the demo name no subject of a module', () => {
  const folders = ['src/platform', 'src/kit', 'src/console', 'src/demo', 'src/cli'];
  const paths = folders.flatMap((folder) => sourceFiles(folder)).filter((path) => !path.endsWith('spec.ts'));
  const found = paths.flatMap((path) => subjectsIn(textOf(path)).map((noun) => `${path}: ${noun}`));
  expect(found).toEqual([]);
  expect(NOUNS).toEqual(expect.arrayContaining(['task', 'customer', 'invoice', 'ticket', 'employee', 'stock']));
});

test.each([
  [`member: 'The daily work: tasks, customers, documents, calendar',`, ['tasks', 'customers']],
  [`example: 'task.created',`, ['task']],
  ['const text = `It begins the numbers of tasks.`;', ['tasks']],
  [`// such as task.created\nimport { task } from './task.js';\nconst task = invoices[0];`, []],
])('finds the subjects in: %s', (text, subjects) => expect(subjectsIn(text)).toEqual(subjects));

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
