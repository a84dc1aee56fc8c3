import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { ProjectCopy } from './project-copy.js';

/** A test that runs in the copy and checks what the platform derives from the new modules. */
const PROBE = `
import { expect, it } from '@jest/globals';
import { ConsoleVisitor } from './harness/console.js';
import { sharedApp } from './harness/hosted-app.js';
import { Browser, OAuthClient, scopesOn } from './harness/oauth.js';

const app = await sharedApp();

it('new modules appear in OpenAPI, in scopes and among the MCP tools', async () => {
  const space = await app.workspace();
  type Paths = Record<string, Record<string, { operationId: string; security: unknown }>>;
  const { paths } = (await (await fetch(app.url + '/openapi.json')).json()) as { paths: Paths };
  const operations = (path: string) => Object.values(paths[path]).map(({ operationId }) => operationId).sort();
  expect(operations('/api/v1/ext/notes/notes')).toEqual(['create_note', 'list_notes']);
  expect(operations('/api/v1/ext/notes/notes/{id}')).toEqual(['delete_note', 'get_note', 'update_note']);
  expect(operations('/api/v1/ext/knowledge_base/articles/{id}')).toEqual(['delete_article', 'get_article', 'update_article']);
  expect(JSON.stringify(paths['/api/v1/ext/notes/notes'].get)).toContain('Words to find in title and text;');
  expect(paths['/api/v1/ext/notes/notes'].post.security).toEqual([{ apiKey: ['notes:note:write'] }]);

  const all = await space.key({ module: 'notes' });
  const readOnly = await space.key({ module: 'knowledge_base', scopes: ['knowledge_base:article:read'] });
  const tools = async ({ client }: typeof all) => {
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
    const response = await client.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers);
    return response.body.result.tools.map(({ name }: { name: string }) => name).sort();
  };
  const ofNotes = ['create_note', 'delete_note', 'get_guide', 'get_note', 'list_notes', 'list_notes_projects', 'update_note'];
  const ofChapters = ['create_chapter', 'delete_chapter', 'get_chapter', 'list_chapters', 'update_chapter'];
  expect(await tools(all)).toEqual([...ofNotes, ...ofChapters].sort());
  expect(await tools(readOnly)).toEqual(['get_article', 'get_guide', 'list_articles', 'list_knowledge_base_projects']);
});

it('their permissions reach roles, the console, the consent page, the docs and the members', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const roles = (await owner.get('/api/v1/org/roles')).body.data as { name: string; permissions: string[] }[];
  const have = (permission: string) => roles.filter(({ permissions }) => permissions.includes(permission)).map(({ name }) => name);
  expect([have('notes.note.view'), have('knowledge_base.article.manage')]).toEqual(Array(2).fill(['owner', 'admin', 'member']));
  const { data } = (await owner.get('/api/v1/org/permissions?limit=100')).body;
  expect(data.find(({ name }: { name: string }) => name === 'knowledge_base.article.view')).toEqual({
    object: 'permission',
    name: 'knowledge_base.article.view',
    description: 'See articles',
    group: 'Knowledge base',
  });

  const visitor = await ConsoleVisitor.signIn(app.url, space);
  const newRole = (await visitor.get('/console/settings/roles/new')).text;
  for (const shown of ['Knowledge base', 'See articles', 'knowledge_base.article.manage', 'Create, change and delete notes'])
    expect(newRole).toContain(shown);

  const client = await OAuthClient.register(app.url);
  const browser = new Browser(app.url);
  await browser.signIn(space.owner.email);
  const { page } = await client.open(browser, { scope: 'notes:note:read knowledge_base:article:write' });
  expect(scopesOn(page).map(({ scope }) => scope)).toEqual(['notes:note:read', 'knowledge_base:article:write']);
  for (const shown of ['Knowledge base', 'Create and change articles', 'Read notes']) expect(page).toContain(shown);

  const members = (await (await fetch(app.url + '/openapi.org.json')).json()) as { paths: Record<string, Record<string, object>> };
  const { post } = members.paths['/api/v1/org/notes/notes'];
  expect(post).toMatchObject({ operationId: 'create_org_note', 'x-permission': 'notes.note.manage' });
});

it('their migrations match their entities', async () => {
  const changes = await app.inside<typeof import('./harness/schema-changes.js')>('test/harness/schema-changes.ts').schemaChanges();
  expect(changes.filter((query) => /notes|articles/.test(query))).toEqual([]);
});
`;

/** Tries commands one after the other in a process: to start one for each takes longer than they do. Prints why each was refused. */
const REFUSALS = `
import { COMMANDS } from './scripts/commands.mjs';
import { StepFailed } from './scripts/prepare.mjs';

const refusals = [];
for (const args of JSON.parse(process.argv[2]))
  await COMMANDS.new.run(args).then(
    () => refusals.push(null),
    (error) => refusals.push(error instanceof StepFailed ? error.message : String(error.stack)),
  );
console.log(JSON.stringify(refusals));
`;

const [EXISTING] = readdirSync(join(PROJECT_ROOT, 'src/modules'));

let copy: ProjectCopy;

beforeAll(() => void (copy = new ProjectCopy(['test/contract'])));
afterAll(() => copy.remove());

function newModule(...args: string[]) {
  return copy.run('scripts/new-module.mjs', ...args);
}

function newResource(...args: string[]) {
  return copy.run('scripts/work-suite.mjs', 'new', 'resource', ...args);
}

function expectRefusals(part: 'module' | 'resource', expected: [args: string[], reason: RegExp][]): void {
  writeFileSync(join(copy.root, 'refusals.mjs'), REFUSALS);
  const { stdout, stderr } = copy.run('refusals.mjs', JSON.stringify(expected.map(([args]) => [part, ...args])));
  expect(stderr).toBe('');
  const refusals = JSON.parse(stdout) as (string | null)[];
  expect(refusals).toEqual(expected.map(([, reason]) => expect.stringMatching(reason)));
  expect(refusals.map((refusal) => refusal?.split('\n').length)).toEqual(expected.map(() => 1));
}

/** The module of src/kit/README.md, as it is written there. */
function moduleOfReadme() {
  const page = readFileSync(join(PROJECT_ROOT, 'src/kit/README.md'), 'utf8');
  const files = [...page.matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```$/gm)].map(([, path, text]) => ({ path, text }));
  expect(files.length).toBeGreaterThan(8);
  // every block is a file
  expect(page.match(/^```ts$/gm)).toHaveLength(files.length);
  const [, path, text] = /`(src\/modules\/\S+\.json)`[^]*?^```json\n([^]*?)^```$/m.exec(page) ?? [];
  const command = /^npm run new:module (.+)$/m.exec(page)?.[1].replace('-- ', '').split(' ') ?? [];
  return { command, files: [...files, { path, text }] };
}

describe('npm run new:module', () => {
  it('rejects invalid names with one sentence', () => {
    const { status, stdout, stderr } = newModule();
    expect([status, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
    expect(stderr).toMatch(/^Use: npm run new:module <name>/);
    expectRefusals('module', [
      [['two', 'names'], /^Use: /],
      [['Notes'], /^"Notes" cannot be the name of a module: use lowercase letters/],
      [['../notes'], /^"\.\.\/notes" cannot be the name of a module/],
      [['pages'], /^"page" cannot be the name of a resource.*--resource\.$/],
      [[EXISTING], new RegExp(`^A module already exists in src/modules/${EXISTING}`)],
      [['todo', '--resource', 'task'], /^migrations\/\d{13}-tasks-tables\.ts already creates the table tasks/],
    ]);
    expect(readFileSync(join(copy.root, 'src/modules.ts'), 'utf8')).toBe(readFileSync(join(PROJECT_ROOT, 'src/modules.ts'), 'utf8'));
  });

  it('rejects resources that cannot be added to a module', () => {
    expectRefusals('resource', [
      [[EXISTING], /^Use: npm run new:resource <module> <name>/],
      [['absent', 'chapter'], /^There is no module in src\/modules\/absent: "new module absent" writes one\.$/],
      [[EXISTING, 'Chapter'], /^"Chapter" cannot be the name of a resource: use lowercase letters/],
      [[EXISTING, 'page'], /^"page" cannot be the name of a resource.*: choose another name\.$/],
      [[EXISTING, 'task-label'], /^migrations\/\d{13}-tasks-\S+\.ts already creates the table task_labels: choose another name\.$/],
    ]);
  });

  // together, because a build and the start of a run take most of the time
  it('creates modules that compile, import only the kit, pass their tests and appear in every catalog; so does the README', () => {
    expect(newModule('notes')).toMatchObject({ status: 0, stderr: '' });
    expect(newModule('knowledge-base', '--resource', 'article')).toMatchObject({ status: 0, stderr: '' });
    expect(newResource('notes', 'chapter')).toMatchObject({ status: 0, stderr: '' });
    for (const folder of ['notes', 'knowledge-base'])
      expect(importsOf(join(copy.root, 'src/modules', folder))).toEqual(['../../kit/index.js']);
    const written = ['src/modules/notes', 'src/modules/knowledge-base', 'src/modules.ts', 'migrations'];
    expect(copy.run('node_modules/oxfmt/bin/oxfmt', '--check', ...written).output).toContain('All matched files use the correct format');
    const { command, files } = moduleOfReadme();
    expect(newModule(...command)).toMatchObject({ status: 0, stderr: '' });
    for (const { path, text } of files) writeFileSync(join(copy.root, path), text);
    // names the new modules, as only they themselves may
    rmSync(join(copy.root, 'test/contract/new-module.spec.ts'));

    // what is new, with all that it imports: the check of the types compiles the rest, and specs would import it; they run below
    const migrations = readdirSync(join(copy.root, 'migrations')).filter((file) => !existsSync(join(PROJECT_ROOT, 'migrations', file)));
    const added = ['notes', 'knowledge-base', command[0]].map((folder) => `src/modules/${folder}`);
    const include = [...added, ...migrations.map((file) => `migrations/${file}`)];
    writeFileSync(
      join(copy.root, 'tsconfig.new.json'),
      JSON.stringify({ extends: './tsconfig.json', include, exclude: ['**/*spec.ts', '**/testing'] }),
    );
    const tsc = copy.run('node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.new.json', '--singleThreaded');
    expect(tsc.output).toBe('');

    writeFileSync(join(copy.root, 'test/probe.e2e-spec.ts'), PROBE);
    // of an earlier build, with whose bundle a suite may run
    const [bundled, removed] = ['dist/bundle/earlier/part.cjs', 'dist/src/removed.js'].map((path) => join(copy.root, path));
    for (const path of [bundled, removed]) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '');
    }
    const jest = copy.run(
      // as this run has them
      ...process.execArgv,
      'node_modules/jest/bin/jest.js',
      '--silent',
      '--runInBand',
      'src/modules/notes/',
      'src/modules/knowledge-base/knowledge-base.spec.ts',
      'test/probe.e2e-spec.ts',
      `src/modules/${command[0]}/`,
      'test/contract/sql.spec.ts',
      'test/contract/module-names.spec.ts',
    );
    expect(jest.status === 0 ? '' : jest.output).toBe('');
    expect(jest.output).toContain('Test Suites: 10 passed, 10 total');
    expect([existsSync(bundled), existsSync(removed)]).toEqual([true, false]);
  }, 240_000);
});

/** The relative imports of a module's production files from outside its folder. */
function importsOf(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => !file.endsWith('spec.ts'));
  const imported = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/from '(\.\.\/[^']+)'/g)].map(([, path]) => path),
  );
  return [...new Set(imported)];
}
