import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { ConfigError } from '../kit/index.js';
import { placeOfManifest, sourceOf, type Manifest } from '../kit/internal.js';
import { PACKAGE_ROOT } from '../platform/config/project-root.js';
import { tableOfEntity } from '../platform/persistence/database/installed-modules.js';
import type { MigrationFile } from '../platform/persistence/database/migration-files.js';

/** With which the names of the platform's own migrations begin. Modules may refer to its tables and read them. */
const PLATFORM = new Set(['account', 'keys', 'mail', 'oauth', 'people', 'platform', 'queue', 'request', 'webhooks']);
/** Of the suite, older than the rule. */
const EXCEPTIONS = new Set([
  '1763760000000-documents-number-series',
  '1764100000000-storefront-catalogue',
  '1764550000000-documents-settings',
  '1796002000020-storefront-used-locations',
  '1798830000050-crm-custom-fields',
]);

const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|(?:^|\s)--\s.*$/gm;
/** A name, of which no column follows: `ON deals.id = ...` belongs to a query, in which `deals` may be an alias. */
const TABLE = String.raw`\s+"?(?:public"?\."?)?([a-z_]\w*)(?!["\w]*\.)`;
const CREATED = new RegExp(`\\bCREATE TABLE(?: IF NOT EXISTS)?${TABLE}`, 'gi');
const CHANGED = new RegExp(
  '\\b(?:ALTER TABLE(?: IF EXISTS)?(?: ONLY)?|DROP TABLE(?: IF EXISTS)?|TRUNCATE(?: TABLE)?|LOCK(?: TABLE)?|UPDATE(?: ONLY)?|INSERT INTO|' +
    `DELETE FROM|ON)${TABLE}`,
  'gi',
);
const READ = new RegExp(`\\b(?:REFERENCES|FROM|JOIN)${TABLE}`, 'gi');
/** By the methods of TypeORM's query runner. */
const CHANGED_BY_METHOD = /\.(?:add|change|clear|create|drop|rename|update)\w*\(\s*['"`](?:public\.)?([a-z_]\w*)['"`]/gi;

/**
 * A module that changes or reads the tables of another one stops working when the other changes them, or changes what the other
 * relies on. Finds what migrations say plainly, not SQL that they assemble.
 * @throws ConfigError naming the first of the checked migrations that names the table of another module
 */
export function requireOwnTables(all: readonly MigrationFile[], checked: readonly MigrationFile[]): void {
  const creators = creatorsOf(all);
  for (const file of checked) {
    if (EXCEPTIONS.has(file.name)) continue;
    const text = textOf(file);
    const isForeign = (table: string, mayBeOfPlatform: boolean) => {
      const creator = creators.get(table);
      return creator && ownerOf(creator) !== ownerOf(file) && !(mayBeOfPlatform && isOfPlatform(creator));
    };
    const taken = namesIn(text, CREATED).find((table) => isForeign(table, isOfPlatform(file)));
    if (taken !== undefined)
      throw new ConfigError(
        `The migration ${sourceOf(file.path)} creates the table ${taken}, which ${creators.get(taken)?.name} creates: choose another name.`,
      );
    const foreign =
      namesIn(text, CHANGED, CHANGED_BY_METHOD).find((table) => isForeign(table, isOfPlatform(file))) ??
      namesIn(text, READ).find((table) => isForeign(table, true) && !isNamedQuery(table, text));
    if (foreign !== undefined)
      throw new ConfigError(
        `The migration ${sourceOf(file.path)} names the table ${foreign}, which ${creators.get(foreign)?.name} creates: ` +
          'name only tables of the same module, and keep there what this one needs.',
      );
  }
}

/**
 * An entity with a table of the platform needs no migration, and would change rows that only the platform may change.
 * @throws ConfigError naming the first such entity of a module
 */
export function requireOwnEntities(all: readonly MigrationFile[], manifests: readonly Manifest[]): void {
  const creators = creatorsOf(all);
  for (const { name, file, entities } of manifests)
    for (const entity of entities) {
      const table = tableOfEntity(entity);
      const creator = creators.get(table);
      if (creator === undefined || !isOfPlatform(creator)) continue;
      throw new ConfigError(
        `The entity ${entity.name} of the module ${name}${placeOfManifest(file)} has the table ${table}, ` +
          `which ${creator.name} creates: choose another name.`,
      );
    }
}

/** The first migration that creates a table counts: the way back of one that drops it creates it, too. */
function creatorsOf(all: readonly MigrationFile[]): ReadonlyMap<string, MigrationFile> {
  return new Map(all.toReversed().flatMap((file) => namesIn(textOf(file), CREATED).map((table) => [table, file])));
}

function namesIn(text: string, ...patterns: RegExp[]): string[] {
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name));
}

/** In `WITH deals AS (...)`. */
function isNamedQuery(name: string, text: string): boolean {
  return new RegExp(`\\b${name}(?:\\s*\\([^)]*\\))?\\s+AS\\s+(?:(?:NOT )?MATERIALIZED\\s+)?\\(`, 'i').test(text);
}

function textOf({ path }: MigrationFile): string {
  return readFileSync(path, 'utf8').replace(COMMENTS, '');
}

/** Names of modules begin with different words; a project's migrations never belong to a module of the suite. */
function ownerOf(file: MigrationFile): string {
  return `${isOfSuite(file) ? 'suite' : 'project'} ${subjectOf(file)}`;
}

function isOfPlatform(file: MigrationFile): boolean {
  return isOfSuite(file) && PLATFORM.has(subjectOf(file));
}

function subjectOf({ name }: MigrationFile): string {
  return name.split('-')[1] ?? '';
}

function isOfSuite({ path }: MigrationFile): boolean {
  return ['dist/migrations', 'migrations'].some((folder) => path.startsWith(join(PACKAGE_ROOT, folder) + sep));
}
