import { uuidv7 } from 'uuidv7';
import { own, sql, table, type Tx } from '../../../kit/index.js';
import { LeadImportIssue } from './lead-import-issue.entity.js';
import type { LeadImport } from './lead-import.entity.js';

export type Issue = Pick<LeadImportIssue, 'row_number' | 'severity' | 'code' | 'param' | 'message'>;

/** Stores the issues of a chunk by one statement: a file may have nothing but bad rows. */
export async function storeIssues(tx: Tx, { id, project_id }: LeadImport, issues: readonly Issue[]): Promise<void> {
  if (issues.length === 0) return;
  await tx.sql(
    sql`INSERT INTO ${table(LeadImportIssue)} (organization_id, project_id, mode, import_id, id, row_number, severity, code, param, message)
      SELECT ${own.organization}, ${project_id}, ${own.mode}, ${id}, * FROM unnest(${issues.map(() => uuidv7())}::uuid[],
        ${issues.map(({ row_number }) => row_number)}::integer[], ${issues.map(({ severity }) => severity)}::text[],
        ${issues.map(({ code }) => code)}::text[], ${issues.map(({ param }) => param)}::text[],
        ${issues.map(({ message }) => message)}::text[])`,
  );
}
