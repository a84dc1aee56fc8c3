import { CommonErrors, type Tx } from '../../../kit/index.js';
import { LeadAssignmentRule } from './lead-assignment-rule.entity.js';

/** Throws 409 `resource_conflict` if a condition compares one of the fields; with values, only if it compares it with one of these. */
export async function requireNoRule(
  tx: Tx,
  project_id: string,
  uses: readonly [field: string, values?: readonly unknown[]][],
): Promise<void> {
  const rules = await tx.list(LeadAssignmentRule, { project_id });
  const found = rules.find(({ conditions }) =>
    conditions.some(({ field, value }) =>
      uses.some(([used, values]) => used === field && (!values || [value].flat().some((one) => values.includes(one)))),
    ),
  );
  if (found) throw CommonErrors.resourceConflict({ message: `The assignment rule ${found.name} refers to it; change the rule first.` });
}
