import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MigrationInterface } from 'typeorm';
import { ConfigError } from '../../../kit/index.js';
import { queryOnce } from '../connections/query-once.js';

const UNDEFINED_TABLE = '42P01';

/** A folder with migrations, and the module to which all of them belong; null if the names of the files say it. */
export interface MigrationFolder {
  readonly path: string;
  readonly module: string | null;
}

export interface MigrationFile {
  readonly timestamp: string;
  /** Without the extension: <timestamp>-<module>-<what-changes>. */
  readonly name: string;
  readonly path: string;
}

export type MigrationClass = new () => MigrationInterface;

/** The migrations in the folders, oldest first; the names of their files start with their timestamps. */
export async function loadMigrations(folders: readonly MigrationFolder[]): Promise<MigrationClass[]> {
  const modules = await Promise.all(
    migrationFiles(folders).map(({ path }) => import(pathToFileURL(path).href) as Promise<Record<string, MigrationClass>>),
  );
  return modules.flatMap((module) => Object.values(module));
}

/** @throws ConfigError naming two files with one timestamp, whose order nobody could know, or one that does not name its module */
export function migrationFiles(folders: readonly MigrationFolder[]): MigrationFile[] {
  const files = new Map<string, MigrationFile>();
  for (const { path: folder, module } of folders)
    for (const file of readdirSync(folder)) {
      const [, name, timestamp] = /^((\d{13})-.*)(?<!\.d)\.[tj]s$/.exec(file) ?? [];
      if (name === undefined || timestamp === undefined) continue;
      const path = join(folder, file);
      if (module !== null && !name.startsWith(`${timestamp}-${module.replaceAll('_', '-')}-`))
        throw new ConfigError(
          `The migration ${path} of the module ${module} must be named <timestamp>-${module.replaceAll('_', '-')}-<change>.`,
        );
      const other = files.get(timestamp);
      if (other) throw new ConfigError(`The migrations ${other.path} and ${path} have one timestamp: rename the newer one.`);
      files.set(timestamp, { timestamp, name, path });
    }
  return [...files.values()].sort((one, other) => Number(one.timestamp) - Number(other.timestamp));
}

/** The migrations that the database lacks. Nothing is loaded, because that takes longer than asking. */
export async function pendingMigrations(url: string, folders: readonly MigrationFolder[]): Promise<MigrationFile[]> {
  const files = migrationFiles(folders);
  const applied = new Set(await appliedTimestamps(url));
  return files.filter(({ timestamp }) => !applied.has(timestamp));
}

/** Those of the migrations that the database has, oldest first. */
export async function appliedTimestamps(url: string): Promise<string[]> {
  try {
    const rows = await queryOnce<{ timestamp: string }>(
      { connectionString: url },
      'SELECT "timestamp"::text FROM migrations ORDER BY migrations."timestamp"',
    );
    return rows.map(({ timestamp }) => timestamp);
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
    throw error;
  }
}
