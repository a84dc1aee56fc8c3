import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { suggestion } from '../../../src/platform/registry/near-matches.js';
import type { DescribedModule } from './module-routes.js';
import { codeOf, sqlFaults } from './module-sql.js';

const FORM = String.raw`['"\x60]([a-z_]+(?:\.[a-z_]+){2})['"\x60]`;
const NAMED = new RegExp(FORM, 'g');
/** Where a name can be nothing else. */
const ASKED = new RegExp(String.raw`(?:\b(?:permissions|held)\.has\(|\bcan\(\[?|\bpermissions?: \[?|\bwithPermission\(\w+, )${FORM}`, 'g');

/** Checks what calls do not show: SQL that reaches beyond the caller is listed, and the permissions that code asks for exist. */
export function checkSources({ name, permissions }: DescribedModule): void {
  const folder = folderOf(name, dirname(expect.getState().testPath ?? ''));
  if (folder === null) return;
  test('its code reaches beyond the caller only as sql.allowed.json lists', () => expect(sqlFaults(folder)).toEqual([]));
  test('its code asks for permissions that manifests declare', () => {
    const texts = codeOf(folder).map((path): [string, string] => [path, readFileSync(join(folder, path), 'utf8')]);
    expect(permissionFaults(texts, permissions)).toEqual([]);
  });
}

/** The folder of the module in which a test is; null if it is elsewhere. */
function folderOf(name: string, folder: string): string | null {
  if (existsSync(join(folder, `${name}.module.ts`))) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : folderOf(name, parent);
}

/**
 * The names in files, by their paths, that no manifest declares although they are permissions: they begin like one, are spelled like one,
 * or stand where one is asked for.
 */
export function permissionFaults(texts: Iterable<readonly [path: string, text: string]>, declared: readonly string[]): string[] {
  const [known, areas] = [new Set(declared), new Set(declared.map(areaOf))];
  return [...texts].flatMap(([path, text]) => {
    const asked = new Set([...text.matchAll(ASKED)].map(([, name]) => name));
    const named = new Set([...text.matchAll(NAMED)].map(([, name]) => name));
    return [...named].flatMap((name) => {
      if (known.has(name)) return [];
      const meant = suggestion(name, declared);
      if (!asked.has(name) && !areas.has(areaOf(name)) && meant === '') return [];
      return [`${path}: the permission ${name}, which no manifest declares${meant}`];
    });
  });
}

function areaOf(permission: string): string {
  return permission.split('.')[0];
}
