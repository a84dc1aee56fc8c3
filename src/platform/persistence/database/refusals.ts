import { Logger } from '@nestjs/common';

export interface Refusal {
  /** The SQLSTATE. */
  code: string;
  /** By `performance.now()`. */
  at: number;
}

/** No disk space, memory or connection is left, a file cannot be written, or the database is read-only. */
const REFUSAL = /^(?:53|58...$)|^25006$/;
const LOG_EVERY_MS = 10_000;

const log = new Logger('Database');
const loggedAt = new Map<string, number>();
let latest: Refusal | null = null;

/** Notes an error of PostgreSQL if an operator has to act. Its text names files and settings, not values of a statement. */
export function noteRefusal({ code = '', message }: { code?: string; message: string }): void {
  if (!REFUSAL.test(code)) return;
  const at = performance.now();
  latest = { code, at };
  if (at - (loggedAt.get(code) ?? -Infinity) < LOG_EVERY_MS) return;
  loggedAt.set(code, at);
  log.error(`PostgreSQL refuses work with ${code}: ${message}`);
}

/** The latest one on any connection of this process, unless it is known to be over. */
export function latestRefusal(): Refusal | null {
  return latest;
}

export function endRefusal(refusal: Refusal): void {
  if (latest === refusal) latest = null;
}
