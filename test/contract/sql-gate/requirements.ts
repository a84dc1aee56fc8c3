import type { TableInfo } from './catalog.js';
import type { Binding } from './relations.js';

/** What a column of a table must be known to equal. */
export interface Requirement {
  column: string;
  what: 'organization' | 'mode' | 'project';
  /** Also a row of no project is the caller's. */
  orNone: boolean;
}

/** What a statement is restricted to. */
interface Reach {
  isPinned: boolean;
  inBothModes: boolean;
}

/** By the scoping of the table's entity, or by its columns if it has none. */
export function requirementsOf({ name, columns, notNull, scoping }: TableInfo, { isPinned, inBothModes }: Reach): readonly Requirement[] {
  const organization = name === 'organizations' ? 'id' : 'organization_id';
  if (!columns.has(organization)) return [];
  const requirements: Requirement[] = [{ column: organization, what: 'organization', orNone: false }];
  if (scoping === 'organization') return requirements;
  if (columns.has('mode') && !inBothModes && scoping !== 'configuration')
    requirements.push({ column: 'mode', what: 'mode', orNone: false });
  if (columns.has('project_id') && isPinned)
    requirements.push({ column: 'project_id', what: 'project', orNone: scoping === 'configuration' || !notNull.has('project_id') });
  return requirements;
}

export function missingIn({ what, orNone }: Requirement, bindings: ReadonlySet<Binding>): boolean {
  return !bindings.has(what) && !(orNone && bindings.has('project or none'));
}
