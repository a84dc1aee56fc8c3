import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';

const FLAG = /--[a-z-]+(?:=\d+)?/g;

function flags(file: string, line: RegExp): string[] {
  const found = line.exec(readFileSync(join(PROJECT_ROOT, file), 'utf8'))?.[1];
  if (found === undefined) throw new Error(`${file} has no line ${line}.`);
  return found.match(FLAG) ?? [];
}

it('npm start, the image, its compile cache and the benchmarks run Node with the same arguments', () => {
  const ours = flags('scripts/start.mjs', /^export const HEAP = (.*);$/m);
  expect(ours).toContain('--expose-gc');
  expect(flags('docker/entrypoint.sh', /^ +exec node (--.*main\.js)" "\$@"$/m)).toEqual(ours);
  // the cache is valid for one set of arguments only
  expect(flags('docker/Dockerfile', /^RUN node (--.*) \\$/m)).toEqual(ours);
  expect(flags('test/bench/server.ts', /^const NODE_ARGUMENTS = (.*);$/m)).toEqual(ours);
});

it.each(['main.js', join('cli', 'main.js')])('%s tells which Node it needs', (file) => {
  // its modules have fewer exports, and it links before it runs
  const old = `data:text/javascript,
    import { registerHooks } from 'node:module';
    Object.defineProperty(process.versions, 'node', { value: '20.20.2' });
    const exported = 'data:text/javascript,export { default, createRequire } from "node:module"';
    registerHooks({
      resolve: (name, context, next) => next(name === 'node:module' && context.parentURL.startsWith('file:') ? exported : name, context),
    });`;
  const { status, stderr } = spawnSync(process.execPath, ['--import', old, join(PROJECT_ROOT, 'dist', 'src', file)], { encoding: 'utf8' });
  expect([status, stderr.trim()]).toEqual([
    1,
    expect.stringMatching(/^Work suite needs Node 22\.15 or newer; this is 20\.20\.2\. .*npm start/),
  ]);
});

it('npm run check:module tells how to use it', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(PROJECT_ROOT, 'scripts', 'check-module.mjs')], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('Use: npm run check:module <folder>')]);
});
