import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';

/** The TypeScript files of a folder, tests included, from the project's root. */
export function sourceFiles(folder = 'src'): string[] {
  return readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

/** Specs, and what they share within a module. */
export const TEST_FILE = /spec\.ts$|^src\/modules\/[^/]+\/testing\//;

export function productFiles(): string[] {
  return sourceFiles().filter((path) => !TEST_FILE.test(path));
}

export function textOf(path: string): string {
  return readFileSync(join(PROJECT_ROOT, path), 'utf8');
}
