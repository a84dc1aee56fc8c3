import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { CommonErrors, DomainError } from '../../../kit/index.js';
import { constraintError } from '../../../kit/internal.js';
import { isOfConnection } from './refusals.js';

/** The fields of a PostgreSQL error that identify the violated constraint. */
interface PgError extends Error {
  code?: string;
  detail?: string;
  constraint?: string;
  column?: string;
  table?: string;
  /** The function in PostgreSQL's source that raised the error. */
  routine?: string;
}

/**
 * Nobody's request is wrong, and it can succeed later: the connection was lost or refused (08, 28, 57P0, 3D000), resources are used up
 * (53), files cannot be written (58), or the database is read-only.
 */
const OPERATIONAL = /^(?:08...|28...|3D000|53...|57P0.|58...|25006)$/;
/** Codes of Node for a connection that was refused or lost. */
const OF_NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
const OF_DRIVER = /Connection terminated|Query read timeout|timeout exceeded when trying to connect|not queryable/;
/** Raised by `raise_stale_row()`. */
const STALE_ROW = 'WS001';

// codes of the operating system, such as EPIPE, have no digit
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;
/** Invalid data, violated constraints, and what functions raise. */
const ABOUT_DATA = /^(?:22|23|44|P0)/;

const UNREACHABLE = new Set([
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08003',
  '08006',
  '08001',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
]);

/** Whether PostgreSQL rejected a statement, as opposed to a lost connection, on which nothing else is executed. */
export function isOfStatement(error: unknown): boolean {
  return error instanceof DatabaseError && !UNREACHABLE.has(error.code ?? '');
}

/** Whether a statement failed because its connection has ended, which says nothing about those that are made afterwards. */
export function isOfLostConnection(error: unknown): boolean {
  const { code = '', message } = error as PgError;
  return UNREACHABLE.has(code) || /Connection terminated|not queryable/.test(message);
}

/**
 * Converts an error of the database: a constraint violation to the error that a manifest declares for the constraint, or to that of the
 * invalid field; an outage to `unavailable`. Returns any other error unchanged. Under concurrency the database is the last check, so
 * violations are ordinary client errors.
 */
export function toDomainError(error: unknown): unknown {
  if (error instanceof DomainError || !(error instanceof Error)) return error;
  const pg = error as PgError;
  const declared = pg.code?.startsWith('23') ? constraintError(pg.constraint, error) : undefined;
  if (declared) return declared;
  switch (pg.code) {
    case '23503': {
      if (pg.detail?.includes('is still referenced'))
        return CommonErrors.resourceConflict({ message: 'It is still in use elsewhere, so it cannot be deleted.', cause: error });
      const param = pg.column ?? referencingColumn(pg.detail);
      return CommonErrors.validationFailed({ param, message: `${param ?? 'A reference'} does not exist`, ofProject: true, cause: error });
    }
    case '23505': {
      const param = referencingColumn(pg.detail);
      const message = `A record with this ${param ?? 'value'} already exists`;
      return CommonErrors.duplicate({ param, message, ofProject: isOfProject(pg.detail), cause: error });
    }
    case '23P01':
      return CommonErrors.resourceConflict({ message: 'Another record already occupies what this one needs at that time.', cause: error });
    case '23514': {
      const param = checkedField(pg);
      // a trigger's detail is meant for the caller; that of a constraint is the whole row
      const detail = pg.routine === 'exec_stmt_raise' ? pg.detail : undefined;
      return CommonErrors.validationFailed({
        param,
        message: detail ?? `${param ?? 'A value'} is not valid`,
        ofProject: detail !== undefined,
        cause: error,
      });
    }
    case STALE_ROW:
      return CommonErrors.resourceConflict({ cause: error });
    case '22P05':
    case '22021':
      return CommonErrors.validationFailed({ message: 'A text contains a character that cannot be stored', cause: error });
    case '55P03':
    case '57014':
    case '25P03':
      return CommonErrors.unavailable({
        message: 'A lock that this request needs was held for too long; repeat the request.',
        cause: error,
      });
    case '40001':
    case '40P01':
      // not a client error: an idempotent retry must be executed again instead of replaying it
      return CommonErrors.unavailable({ message: 'A concurrent change conflicted with this one; repeat the request.', cause: error });
  }
  return isOutage(error) || OF_NETWORK.has(pg.code ?? '') ? CommonErrors.unavailable({ cause: error }) : error;
}

/** Whether an error means that the database currently cannot work, whatever was asked. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const source = error instanceof QueryFailedError ? error.driverError : error;
  const { code = '', message } = source as PgError;
  // a connection to anything else may be refused, too
  if (OF_NETWORK.has(code)) return isOfConnection(source);
  return OPERATIONAL.test(code) || OF_DRIVER.test(message);
}

/** An unexpected error for the server's log, without values: those are in PostgreSQL's details, and in messages about data. */
export function describeError(error: unknown): { sqlstate: string | null; text: string } {
  const { code, message, stack, constraint, table, routine } = (error instanceof Error ? error : new Error(String(error))) as PgError;
  const text = stack ?? message;
  if (code === undefined || !SQLSTATE.test(code)) return { sqlstate: null, text };
  const names = Object.entries({ constraint, table, routine }).flatMap(([name, value]) => (value ? [`${name} ${value}`] : []));
  const said = ABOUT_DATA.test(code) ? 'a value is refused' : message;
  return {
    sqlstate: code,
    text: [`${said}${names.length > 0 ? ` (${names.join(', ')})` : ''}`, ...(stack?.match(/^ +at .*$/gm) ?? [])].join('\n'),
  };
}

/** Whether a statement failed because of what others have written: by a constraint, `raise_stale_row()` or a deadlock. */
export function isConflict(error: unknown): boolean {
  const { code } = sourceOf(error);
  return code !== undefined && (/^(23|40)/.test(code) || code === STALE_ROW);
}

/** Whether a unique index refused a row because of another one. */
export function isTaken(error: unknown): boolean {
  return sourceOf(error).code === '23505';
}

/** Whether a trigger refused a row by an exception without a code of its own, as those do that keep rows. */
export function isRaised(error: unknown): boolean {
  return sourceOf(error).code === 'P0001';
}

/** Whether PostgreSQL reported an error, so that the transaction was not committed. If the connection ends, that is not known. */
export function isRolledBack(error: unknown): boolean {
  const { code } = sourceOf(error);
  return code !== undefined && SQLSTATE.test(code) && !/^(08|57P|58|XX)/.test(code);
}

/** The error of PostgreSQL that a domain error was made of. */
function sourceOf(error: unknown): { code?: string } {
  return ((error instanceof DomainError ? error.cause : error) ?? {}) as { code?: string };
}

/** `Key (organization_id, status_id)=(...)`: the last column is the caller's field, those before it are the scope. */
function referencingColumn(detail: string | undefined): string | undefined {
  const columns = /^Key \(([^)]+)\)/.exec(detail ?? '')?.[1].split(', ');
  return columns
    ?.at(-1)
    ?.replace(/^lower\((.+)/, '$1')
    .replace(/::.*$/, '');
}

/** Whether a value must be unique in its project only, and so may be free in another. */
function isOfProject(detail: string | undefined): boolean {
  return /^Key \([^)]*\bproject_id\b/.test(detail ?? '');
}

/** CHECK constraints are named `<table>_<field>_check`, which gives the field. */
function checkedField(error: PgError): string | undefined {
  const name = error.constraint?.replace(/_check$/, '');
  return name?.startsWith(`${error.table}_`) ? name.slice((error.table as string).length + 1) : name;
}
