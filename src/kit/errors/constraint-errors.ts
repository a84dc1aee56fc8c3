import type { DomainError, ErrorDefinition } from './errors.js';

/** What a violated constraint means to the caller: an error, with the field that is at fault if there is one. */
export type ConstraintError = ErrorDefinition | { error: ErrorDefinition; param: string };

/** By name, as the database knows them: they belong to tables, of which it has one set, whichever modules an application lists. */
const declared = new Map<string, ConstraintError>();

export function declareConstraints(constraints: Readonly<Record<string, ConstraintError>>): void {
  for (const [name, error] of Object.entries(constraints)) declared.set(name, error);
}

export function definitionOf(error: ConstraintError): ErrorDefinition {
  return 'error' in error ? error.error : error;
}

/** The error that a module declares for a constraint. */
export function constraintError(name: string | undefined, cause: unknown): DomainError | undefined {
  const error = name === undefined ? undefined : declared.get(name);
  return error && definitionOf(error)({ param: 'error' in error ? error.param : undefined, cause });
}
