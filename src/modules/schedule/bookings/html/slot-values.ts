import { isInstant, MINUTE_MS } from '../../../../kit/index.js';
import { isSchedulable } from '../../time/zone-time.js';

const SHORT = /^[0-9a-z]{1,6}$/;

/** `2027-03-29T07:00Z`: slots start at full minutes. */
export function shortInstant(at: Date): string {
  return `${at.toISOString().slice(0, 16)}Z`;
}

/** `hv0po`, for lists of hundreds: minutes since 1970 to base 36. */
export function slotValue(at: Date): string {
  return (at.getTime() / MINUTE_MS).toString(36);
}

/** A start in either form; null for anything else. */
export function startOf(text: string | undefined): Date | null {
  if (text === undefined) return null;
  if (SHORT.test(text)) return new Date(Number.parseInt(text, 36) * MINUTE_MS);
  const full = text.replace(/^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})Z$/, '$1:00Z');
  const at = isInstant(full) ? new Date(full) : null;
  return at && isSchedulable(at) ? at : null;
}
