import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the suite's package.json, for code in `src` (jest) as well as in `dist/src`. */
export const PACKAGE_ROOT = packageAbove(dirname(fileURLToPath(import.meta.url)));

/** The folder of the project that runs: that of the nearest `suite.config.ts`, above the working directory. */
export const PROJECT_ROOT = projectAbove(process.cwd()) ?? PACKAGE_ROOT;

function packageAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('There is no package.json above the running code.');
  return packageAbove(parent);
}

function projectAbove(folder: string): string | undefined {
  if (['suite.config.ts', join('dist', 'suite.config.js')].some((file) => existsSync(join(folder, file)))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : projectAbove(parent);
}
