import { fileURLToPath } from 'node:url';

const COMPILED = /^.*[\\/]dist[\\/]((?:src|migrations)[\\/].*|suite\.config)\.js$/;

/** The source of a compiled file of the project, below it. */
export function sourceOf(compiled: string): string {
  return /[\\/]node_modules[\\/]/.test(compiled) ? compiled : compiled.replace(COMPILED, '$1.ts');
}

/** The source of a manifest's file; null for one of the bundle. */
export function sourceOfManifest(file: string | null): string | null {
  return file?.startsWith('file:///') ? sourceOf(fileURLToPath(file)) : null;
}
