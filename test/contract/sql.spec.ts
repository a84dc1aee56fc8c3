import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { productFiles, textOf } from './source-files.js';
import { BEYOND, DUE_PROJECTS, UNSCOPED } from './sql.allowed.js';

const inModules = productFiles().filter((path) => path.startsWith('src/modules/'));

function found(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((path) => [...textOf(path).matchAll(pattern)].map(([, what]) => `${path}: ${what}`)).sort();
}

function tablesOfMigrations(): Set<string> {
  const folder = join(PROJECT_ROOT, 'migrations');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/g)].map(([, name]) => name)));
}

/** The places of a word, each with the texts in the groups of a pattern; every place must match it. */
function listed(word: RegExp, pattern: RegExp): string[] {
  const all = inModules.flatMap((path) => [...textOf(path).matchAll(word)].map(() => path)).sort();
  const places = inModules.flatMap((path) => [...textOf(path).matchAll(pattern)].map(([, ...texts]) => `${path}: ${texts.join(': ')}`));
  // a place that is missing here gives no literal reason
  expect(places.map((place) => place.split(': ')[0]).sort()).toEqual(all);
  return places.sort();
}

it('statements that are not restricted to their caller are known, with the reason', () => {
  expect(listed(/\.unscoped\b|\bentityManager\b/g, /(?:\.unscoped|\bentityManager)\(\s*'([^'\n]+)'/g)).toEqual(UNSCOPED);
});

it('scheduled jobs that look for projects of all organizations are known, with the entity', () => {
  expect(listed(/\bprojectsWith\(/g, /\bprojectsWith\((\w+),/g)).toEqual(DUE_PROJECTS);
});

it('statements that go beyond the mode or the project of their caller are known, with the reason', () => {
  const tags = 'inBothModes|inAllProjects|inOrganization';
  expect(listed(new RegExp(`\\b(?:${tags})\\b`, 'g'), new RegExp(`\\b(${tags})\\(\\s*'([^'\\n]+)'`, 'g'))).toEqual(BEYOND);
});

it('modules write SQL by its tags only', () => {
  // `sql` without its name, or as a function, would be in no list
  expect(found(inModules, /(\{[^{}]*\} = sql\b|\bsql\[|\bsql\(|\bas TemplateStringsArray)/g)).toEqual([]);
});

function moduleOf(path: string): string {
  return path.split('/')[2];
}

/** Tables of the platform that virtual columns read: the names of members, and the time zones of projects. */
const PLATFORM = ['members', 'projects'];

/** The virtual columns of an entity are texts, which name its module's tables. */
function isOwnInEntity(path: string, table: string): boolean {
  const own = inModules.filter((other) => other.endsWith('.entity.ts') && moduleOf(other) === moduleOf(path));
  return (
    path.endsWith('.entity.ts') && (PLATFORM.includes(table) || found(own, /@Entity\('(\w+)'/g).some((one) => one.endsWith(`: ${table}`)))
  );
}

// `table(Entity)` needs the class, which a module can import only of its own or from the public face of another
it('modules name tables by their entities', () => {
  const tables = tablesOfMigrations();
  const named = found(inModules, /\b(?:FROM|JOIN|UPDATE|INTO|USING)\s+(?:ONLY\s+)?"?([a-z_]\w*)"?/g);
  const foreign = named.filter((one) => {
    const [path, table] = one.split(': ');
    return tables.has(table) && !isOwnInEntity(path, table);
  });
  expect(foreign).toEqual([]);
});
