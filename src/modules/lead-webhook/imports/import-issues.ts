import { uuidv7 } from 'uuidv7';
import { sql, type Tx } from '../../../kit/index.js';
import type { LeadImportIssue } from './lead-import-issue.entity.js';
import type { LeadImport } from './lead-import.entity.js';

export type Issue = Pick<LeadImportIssue, 'row_number' | 'severity' | 'code' | 'param' | 'message'>;

/** Stores the issues of a chunk by one statement: a file may have nothing but bad rows. */
export async function storeIssues(tx: Tx, { id, organization_id, project_id, mode }: LeadImport, issues: readonly Issue[]): Promise<void> {
  if (issues.length === 0) return;
  await tx.query(
    sql.legacy(
      `INSERT INTO lead_import_issues (organization_id, project_id, mode, import_id, id, row_number, severity, code, param, message)
     SELECT $1, $2, $3, $4, * FROM unnest($5::uuid[], $6::integer[], $7::text[], $8::text[], $9::text[], $10::text[])`,
      [
        ...[organization_id, project_id, mode, id],
        issues.map(() => uuidv7()),
        issues.map(({ row_number }) => row_number),
        issues.map(({ severity }) => severity),
        issues.map(({ code }) => code),
        issues.map(({ param }) => param),
        issues.map(({ message }) => message),
      ],
    ),
  );
}
