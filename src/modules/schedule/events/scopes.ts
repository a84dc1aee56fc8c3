import { CommonErrors } from '../../../kit/index.js';
import type { NamedEvent } from '../event-views/event-access.js';
import type { Scope } from './events.dto.js';

/** The part of a series that a call applies to. The id of a series or of a single event means all of it. */
export function requireScope({ event, instance }: NamedEvent, sent: Scope | undefined): Scope {
  if (instance) return sent ?? 'this';
  if (sent === undefined || sent === 'all' || event.rrule === null) return 'all';
  throw CommonErrors.validationFailed({
    param: 'apply_to',
    message: `apply_to: ${sent} requires the id of an instance, from list_calendar_events; this is the id of the series`,
    allowed: ['all'],
  });
}
