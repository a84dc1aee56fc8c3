import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { randomBytes } from 'node:crypto';
import { Logger, type Type } from '@nestjs/common';
import { DataSource, getMetadataArgsStorage } from 'typeorm';
import { withMigrations } from '../database-schema.js';
import { ConfigError } from '../kit/index.js';
import { manifestOf } from '../kit/internal.js';
import { PROJECT_ROOT } from '../platform/config/project-root.js';
import { queryOnce } from '../platform/persistence/connections/query-once.js';
import { migrationDraft, migrationText, type MigrationDraft } from '../platform/persistence/database/migration-draft.js';
import { loadMigrations } from '../platform/persistence/database/migration-files.js';
import { migrate } from '../platform/persistence/database/migrations.js';
import { dataSourceOptions } from '../platform/persistence/persistence.module.js';
import { suggestion } from '../platform/registry/near-matches.js';
import { withDatabase } from './cli-context.js';
import { runCommand, type Commands, type Given } from './command-line.js';

const USAGE = 'scripts/new-migration.mjs runs this with the module, the class and the path of the file.';

const COMMANDS = { draft: { options: {}, words: ['module', 'class', 'path'], run: (given) => draft(given) } } satisfies Commands;

/** Drafts a migration from the entities of a module, against an empty database that has all migrations. */
export function run(args: readonly string[]): Promise<void> {
  return runCommand(COMMANDS, USAGE, ['draft', ...args]);
}

async function draft(given: Given): Promise<void> {
  const [name, path] = [given.required('module'), given.required('path')];
  Logger.overrideLogger(['fatal', 'error']);
  await withDatabase(async ({ url, folders, modules }) => {
    // the entities of the platform, to whose tables keys refer
    await import('../app.js');
    const { drafted, remaining, entities } = await withScratchDatabase(url, async (scratch) => {
      const { tables, entities } = tablesOf(name, modules);
      await withMigrations(scratch, await loadMigrations(folders), migrate);
      return { ...(await checkedDraft(scratch, entities, tables)), entities: entities.filter((entity) => tables.has(tableOf(entity))) };
    });
    if (drafted.up.length === 0)
      throw new ConfigError(`The migrations and the ${entities.length} entities of the module ${name} agree: there is nothing to draft.`);
    writeFileSync(path, migrationText(given.required('class'), drafted), { flag: 'wx' });
    report(relative(PROJECT_ROOT, path), drafted, remaining);
  });
}

/** Of the module; with all entities of the process, as TypeORM resolves the targets of keys among them. */
function tablesOf(name: string, modules: readonly Type[]): { tables: ReadonlySet<string>; entities: readonly Type[] } {
  const manifests = modules.map(manifestOf);
  const manifest = manifests.find((one) => one.name === name);
  if (!manifest) {
    const names = manifests.map((one) => one.name);
    throw new ConfigError(`suite.config.ts lists no module ${name}${suggestion(name, names) || '.'} Its modules are ${names.join(', ')}.`);
  }
  const entities = getMetadataArgsStorage().tables.flatMap(({ target, type }) => (type === 'regular' ? [target as Type] : []));
  return { tables: new Set(manifest.entities.map(tableOf)), entities };
}

function tableOf(entity: Type): string {
  return getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name ?? entity.name;
}

/** With what TypeORM still wants to change after the draft; the way back is run, too. */
async function checkedDraft(
  url: string,
  entities: readonly Type[],
  tables: ReadonlySet<string>,
): Promise<{ drafted: MigrationDraft; remaining: readonly string[] }> {
  const dataSource = await new DataSource(dataSourceOptions({ url, poolSize: 1, queryTimeoutMs: 0 }, entities)).initialize();
  try {
    const drafted = await migrationDraft(dataSource, tables);
    for (const statement of drafted.up) await dataSource.query(statement);
    const { up: remaining } = await migrationDraft(dataSource, tables);
    for (const statement of drafted.down) await dataSource.query(statement);
    return { drafted, remaining };
  } finally {
    await dataSource.destroy();
  }
}

/** An empty database on the server of the suite, so that drafts follow from the migrations, whatever the suite's database has. */
async function withScratchDatabase<R>(url: string, work: (url: string) => Promise<R>): Promise<R> {
  const name = `work_suite_draft_${randomBytes(4).toString('hex')}`;
  try {
    await queryOnce({ connectionString: url }, `CREATE DATABASE ${name}`);
  } catch (error) {
    throw new ConfigError(
      `No empty database could be made on the server of DATABASE_URL (${(error as Error).message}): ` +
        'give its role CREATEDB, or unset DATABASE_URL, and the embedded server is used.',
    );
  }
  try {
    const scratch = new URL(url);
    scratch.pathname = `/${name}`;
    return await work(scratch.href);
  } finally {
    await queryOnce({ connectionString: url }, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

function report(path: string, { up, kept }: MigrationDraft, remaining: readonly string[]): void {
  const lost = up.flatMap((statement) => /DROP COLUMN "(\w+)"/.exec(statement)?.[1] ?? []);
  const required = up.flatMap((statement) => /^ALTER TABLE "\w+" ADD "(\w+)" (?!.* DEFAULT ).* NOT NULL/.exec(statement)?.[1] ?? []);
  const created = up.flatMap((statement) => /^CREATE TABLE "(\w+)"/.exec(statement)?.[1] ?? []);
  const notes = [
    ...lost.map((column) => `It drops the column ${column}, with its data.`),
    ...required.map((column) => `It adds the required column ${column} without a default, which fails if the table has rows.`),
    ...kept.map((statement) => `It does not run "${statement}", although no entity declares that.`),
    ...created.map((table) => `Triggers, and indexes with synchronize: false, of ${table} are not in it: add them by hand.`),
    ...remaining.map((statement) => `After it, TypeORM would still run "${statement}": adapt the entity.`),
  ];
  console.log(`Drafted ${path}: ${up.length} ${up.length === 1 ? 'statement' : 'statements'}, tried forth and back on an empty database.`);
  for (const note of notes) console.log(`  - ${note}`);
}
