/** The category of an error, by which a client decides how to react. */
type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'idempotency_error'
  | 'rate_limit_error'
  | 'upstream_error'
  | 'api_error';

/** One entry of the error catalog. */
export interface ErrorSpec {
  /** The machine-readable code a client switches on, `snake_case`. */
  code: string;
  type: ErrorType;
  /** The HTTP status. */
  status: number;
  /** The default message; it says what the caller should do next. */
  message: string;
  /** The callers that get it, if others get another error with this code. Errors of the platform only. */
  of?: 'keys';
  /** What to do, for the error catalog: if the default message does not say it, or describes only one of several cases. */
  description?: string;
}

/** One of several invalid fields; `param` is a dotted path into the body or a query parameter's name. */
export interface ErrorDetail {
  param: string;
  code: string;
  message: string;
  allowed?: readonly string[];
}

/** What a single occurrence may add to its catalog entry. */
export interface ErrorOccurrence {
  message?: string;
  /** The invalid field: a dotted path into the body, or the name of a query parameter or header. */
  param?: string;
  details?: ErrorDetail[];
  /** The valid values if there are few, so that an agent can correct its call. */
  allowed?: readonly string[];
  /** The value was looked for in one project. The message names the project if it was assumed, because the call named none. */
  ofProject?: boolean;
  /** Further members of the envelope, for example `required_scope`. */
  extra?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/**
 * The only error that services throw deliberately; the platform renders the error envelope. Never throw an HTTP exception.
 *
 * @example
 * ```ts
 * import { DomainError } from 'work-suite/kit';
 *
 * export const isConflict = (error: unknown) => error instanceof DomainError && error.spec.code === 'resource_conflict';
 * ```
 */
export class DomainError extends Error {
  constructor(
    readonly spec: ErrorSpec,
    readonly occurrence: ErrorOccurrence = {},
  ) {
    super(occurrence.message ?? spec.message, { cause: occurrence.cause });
    this.name = 'DomainError';
  }
}

/** Creates an error of a catalog entry: `throw TaskErrors.parentCycle({ param: 'parent_id' })`. */
export interface ErrorDefinition {
  (occurrence?: ErrorOccurrence): DomainError;
  readonly spec: ErrorSpec;
}

/**
 * Declares a module's errors. Several modules may declare the same code, each with its own meaning, if type and status are equal
 * everywhere; otherwise the boot fails.
 *
 * @example
 * ```ts
 * import { defineErrors } from 'work-suite/kit';
 *
 * export const NoteErrors = defineErrors({
 *   noteLocked: { code: 'note_locked', type: 'conflict_error', status: 409, message: 'The note is locked.' },
 * });
 *
 * throw NoteErrors.noteLocked({ param: 'id' });
 * ```
 */
export function defineErrors<K extends string>(specs: Record<K, ErrorSpec>): Record<K, ErrorDefinition> {
  const definitions = {} as Record<K, ErrorDefinition>;
  for (const name of Object.keys(specs) as K[]) {
    const spec = Object.freeze({ ...specs[name] });
    definitions[name] = Object.assign((occurrence?: ErrorOccurrence) => new DomainError(spec, occurrence), { spec });
  }
  return definitions;
}
