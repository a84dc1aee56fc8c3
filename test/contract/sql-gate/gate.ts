import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadModule, parseSync, SqlError, type Node } from 'libpg-query';
import { DataSource } from 'typeorm';
import type { Reader, WrittenStatement } from '../../../src/platform/persistence/rows/reader.js';
import type { Caller } from '../../../src/platform/persistence/rows/render-sql.js';
import { PgStore } from '../../../src/platform/persistence/transactions/pg-store.js';
import { faultsOf, type Given, type ValueKind } from './analysis.js';
import { readCatalog, type Catalog } from './catalog.js';

/**
 * Parses every statement that code sends through the store's SQL, and fails it where a table is neither restricted to the caller nor joined
 * by its composite key to one that is. The error of the request names the statement and the table.
 */
export async function forbidForeignRows(app: NestFastifyApplication): Promise<void> {
  await loadModule();
  const gate = new SqlGate(await readCatalog(app.get(DataSource)));
  const reader = app.get(PgStore)['rows'] as Reader;
  reader.inspect = (statement) => {
    const fault = gate.faultOf(statement);
    if (fault === null) return;
    const error = new Error(fault);
    console.error(error);
    throw error;
  };
}

/** Judges statements. Those with the same text and the same kinds of values are judged once. */
export class SqlGate {
  private readonly judged = new Map<string, string | null>();

  constructor(private readonly catalog: Catalog) {}

  /** Why the statement is not restricted to its caller; null if it is, or need not be. */
  faultOf({ caller, text, values, unscoped, beyond }: WrittenStatement): string | null {
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

  private judge(text: string, given: Given): string | null {
    const faults = statementsOf(text).flatMap((statement) => faultsOf(statement, given));
    return faults.length === 0 ? null : `${faults.join(' ')} Write \${own('alias')} for each table. The statement:\n${text}`;
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

function kindOf(value: unknown, { organizationId, mode, projectId }: Caller): ValueKind {
  if (value === null || value === undefined) return 'null';
  if (value === organizationId) return 'organization';
  if (value === mode) return 'mode';
  return value === projectId ? 'project' : 'other';
}
