import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { sharedApp } from '../harness/hosted-app.js';
import { explainSkippedTests } from '../harness/skipped-tests.js';

// The Python example of src/client/README.md, by its own commands.

const GENERATOR = 'openapi-python-client';
const README = readFileSync(join(PROJECT_ROOT, 'src', 'client', 'README.md'), 'utf8');

function block(language: string, containing: string): string {
  const blocks = [...README.matchAll(/```(\w+)\n([^]*?)```/g)].filter(([, of]) => of === language).map(([, , text]) => text);
  const found = blocks.find((text) => text.includes(containing));
  if (found === undefined) throw new Error(`The README has no ${language} with ${containing}.`);
  return found;
}

const why = ((): string | null => {
  const { status } = spawnSync(GENERATOR, ['--version']);
  if (status !== 0) return `${GENERATOR} is not installed (pipx install ${GENERATOR})`;
  const packages = spawnSync('python3', ['-c', 'import attrs, httpx']);
  return packages.status === 0 ? null : 'python3 has no attrs and httpx (pip install attrs httpx)';
})();
if (why !== null) explainSkippedTests(`The Python client is not tested: ${why}.`);
const app = why === null ? await sharedApp() : null;

test('what the example of the README says is the whole of it', () => {
  const [command, config, example] = [block('sh', GENERATOR), block('yaml', 'overrides'), block('python', 'client')];
  expect(command).toContain('--config client.yaml');
  const [, name] = /package_name_override: (\w+)/.exec(config)!;
  for (const [, from] of example.matchAll(/^from (\w+)/gm)) expect(from).toBe(name);
});

(why === null ? test : test.skip)(
  'openapi-python-client generates a client that creates a task and finds it',
  async () => {
    const { secret } = await (await app!.workspace()).key({ module: 'tasks' });
    const folder = mkdtempSync(join(tmpdir(), 'work-suite-python-'));
    const local = (text: string) => text.replaceAll('http://localhost:3000', app!.url);
    const run = (command: string, args: string[]) => {
      const env = { ...process.env, TASKS_KEY: secret };
      const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env });
      if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}\n${stderr}`);
      return stdout;
    };
    try {
      writeFileSync(join(folder, 'client.yaml'), block('yaml', 'overrides'));
      writeFileSync(join(folder, 'example.py'), local(block('python', 'client')));
      const [command, ...args] = local(block('sh', GENERATOR)).trim().split(' ');
      run(command, args);
      expect(run('python3', ['example.py']).split('\n')).toEqual([
        expect.stringMatching(/^[A-Z]+-\d+ Call Emma$/),
        expect.stringContaining("'Call Emma'"),
        '',
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  300_000,
);
