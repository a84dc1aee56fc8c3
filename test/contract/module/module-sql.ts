import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file of a module that lists what its SQL reaches beyond its caller: by file, each use with its reason or entity. */
const LIST = 'sql.allowed.json';

/** Specs, and what they share. */
const NOT_PRODUCT = /spec\.ts$|^testing[\\/]/;

type Uses = Readonly<Record<string, readonly string[]>>;

// without a reason, an entity manager's statements are checked like all others
const WAYS = /(?:\.(unscoped)|\b(entityManager(?!\(\))|inBothModes|inAllProjects|inOrganization))\b(?:\(\s*'([^'\n]+)')?/g;
const DUE_PROJECTS = /\b(projectsWith)\((?:(\w+),)?/g;

/**
 * What is wrong with the list of a module's folder; a module outside of this repository calls it in a test of its own.
 *
 * @example
 * ```ts
 * import { expect, test } from '@jest/globals';
 * import { sqlFaults } from 'work-suite/testing';
 *
 * test('SQL that is not restricted to its tenant is listed with a reason', () => {
 *   expect(sqlFaults('src/modules/notes')).toEqual([]);
 * });
 * ```
 */
export function sqlFaults(folder: string): string[] {
  const texts = Object.fromEntries(codeOf(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  const list = join(folder, LIST);
  return listFaults(texts, existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Uses) : {});
}

/** The files of a module's folder without its tests, from there. */
export function codeOf(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return all.filter((path) => path.endsWith('.ts') && !NOT_PRODUCT.test(path)).sort();
}

/** By the text of each file. */
export function listFaults(texts: Readonly<Record<string, string>>, listed: Uses): string[] {
  const files = [...new Set([...Object.keys(texts), ...Object.keys(listed)])];
  return files.flatMap((file) => {
    const text = texts[file] ?? '';
    const ways = [...text.matchAll(WAYS)].map(([, unscoped, other, reason]) => ({ way: unscoped ?? other, reason }));
    const due = [...text.matchAll(DUE_PROJECTS)].map(([, way, entity]) => ({ way, reason: entity }));
    const uses = [...ways, ...due];
    const found = uses.filter(({ reason }) => reason !== undefined).map(({ way, reason }) => `${way}: ${reason}`);
    return [
      ...uses.filter(({ reason }) => reason === undefined).map(({ way }) => `${file}: ${way} needs its reason as a literal`),
      ...without(found, listed[file] ?? []).map((use) => `${file}: "${use}" is missing from ${LIST}`),
      ...without(listed[file] ?? [], found).map((use) => `${file}: "${use}" is in ${LIST}, but not in the code`),
    ];
  });
}

/** The items of a list without those of another, each as often as there. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const rest = [...other];
  return list.filter((item) => {
    const at = rest.indexOf(item);
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
}
