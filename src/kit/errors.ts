/** The `type` of an error: what kind of mistake it is, and so what a client does next. */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'idempotency_error'
  | 'rate_limit_error'
  | 'upstream_error'
  | 'api_error';

/** One entry of the error catalogue. */
export interface ErrorSpec {
  /** The machine-readable code a client switches on, `snake_case`. */
  code: string;
  type: ErrorType;
  /** The HTTP status. */
  status: number;
  /** The message when a thrower gives none; says what to do next. */
  message: string;
}

/** One offending field among several; `param` is a dotted path into the body or a query parameter's name. */
export interface ErrorDetail {
  param: string;
  code: string;
  message: string;
  allowed?: readonly string[];
}

/** What a single occurrence may add to its catalogue entry. */
export interface ErrorOccurrence {
  message?: string;
  /** The field at fault: a dotted path into the body, a query parameter's or a header's name. */
  param?: string;
  details?: ErrorDetail[];
  /** The valid values, when they are few: this is how an agent corrects itself. */
  allowed?: readonly string[];
  /** Further members of the envelope, for example `required_scope`. */
  extra?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** The only error a service throws on purpose; the platform renders it as the envelope. Never an HTTP exception. */
export class DomainError extends Error {
  constructor(
    readonly spec: ErrorSpec,
    readonly occurrence: ErrorOccurrence = {},
  ) {
    super(occurrence.message ?? spec.message, { cause: occurrence.cause });
    this.name = 'DomainError';
  }
}

/** A catalogue entry that makes its errors: `throw TaskErrors.parentCycle({ param: 'parent_id' })`. */
export interface ErrorDefinition {
  (occurrence?: ErrorOccurrence): DomainError;
  readonly spec: ErrorSpec;
}

/**
 * Declares a module's errors, code, status and text together. A code may stand in several modules as long as its type
 * and status are the same everywhere; the boot refuses anything else.
 */
export function defineErrors<K extends string>(specs: Record<K, ErrorSpec>): Record<K, ErrorDefinition> {
  const definitions = {} as Record<K, ErrorDefinition>;
  for (const name of Object.keys(specs) as K[]) {
    const spec = Object.freeze({ ...specs[name] });
    definitions[name] = Object.assign((occurrence?: ErrorOccurrence) => new DomainError(spec, occurrence), { spec });
  }
  return definitions;
}
