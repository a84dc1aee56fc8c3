import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadModule, parseSync, SqlError, type Node } from 'libpg-query';
import { DataSource } from 'typeorm';
import { platformSql } from '../../../src/kit/internal.js';
import type { Reader, WrittenStatement } from '../../../src/platform/persistence/rows/reader.js';
import type { Caller } from '../../../src/platform/persistence/rows/render-sql.js';
import { PgStore } from '../../../src/platform/persistence/transactions/pg-store.js';
import { ModuleRegistry } from '../../../src/platform/registry/module-registry.js';
import { faultsOf, type Given, type ValueKind } from './analysis.js';
import { readCatalog, type Catalog } from './catalog.js';

const OF_THE_PLATFORM = platformSql('').unscoped;
/** Finds what is left of a person. */
const SEARCH_OF_A_PERSON = 'SELECT count(*)::int AS mentions,';
/** Besides that, the only statement of the platform that reads tables of modules: it counts the test rows of all of them. */
const COUNT_OF_TEST_ROWS = 'SELECT module, sum(count)::int AS rows FROM (';

/**
 * Parses every statement that code sends through the store's SQL, and fails it where a table is neither restricted to the caller nor joined
 * by its composite key to one that is. With `alsoOfPlatform`, a statement of the platform, which nothing restricts, fails where it names a
 * table of a module. The error of the request names the statement and the table.
 */
export async function forbidForeignRows(app: NestFastifyApplication, alsoOfPlatform = false): Promise<void> {
  await loadModule();
  const dataSource = app.get(DataSource);
  const entities = alsoOfPlatform ? app.get(ModuleRegistry).manifests.flatMap((manifest) => manifest.entities) : [];
  const ofModules = new Set(entities.map((entity) => dataSource.getMetadata(entity).tableName));
  const gate = new SqlGate(await readCatalog(dataSource), ofModules);
  const reader = app.get(PgStore)['rows'] as Reader;
  const told = new Set<string>();
  reader.inspect = (statement) => {
    const fault = gate.faultOf(statement);
    if (fault === null) return;
    // each test that runs the statement fails: one of them shows all of it
    if (told.has(statement.text)) throw new Error(fault.split('\n')[0]);
    told.add(statement.text);
    const error = new Error(fault);
    console.error(error);
    throw error;
  };
}

/** Judges statements. Those with the same text and the same kinds of values are judged once. */
export class SqlGate {
  private readonly judged = new Map<string, string | null>();

  /** `ofModules`: the tables that statements of the platform may not name. */
  constructor(
    private readonly catalog: Catalog,
    private readonly ofModules: ReadonlySet<string> = new Set(),
  ) {}

  /** Why the statement is not restricted to its caller; null if it is, or need not be. */
  faultOf({ caller, text, values, unscoped, beyond }: WrittenStatement): string | null {
    if (unscoped === OF_THE_PLATFORM) return this.faultOfPlatform(text);
    if (unscoped !== null || caller === null) return null;
    const kinds = values.map((value) => kindOf(value, caller));
    const isPinned = caller.projectId !== null && !beyond.includes('project');
    const key = JSON.stringify([text, kinds, isPinned, caller.mode, beyond]);
    const known = this.judged.get(key);
    if (known !== undefined) return known;
    const given = { catalog: this.catalog, values: kinds, mode: caller.mode, isPinned, inBothModes: beyond.includes('mode') };
    const fault = this.judge(text, given);
    this.judged.set(key, fault);
    return fault;
  }

  private faultOfPlatform(text: string): string | null {
    const known = this.judged.get(text);
    if (known !== undefined) return known;
    const ofAllModules = [COUNT_OF_TEST_ROWS, SEARCH_OF_A_PERSON].some((beginning) => text.startsWith(beginning));
    const found = ofAllModules ? [] : tablesIn(statementsOf(text)).filter((table) => this.ofModules.has(table));
    const fault = found.length === 0 ? null : `A statement of the platform names the table ${found[0]} of a module:\n${text}`;
    this.judged.set(text, fault);
    return fault;
  }

  private judge(text: string, given: Given): string | null {
    const faults = statementsOf(text).flatMap((statement) => faultsOf(statement, given));
    return faults.length === 0 ? null : `${faults.join(' ')} Write \${own('alias')} for each table.\nThe statement:\n${text}`;
  }
}

/** None if PostgreSQL will refuse the text. */
function statementsOf(text: string): Node[] {
  try {
    return (parseSync(text).stmts ?? []).flatMap(({ stmt }) => stmt ?? []);
  } catch (error) {
    if (error instanceof SqlError) return [];
    throw error;
  }
}

/** The names of tables at any depth of a parsed statement. */
function tablesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { relname } = node as { relname?: unknown };
  return [...(typeof relname === 'string' ? [relname] : []), ...Object.values(node).flatMap(tablesIn)];
}

function kindOf(value: unknown, { organizationId, mode, projectId }: Caller): ValueKind {
  if (value === null || value === undefined) return 'null';
  if (value === organizationId) return 'organization';
  if (value === mode) return 'mode';
  return value === projectId ? 'project' : 'other';
}
