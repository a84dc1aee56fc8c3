import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { DemoFacts } from '../../src/demo/demo-file.js';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { Client } from '../harness/client.js';
import { eventually } from '../harness/eventually.js';
import { freePort } from '../harness/free-port.js';

// What a team does with nothing but the packed file, Node and npm, in a folder outside of this repository. Each test goes on from the one
// before; the packages come from the registry that npm is configured for, or from its cache.

const MINUTES = 60_000;
const PACKED = /work-suite-[\d.]+\.tgz/;

const folder = mkdtempSync(join(tmpdir(), 'work-suite-team-'));
let project = join(folder, 'acme-suite');
let tarball = '';
let running: ChildProcess | undefined;

afterEach(stop);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** In this process's environment, but as a new user would have it. */
function environment(more: Record<string, string> = {}): Record<string, string | undefined> {
  const given = Object.entries(process.env).filter(([name]) => !/^(TEST_|npm_|JEST|NODE_|DATABASE_URL|REDIS_URL|DATA_DIR)/.test(name));
  const path = process.env['PATH']?.split(':').filter((part) => !part.includes('node_modules'));
  return { ...Object.fromEntries(given), PATH: path?.join(':'), ...more };
}

/** Runs a command to its end, which must be good. */
function run(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env: environment() });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}

const install = (cwd: string, ...packages: string[]) =>
  run(cwd, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...packages);

/** What a start prints and does until it is ready or ends. */
async function start(script = 'start'): Promise<{ port: number; client: Client; output(): string }> {
  const port = await freePort();
  running = spawn('npm', ['run', script], { cwd: project, env: environment({ PORT: String(port) }), detached: true });
  let output = '';
  running.stdout?.on('data', (chunk) => (output += chunk));
  running.stderr?.on('data', (chunk) => (output += chunk));
  const client = new Client(`http://127.0.0.1:${port}`);
  const isReady = () =>
    client.get('/health/ready').then(
      ({ status }) => status === 200 || running?.exitCode !== null,
      () => running?.exitCode !== null,
    );
  await eventually(isReady, (is) => is, 3 * MINUTES);
  if (running.exitCode !== null) throw new Error(`npm run ${script} ended with ${running.exitCode}:\n${output}`);
  return { port, client, output: () => output };
}

async function stop(): Promise<void> {
  if (running?.pid === undefined || running.exitCode !== null || running.signalCode !== null) return;
  const ended = once(running, 'exit');
  // npm and what it runs
  process.kill(-running.pid, 'SIGINT');
  await ended;
  running = undefined;
}

/** A key of the demo, with all scopes of a module. */
async function keyOf(title: string, client: Client): Promise<Client> {
  const file = join(project, '.data', 'demo.json');
  const keys = () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoFacts).keys : []);
  const found = await eventually(
    () => Promise.resolve(keys().find(({ name }) => name === `${title}, test, full`)),
    (key) => key !== undefined,
    2 * MINUTES,
  );
  return client.with({ authorization: `Bearer ${found?.secret}` });
}

/** The sentence with which a start fails. */
function failure(): string {
  const { status, stderr } = spawnSync('npm', ['start', '--silent'], { cwd: project, encoding: 'utf8', env: environment({ PORT: '0' }) });
  expect(status).toBe(1);
  return stderr.trim();
}

function configure(change: (text: string) => string): void {
  const file = join(project, 'suite.config.ts');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** Of a module of the team, for rows of a built-in one. */
const COMPLETE_TASK = `
import { BeforeWrite, type BeforeWriteHandler, type Ctx, type RowWrite, type Tx } from 'work-suite/kit';
import { Task } from 'work-suite/modules/tasks';

@BeforeWrite(Task)
export class CompleteTask implements BeforeWriteHandler<Task> {
  beforeWrite(_ctx: Ctx, _tx: Tx, { kind, values }: RowWrite<Task>): void {
    if (kind === 'insert') values.title += ' (by notes)';
  }
}
`;

/** The package of an earlier commit: UPGRADE_FROM, or the last that released a version, of those that can write a project. */
function packedBefore(): string {
  const last = (...args: string[]) => run(PROJECT_ROOT, 'git', 'log', '-1', '--format=%H', ...args).trim();
  const released = last('-G"version":', '--', 'package.json');
  const commit = process.env['UPGRADE_FROM'] ?? last('--no-walk', released, last('--diff-filter=A', '--', 'scripts/new-project.mjs'));
  const [source, archive] = [join(folder, 'earlier'), join(folder, 'earlier.tar')];
  mkdirSync(source);
  run(PROJECT_ROOT, 'git', 'archive', '--output', archive, commit);
  run(source, 'tar', '-xf', archive);
  run(source, 'npm', 'ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  return join(source, PACKED.exec(run(source, 'npm', 'pack'))![0]);
}

describe('a team', () => {
  test(
    'packs the suite, whose exports and types are in order',
    () => {
      const printed = run(PROJECT_ROOT, 'npm', 'pack', '--pack-destination', folder);
      tarball = join(folder, PACKED.exec(printed)![0]);
      run(folder, 'npx', '--yes', '--prefer-offline', 'publint', tarball, '--strict');
      run(folder, 'npx', '--yes', '--prefer-offline', '@arethetypeswrong/cli', tarball, '--profile', 'esm-only');
    },
    15 * MINUTES,
  );

  test(
    'writes a project, which starts within a minute of its installation',
    async () => {
      run(folder, 'npx', '--yes', `./create-${basename(tarball)}`, 'acme-suite');
      install(project);
      run(folder, join(project, 'node_modules', '.bin', 'work-suite'), 'new', 'same-suite', '--suite', tarball);
      const filesIn = (path: string) =>
        readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => !/node_modules|lock/.test(name));
      const named = (path: string) =>
        filesIn(path)
          .map((name) => name.replace(/\d{13}/, ''))
          .sort();
      expect(named(join(folder, 'same-suite'))).toEqual(named(project));
      const lastIn = (path: string) => readdirSync(path).sort().at(-1)!.slice(0, 13);
      expect(lastIn(join(project, 'migrations')) > lastIn(join(PROJECT_ROOT, 'migrations'))).toBe(true);
      const { client } = await start();
      const notes = await keyOf('Notes', client);
      const created = await notes.post('/api/v1/ext/notes/notes', { title: 'By REST' });
      expect([created.status, created.body.title]).toEqual([201, 'By REST']);
      const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
      const call = { name: 'create_note', arguments: { title: 'By MCP' } };
      const tool = await notes.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }, headers);
      expect(tool.body.result.isError ?? false).toBe(false);
      expect((await notes.get('/api/v1/ext/notes/notes?sort=title')).body.data.map(({ title }: { title: string }) => title)).toEqual([
        'By MCP',
        'By REST',
      ]);
      const { version } = JSON.parse(readFileSync(join(project, 'node_modules', 'work-suite', 'package.json'), 'utf8')) as {
        version: string;
      };
      expect((await client.get('/openapi.json')).body.info.version).toBe(version);
    },
    15 * MINUTES,
  );

  test(
    'runs its tests and the compiler',
    () => {
      expect(run(project, 'npm', 'test')).toContain('Checks:      1 passed, 1 total');
    },
    15 * MINUTES,
  );

  test(
    'adds a module in a folder and one in a package, and removes one',
    async () => {
      run(project, 'npx', 'work-suite', 'new', 'module', 'knowledge-base', '--resource', 'article');
      run(folder, join(project, 'node_modules', '.bin', 'work-suite'), 'new', 'module', 'fleet', '--package');
      install(join(folder, 'fleet'));
      run(join(folder, 'fleet'), 'npm', 'pack');
      install(project, join('..', 'fleet', 'suite-fleet-1.0.0.tgz'));
      configure((text) => text.replace('KnowledgeBaseModule]', `KnowledgeBaseModule, 'suite-fleet']`));
      const { client } = await start();
      const articles = await keyOf('Knowledge base', client);
      expect((await articles.post('/api/v1/ext/knowledge_base/articles', { title: 'How to' })).status).toBe(201);
      const fleets = await keyOf('Fleet', client);
      expect((await fleets.post('/api/v1/ext/fleet/fleets', { title: 'Lorries' })).status).toBe(201);
      await stop();

      configure((text) => text.replace(`, 'suite-fleet'`, ''));
      const { output } = await start();
      expect(output()).toContain('The module fleet ran on this database and is not in suite.config.ts any more. Its tables stay: fleets.');
    },
    15 * MINUTES,
  );

  test(
    'adds a resource, drafts a migration of its entities, and completes the tasks of the built-in module',
    async () => {
      const suite = (...args: string[]) => run(project, 'npx', 'work-suite', ...args);
      suite('new', 'resource', 'notes', 'chapter');
      const entity = join(project, 'src', 'modules', 'notes', 'chapter.entity.ts');
      const column = `  @Column('integer', { default: 1 })\n  position: number;\n\n  @Column('text')\n  title: string;`;
      writeFileSync(entity, readFileSync(entity, 'utf8').replace(`  @Column('text')\n  title: string;`, column));
      expect(suite('new', 'migration', 'notes', 'positions')).toMatch(/Drafted migrations\/\d+-notes-positions\.ts: 1 statement/);
      const again = spawnSync('npx', ['work-suite', 'new', 'migration', 'notes'], { cwd: project, encoding: 'utf8', env: environment() });
      expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('there is nothing to draft')]);
      writeFileSync(join(project, 'src', 'modules', 'notes', 'complete-task.ts'), COMPLETE_TASK);
      const manifest = join(project, 'src', 'modules', 'notes', 'notes.module.ts');
      const text = readFileSync(manifest, 'utf8').replace('  providers:', '  beforeWrite: [CompleteTask],\n  providers:');
      writeFileSync(manifest, `import { CompleteTask } from './complete-task.js';\n${text}`);
      run(project, 'npx', 'tsc', '-p', '.', '--noEmit');
      const { client } = await start();
      // the key of the module is older than the resource, whose scopes it got at this start
      await eventually(
        async () => (await (await keyOf('Notes', client)).get('/api/v1/ext/notes/chapters')).status,
        (status) => status === 200,
      );
      const tasks = await keyOf('Tasks', client);
      const created = await tasks.post('/api/v1/ext/tasks/tasks', { title: 'Call Emma' });
      expect([created.status, created.body.title]).toEqual([201, 'Call Emma (by notes)']);
    },
    15 * MINUTES,
  );

  test(
    'gets one sentence for each mistake in its configuration',
    () => {
      const good = readFileSync(join(project, 'suite.config.ts'), 'utf8');
      const mistakes: [string, string, RegExp][] = [
        ['...builtIn()', `...builtIn({ without: ['hrm'] })`, /^suite\.config\.ts leaves out "hrm", which is no built-in module/],
        ['NotesModule,', 'NotesModule, NotesModule,', /^suite\.config\.ts lists the module notes twice/],
        [
          'NotesModule,',
          `NotesModule, '@acme/suite-absent',`,
          /^suite\.config\.ts lists the package @acme\/suite-absent, which is not installed/,
        ],
        ['export default defineSuite', 'export const suite = defineSuite', /^suite\.config\.ts has no default export/],
        [
          'export default',
          `throw new Error('no port');\nexport default`,
          /^suite\.config\.ts cannot be loaded: no port \(.*suite\.config\.ts:\d+\)/,
        ],
      ];
      for (const [from, to, sentence] of mistakes) {
        configure((text) => text.replace(from, to));
        expect(failure()).toMatch(sentence);
        writeFileSync(join(project, 'suite.config.ts'), good);
      }
    },
    15 * MINUTES,
  );

  test(
    'moves a project with data from an earlier package to this one by an installation',
    async () => {
      const earlier = packedBefore();
      project = join(folder, 'old-suite');
      run(folder, 'npx', '--yes', '--prefer-offline', '--ignore-scripts', `--package=${earlier}`, 'work-suite', 'new', 'old-suite');
      install(project);
      const before = await start();
      const created = await (await keyOf('Notes', before.client)).post('/api/v1/ext/notes/notes', { title: 'Older than the upgrade' });
      const task = await (await keyOf('Tasks', before.client)).post('/api/v1/ext/tasks/tasks', { title: 'Older, too' });
      expect([created.status, task.status]).toEqual([201, 201]);
      await stop();

      install(project, tarball);
      const { client, output } = await start();
      const found = await (await keyOf('Notes', client)).get(`/api/v1/ext/notes/notes/${created.body.id}`);
      expect([found.status, found.body]).toEqual([200, created.body]);
      const tasks = await keyOf('Tasks', client);
      expect((await tasks.get(`/api/v1/ext/tasks/tasks/${task.body.id}`)).body.title).toBe('Older, too');
      expect((await tasks.post('/api/v1/ext/tasks/tasks', { title: 'Newer' })).status).toBe(201);
      // a slow statement is logged with its text, in which columns may be named error
      expect(output()).not.toMatch(/\bERROR\b|Error:/);
      const ofSuite = readFileSync(join(project, 'node_modules', 'work-suite', 'dist', 'source-commit'), 'utf8').trim();
      expect(ofSuite).toBe(run(PROJECT_ROOT, 'git', 'rev-parse', 'HEAD').trim());
    },
    30 * MINUTES,
  );
});
