import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';

const COPIED = [
  'package.json',
  'suite.config.ts',
  '.oxfmtrc.json',
  '.swcrc',
  'tsconfig.json',
  'jest.config.mjs',
  'config',
  'migrations',
  'scripts',
  'src',
  'test/contract',
  'test/harness',
  'test/index.ts',
  'test/mcp/search-questions.ts',
  'test/mcp/ts-loader.mjs',
];

/** A copy of the project without tests, in which modules can be added. */
export class ProjectCopy {
  readonly root = mkdtempSync(join(tmpdir(), 'work-suite-copy-'));

  /** `more`: folders that are copied with their tests. */
  constructor(more: readonly string[] = []) {
    for (const path of [...COPIED, ...more]) {
      const filter = (source: string) => more.includes(path) || !/\.(e2e-)?spec\.ts$/.test(source);
      cpSync(join(PROJECT_ROOT, path), join(this.root, path), { recursive: true, filter });
    }
    symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(this.root, 'node_modules'));
  }

  /** Runs a script with Node. */
  run(...args: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: this.root,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, CI: undefined, DATABASE_URL: process.env.TEST_SERVER_URL },
    });
    return { status, stdout, stderr, output: stdout + stderr };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
