import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT, PROJECT_ROOT } from '../platform/config/project-root.js';
import type { MigrationFolder } from '../platform/persistence/database/migration-files.js';

/** The compiled migrations of the suite, of the project and of modules that are packages. They run in one order, by their timestamps. */
export function migrationFolders(ofPackages: readonly MigrationFolder[]): readonly MigrationFolder[] {
  const own = [...new Set([PACKAGE_ROOT, PROJECT_ROOT])].map((root) => ({ path: join(root, 'dist', 'migrations'), module: null }));
  return [...own.filter(({ path }) => existsSync(path)), ...ofPackages];
}
