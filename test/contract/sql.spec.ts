import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { listFaults, sqlFaults } from './module/module-sql.js';
import { productFiles, textOf } from './source-files.js';

const inModules = productFiles().filter((path) => path.startsWith('src/modules/'));

function found(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((path) => [...textOf(path).matchAll(pattern)].map(([, what]) => `${path}: ${what}`)).sort();
}

function tablesOfMigrations(): Set<string> {
  const folder = join(PROJECT_ROOT, 'migrations');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/g)].map(([, name]) => name)));
}

const folders = readdirSync(join(PROJECT_ROOT, 'src/modules'));

it.each(folders)('%s lists each statement that reaches beyond its caller, with the reason', (folder) => {
  expect(sqlFaults(join(PROJECT_ROOT, 'src/modules', folder))).toEqual([]);
});

it.each<[string, string, string[], string[]]>([
  ['a reason that is not listed', "sql.unscoped('due rows')`...`", [], ['a.ts: "unscoped: due rows" is missing from sql.allowed.json']],
  [
    'a second use',
    "sql.inBothModes('x')``; sql.inBothModes('x')``",
    ['inBothModes: x'],
    ['a.ts: "inBothModes: x" is missing from sql.allowed.json'],
  ],
  ['a reason that is gone', '', ['unscoped: x'], ['a.ts: "unscoped: x" is in sql.allowed.json, but not in the code']],
  [
    'a reason in a constant',
    'sql.unscoped(REASON)`...`',
    ['unscoped: REASON'],
    ['a.ts: unscoped needs its reason as a literal', 'a.ts: "unscoped: REASON" is in sql.allowed.json, but not in the code'],
  ],
  ['a tag by another name', 'const all = sql.inAllProjects;', [], ['a.ts: inAllProjects needs its reason as a literal']],
  [
    'an entity manager',
    'tx.advanced.entityManager(); tx.advanced.entityManager(WHY)',
    [],
    ['a.ts: entityManager needs its reason as a literal'],
  ],
  ['projects of all organizations', 'projectsWith(Van, now)', [], ['a.ts: "projectsWith: Van" is missing from sql.allowed.json']],
])('finds %s', (_, text, listed, faults) => {
  expect(listFaults({ 'a.ts': text }, { 'a.ts': listed })).toEqual(faults);
});

// `sql` without its name, or as a function, would be in no list; tx.sql(, reader.sql(, reader(ctx).sql( and pipelined.sql( run a statement
// that a tag wrote
const UNTAGGED =
  /(\{[^{}]*\} = sql\b|\bsql\[|(?<!\b(?:tx|reader(?:\(\w+\))?|pipelined)\.)\bsql\(|\bas TemplateStringsArray|\* as \w+ from '[./]*kit\/)/g;

it.each(['const { unscoped } = sql;', "sql['unscoped']", 'sql(text)', 'kit.sql(text)', "import * as kit from '../../kit/index.js';"])(
  'finds SQL without a tag: %s',
  (text) => expect(text).toMatch(new RegExp(UNTAGGED)),
);

it.each(["store.reader(ctx).sql(sql.unscoped('due rows')`SELECT 1`)", 'reader.sql(sql`SELECT 1`)', 'tx.sql(sql`SELECT 1`)'])(
  'allows a statement that a tag wrote: %s',
  (text) => expect(text).not.toMatch(new RegExp(UNTAGGED)),
);

it('modules write SQL by its tags only', () => {
  const mend = "name the tag where the statement is written, as tx.sql(sql`...`) or reader.sql(sql.unscoped('reason')`...`)";
  expect(found(inModules, UNTAGGED).map((fault) => `${fault}: ${mend}`)).toEqual([]);
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
    // a part of a statement, by WITH, may have the name of a table of any module
    const isPart = new RegExp(`\\b${table} AS (?:MATERIALIZED )?\\(`).test(textOf(path));
    return tables.has(table) && !isPart && !isOwnInEntity(path, table);
  });
  expect(foreign).toEqual([]);
});
