import { fileURLToPath } from 'node:url';

const COMPILED = /^.*[\\/]dist[\\/]((?:src|migrations)[\\/].*|suite\.config)\.js$/;

/** The source of a compiled file of the project, below it. */
export function sourceOf(compiled: string): string {
  return /[\\/]node_modules[\\/]/.test(compiled) ? compiled : compiled.replace(COMPILED, '$1.ts');
}

/** For a sentence, the source of a manifest's file in parentheses after a space; empty for one of the bundle. */
export function placeOfManifest(file: string | null): string {
  return file?.startsWith('file:///') ? ` (${sourceOf(fileURLToPath(file))})` : '';
}
