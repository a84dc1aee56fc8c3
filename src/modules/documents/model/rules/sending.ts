import { Temporal } from 'temporal-polyfill';
import { CommonErrors, dayIn, plusDays, validationError, type ErrorDetail } from '../../../../kit/index.js';
import type { CopyTime } from '../core/copy-times.js';
import type { Sending } from '../records/document.entity.js';

const MOST_DAYS = 365;

/** How a caller wants a document to be sent: `null` for a part means as the type and the settings say. */
export interface GivenSending extends Omit<Sending, 'cc' | 'reply_to'> {
  cc?: { name: string; email: string; when?: CopyTime }[];
}

/** The parts of `given` replace those of `current`. Rejects what cannot be sent, with the path of the field; `at` is that of `given`. */
export function changedSending(
  current: Sending | null,
  given: GivenSending | null | undefined,
  timeZone: string,
  now: Date,
  at = 'sending',
): Sending | null {
  if (given === undefined) return current;
  if (given === null) return null;
  if (given.sign_by) requireSignBy(given.sign_by, timeZone, now, at);
  const problem = recipientProblem(given, at);
  if (problem) throw validationError([problem]);
  return partsOf({ ...current, ...given });
}

/** How a document is sent: what it leaves out is as its type says. */
export function sendingOf(standard: GivenSending | null | undefined, own: Sending | null): Sending | null {
  return partsOf({ ...standard, ...own });
}

/** Nobody gets two copies. */
export function recipientProblem({ cc = [] }: GivenSending, at = 'sending'): ErrorDetail | null {
  const addresses = cc.map(({ email }) => email.toLowerCase());
  const repeated = addresses.findIndex((address, index) => addresses.indexOf(address) < index);
  if (repeated < 0) return null;
  const param = `${at}.cc.${repeated}.email`;
  return { param, code: 'invalid_value', message: `${param} is listed twice` };
}

/** The end of the last day to sign. */
export function deadlineOn(day: string, timeZone: string): Date {
  const next = Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(timeZone);
  return new Date(next.epochMilliseconds - 1000);
}

export function requireSignBy(day: string, timeZone: string, now: Date, at = 'sending'): void {
  const today = dayIn(timeZone, now);
  if (day >= today && day <= plusDays(today, MOST_DAYS)) return;
  throw CommonErrors.validationFailed({
    param: `${at}.sign_by`,
    message: `${at}.sign_by must be from ${today} to ${plusDays(today, MOST_DAYS)}`,
  });
}

function partsOf({ cc, ...rest }: GivenSending): Sending | null {
  const recipients = cc?.map(({ name, email, when = 'completed' }) => ({ name, email, when }));
  const kept = Object.entries({ cc: recipients, ...rest }).filter(([, value]) => value !== null && value !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}
