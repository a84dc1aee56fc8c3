import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, dirname } from 'node:path';

const packages = createRequire(import.meta.url);

/** Typefaces under the SIL Open Font License, one file for each script: browsers load those that a page needs. */
const TYPEFACES = ['inter', 'jetbrains-mono'].map((name) => {
  const sheet = packages.resolve(`@fontsource-variable/${name}/wght.css`);
  return { folder: dirname(sheet), css: readFileSync(sheet, 'utf8') };
});

const FILE = /url\(\.\/files\/([\w-]+\.woff2)\)/g;

/** Their rules, with addresses below `/styles`. */
export const TYPEFACE_RULES = TYPEFACES.map(({ css }) => css.replace(/\/\*.*?\*\//g, '').replace(FILE, 'url(/styles/$1)')).join('');

const paths = new Map(
  TYPEFACES.flatMap(({ folder, css }) => [...css.matchAll(FILE)].map(([, file]) => [file, join(folder, 'files', file)] as const)),
);

/** The file that most pages need. */
export const TEXT_FACE = 'inter-latin-wght-normal.woff2';

/** The path of a typeface's file; undefined if it is none. */
export function typefacePath(file: string): string | undefined {
  return paths.get(file);
}
