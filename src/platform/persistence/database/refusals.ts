import { Logger } from '@nestjs/common';
import { LogInterval } from '../../logging/log-interval.js';

export interface Refusal {
  /** The SQLSTATE. */
  code: string;
  /** By `performance.now()`. */
  at: number;
}

/**
 * What an operator has to know, by the class of the SQLSTATE, and what readiness makes of it:
 *
 *   25006                 the database is read-only                 fails
 *   53000 53100 53200     resources, disk, memory are used up       fails
 *   53300                 no connection is left                     fails
 *   58...                 a file cannot be read or written          fails
 *   53400                 a limit, such as temp_file_limit          stays: other statements work
 *   08... 28... 3D000     the connection is refused                 by the probe's own connection
 *   57P0.                 the server stops, starts or ends sessions by the probe's own connection
 */
const LOGGED = /^(?:25006|53...|58...|08...|28...|3D000|57P0.)$/;
const FAILS_READINESS = /^(?:25006|53[0-3]..|58...)$/;

const log = new Logger('Database');
/** Every request and every job meets a fault. */
const interval = new LogInterval(10_000);
let latest: Refusal | null = null;

/** Notes an error of PostgreSQL if an operator has to know it. Its text names files and settings, not values of a statement. */
export function noteRefusal({ code = '', message }: { code?: string; message: string }): void {
  if (!LOGGED.test(code)) return;
  if (FAILS_READINESS.test(code)) latest = { code, at: performance.now() };
  logNow(code, `PostgreSQL refuses work with ${code}: ${message}`);
}

const ofConnections = new WeakSet<object>();

/** Notes that a connection to PostgreSQL could not be made, or was lost. */
export function noteLostConnection(error: Error & { code?: string }): void {
  ofConnections.add(error);
  logNow(error.code ?? error.message, `The connection to PostgreSQL failed: ${[error.code, error.message].filter(Boolean).join(' ')}`);
}

/** Whether the error is that of a connection to PostgreSQL rather than to anything else. */
export function isOfConnection(error: Error): boolean {
  return ofConnections.has(error);
}

function logNow(fault: string, text: string): void {
  if (interval.allows(fault)) log.error(text);
}

/** The latest one that fails readiness, on any connection of this process, unless it is known to be over. */
export function latestRefusal(): Refusal | null {
  return latest;
}

export function endRefusal(refusal: Refusal): void {
  if (latest === refusal) latest = null;
}
