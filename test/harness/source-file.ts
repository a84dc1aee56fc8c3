import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';

/** This repository, or what it was compiled to in the package. */
const HERE = join(import.meta.dirname, '..', '..');

/** The path of a source file that is named from the root of this repository, or from that of a project that uses the package. */
export function sourceFile(file: string): string {
  const own = [file, file.replace(/\.ts$/, '.js')].map((name) => join(HERE, name));
  return own.find((path) => existsSync(path)) ?? join(PROJECT_ROOT, file);
}
