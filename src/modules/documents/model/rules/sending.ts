import { Temporal } from 'temporal-polyfill';
import { CommonErrors, dayIn, plusDays } from '../../../../kit/index.js';
import type { CopyTime } from '../core/copy-times.js';
import type { Sending } from '../records/document.entity.js';

const MOST_DAYS = 365;

/** How a caller wants a document to be sent: `null` for a part means as the type and the settings say. */
export interface GivenSending extends Omit<Sending, 'cc' | 'reply_to'> {
  cc?: { name: string; email: string; when?: CopyTime }[];
}

/** The parts of `given` replace those of `current`. Rejects what cannot be sent, with the path of the field. */
export function changedSending(
  current: Sending | null,
  given: GivenSending | null | undefined,
  timeZone: string,
  now: Date,
): Sending | null {
  if (given === undefined) return current;
  if (given === null) return null;
  const { cc, ...rest } = given;
  if (rest.sign_by) requireSignBy(rest.sign_by, timeZone, now);
  const merged: Sending = { ...current, ...rest, ...(cc && { cc: recipientsOf(cc) }) };
  const kept = Object.entries(merged).filter(([, value]) => value !== null && value !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

/** The end of the last day to sign. */
export function deadlineOn(day: string, timeZone: string): Date {
  const next = Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(timeZone);
  return new Date(next.epochMilliseconds - 1000);
}

export function requireSignBy(day: string, timeZone: string, now: Date): void {
  const today = dayIn(timeZone, now);
  if (day >= today && day <= plusDays(today, MOST_DAYS)) return;
  throw CommonErrors.validationFailed({
    param: 'sending.sign_by',
    message: `sending.sign_by must be from ${today} to ${plusDays(today, MOST_DAYS)}`,
  });
}

function recipientsOf(given: NonNullable<GivenSending['cc']>): NonNullable<Sending['cc']> {
  const addresses = given.map(({ email }) => email.toLowerCase());
  const repeated = addresses.findIndex((address, index) => addresses.indexOf(address) < index);
  if (repeated >= 0) {
    const param = `sending.cc.${repeated}.email`;
    throw CommonErrors.validationFailed({ param, message: `${param} is listed twice` });
  }
  return given.map(({ name, email, when = 'completed' }) => ({ name, email, when }));
}
