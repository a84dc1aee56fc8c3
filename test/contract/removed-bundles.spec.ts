import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';

const PREPARE = pathToFileURL(join(PROJECT_ROOT, 'scripts', 'prepare.mjs')).href;

it('a build keeps the bundles of running processes, and removes those of ended ones', () => {
  const dist = mkdtempSync(join(tmpdir(), 'bundles-'));
  const write = (path: string, content: string) => {
    mkdirSync(join(dist, path, '..'), { recursive: true });
    writeFileSync(join(dist, path), content);
  };
  try {
    for (const name of ['last', 'running', 'ended', 'unused']) write(`bundle/${name}/start.cjs`, '');
    write('bundle/current', 'last');
    write(`in-use/${process.pid}`, 'running');
    const ended = spawnSync(process.execPath, ['--version']).pid;
    write(`in-use/${ended}`, 'ended');
    const script = `const { removeUnusedBundles } = await import('${PREPARE}'); removeUnusedBundles(${JSON.stringify(dist)});`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(readdirSync(join(dist, 'bundle')).sort()).toEqual(['current', 'last', 'running']);
    expect(readdirSync(join(dist, 'in-use'))).toEqual([String(process.pid)]);
  } finally {
    rmSync(dist, { recursive: true });
  }
});
