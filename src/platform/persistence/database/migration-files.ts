import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MigrationInterface } from 'typeorm';
import { ConfigError } from '../../../kit/index.js';
import { sourceOf } from '../../../kit/internal.js';
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

/**
 * The migrations in the folders, oldest first; the names of their files start with their timestamps.
 * @throws ConfigError naming a file that cannot be loaded or is no migration
 */
export function loadMigrations(folders: readonly MigrationFolder[]): Promise<MigrationClass[]> {
  return Promise.all(migrationFiles(folders).map(classIn));
}

async function classIn({ path, timestamp }: MigrationFile): Promise<MigrationClass> {
  const exported = await import(pathToFileURL(path).href).then(
    (module: object) => Object.values(module) as unknown[],
    (error: Error) => {
      throw new ConfigError(`The migration ${sourceOf(path)} cannot be loaded: ${error.message}`, { cause: error });
    },
  );
  const [migration] = exported;
  // TypeORM reads the timestamp from the name of the class
  if (exported.length !== 1 || typeof migration !== 'function' || !migration.name.endsWith(timestamp))
    throw new ConfigError(`The migration ${sourceOf(path)} must export one class, whose name ends with ${timestamp}, and nothing else.`);
  return migration as MigrationClass;
}

/** @throws ConfigError naming two files with one timestamp, whose order nobody could know, or one whose name does not say what it is */
export function migrationFiles(folders: readonly MigrationFolder[]): MigrationFile[] {
  const files = new Map<string, MigrationFile>();
  for (const { path: folder, module } of folders)
    for (const file of readdirSync(folder)) {
      const path = join(folder, file);
      const [, name] = /^(.*)(?<!\.d)\.[tj]s$/.exec(file) ?? [];
      if (name === undefined) continue;
      const [, timestamp] = /^(\d{13})-./.exec(name) ?? [];
      if (timestamp === undefined)
        throw new ConfigError(
          `The migration ${sourceOf(path)} must be named <timestamp>-<module>-<change>, with a timestamp of 13 digits: ` +
            '"work-suite new migration <module>" writes one.',
        );
      if (module !== null && !name.startsWith(`${timestamp}-${module.replaceAll('_', '-')}-`))
        throw new ConfigError(
          `The migration ${path} of the module ${module} must be named <timestamp>-${module.replaceAll('_', '-')}-<change>.`,
        );
      const other = files.get(timestamp);
      if (other)
        throw new ConfigError(`The migrations ${sourceOf(other.path)} and ${sourceOf(path)} have one timestamp: rename the newer one.`);
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
