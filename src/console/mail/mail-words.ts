import type { Html } from '../../kit/index.js';
import { badge, type Tone } from '../components/badge.js';

const STATUSES: Readonly<Record<string, readonly [label: string, tone: Tone, meaning: string]>> = {
  queued: ['Queued', 'neutral', 'It is sent in a moment, or tried again soon.'],
  sent: ['Sent', 'good', 'The mail server has accepted it.'],
  failed: ['Failed', 'bad', 'The mail server rejected it permanently, or did not accept it within five days.'],
  held: ['Held', 'warn', 'It was written while no mail server was set, and waits until it is sent again.'],
  suppressed: ['Not sent', 'neutral', 'Mail of test data is never sent.'],
};

export const MAIL_STATUS_OPTIONS = Object.entries(STATUSES).map(([value, [label]]) => ({ value, label }));

export function mailBadge(status: string): Html {
  const [label, tone] = STATUSES[status];
  return badge(label, tone);
}

/** What the status means. */
export function mailMeaning(status: string): string {
  return STATUSES[status][2];
}
