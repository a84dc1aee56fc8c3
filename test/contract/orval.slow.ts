import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { sharedApp } from '../harness/hosted-app.js';

// orval and axios take 64 MB, so they come from npm's registry or cache when this runs. The other generators are devDependencies:
// test/journeys/typed-client.spec.ts.

const MINUTES = 60_000;
const PACKAGES = ['orval@8.38.0', 'axios@1'];

const app = await sharedApp();
const folder = mkdtempSync(join(tmpdir(), 'work-suite-orval-'));
const env = { ...process.env, NODE_OPTIONS: '' };

async function run(command: string, ...args: string[]): Promise<void> {
  try {
    await promisify(execFile)(command, args, { cwd: folder, env });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${stdout}\n${stderr}`, { cause: error });
  }
}

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  await run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...PACKAGES);
}, 10 * MINUTES);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['axios', {}],
  // its fetch client cannot send a body that is either JSON or one file
  ['fetch', { contentType: { exclude: ['application/pdf'] } }],
])(
  'a client that orval generates for %s compiles',
  async (client, override) => {
    const suite = { input: { target: `${app.url}/openapi.json` }, output: { target: `./${client}.ts`, client, override } };
    writeFileSync(join(folder, `${client}.config.mjs`), `export default ${JSON.stringify({ suite })};`);
    await run(process.execPath, join('node_modules', '.bin', 'orval'), '--config', `./${client}.config.mjs`);
    const tsc = join(PROJECT_ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
    const options = ['--strict', '--skipLibCheck', '--noEmit', '--target', 'es2024', '--module', 'preserve', '--types', ''];
    await run(process.execPath, tsc, '--singleThreaded', ...options, '--lib', 'es2024,dom,dom.iterable', `${client}.ts`);
    expect(readFileSync(join(folder, `${client}.ts`), 'utf8')).toMatch(/^export interface TaskList \{/m);
  },
  5 * MINUTES,
);
