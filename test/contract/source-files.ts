import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';

/** The TypeScript files of src, tests included, from the project's root. */
export function sourceFiles(): string[] {
  return readdirSync(join(PROJECT_ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name));
}

export function productFiles(): string[] {
  return sourceFiles().filter((path) => !path.endsWith('spec.ts'));
}

export function textOf(path: string): string {
  return readFileSync(join(PROJECT_ROOT, path), 'utf8');
}
