import { DAY_MS, isCalendarDay, isInstant, plusDays, validationError } from '../../../kit/index.js';
import type { Span } from '../time/spans.js';
import { localOf, isLocalTime, requireSchedulable, resolveLocal, startOfDay } from '../time/zone-time.js';

const LONGEST_DAYS = 31;
const LONGEST_ALL_DAY = 366;

/** When an event takes place. */
export interface EventTime {
  all_day: boolean;
  /** IANA name. */
  timezone: string;
  /** Whether the local time is binding; the instants are derived from it. */
  wall_clock: boolean;
  start_at: Date;
  end_at: Date;
  /** `YYYY-MM-DDTHH:MM:SS` in the zone; as it was given, also if the clocks skip it. */
  start_local: string;
  start_on: string | null;
  /** Exclusive. */
  end_on: string | null;
}

/** The members of a body that define the time: RFC 3339 times with an offset, or local times without one. */
export interface SentTime {
  start_at?: string | null;
  end_at?: string | null;
  all_day?: boolean;
  start_on?: string | null;
  end_on?: string | null;
}

/** The time of a single event if the zone does not matter: it is sent as instants. */
export function instantsOf({ start_at, end_at, all_day, recurrence }: SentTime & { recurrence?: unknown }): Span | null {
  if (all_day || recurrence || !start_at || !end_at || !isInstant(start_at) || !isInstant(end_at)) return null;
  const span = { start: Date.parse(start_at), end: Date.parse(end_at) };
  return span.start < span.end ? span : null;
}

/** Reads the time of a new event, or of one that is changed: what is absent comes from `before`. */
export function timeOf(sent: SentTime, timezone: string, before?: EventTime): EventTime {
  const allDay = sent.all_day ?? before?.all_day ?? false;
  return allDay
    ? allDayOf(sent, timezone, before?.all_day ? before : undefined)
    : timedOf(sent, timezone, before?.all_day ? undefined : before);
}

/** The same time of day and duration, starting on another local time of the same form. */
export function timeAt(time: EventTime, startLocal: string, startAt: Date): EventTime {
  if (!time.all_day) {
    const end_at = new Date(startAt.getTime() + time.end_at.getTime() - time.start_at.getTime());
    return { ...time, start_local: startLocal, start_at: startAt, end_at };
  }
  const start_on = startLocal.slice(0, 10);
  const end_on = plusDays(start_on, daysBetween(time.start_on as string, time.end_on as string));
  return { ...time, start_local: `${start_on}T00:00:00`, start_at: startAt, end_at: startOfDay(end_on, time.timezone), start_on, end_on };
}

function allDayOf({ start_at, end_at, start_on, end_on }: SentTime, timezone: string, before?: EventTime): EventTime {
  for (const [param, value] of Object.entries({ start_at, end_at }))
    if (value) throw fault(param, `${param} must be omitted for an all-day event; send start_on and end_on`);
  const first = start_on ?? before?.start_on;
  if (!first) throw missing('start_on', 'start_on is required for an all-day event');
  if (!isCalendarDay(first)) throw fault('start_on', 'start_on must be a calendar date as YYYY-MM-DD');
  const from = requireSchedulable('start_on', startOfDay(first, timezone));
  const length = before ? daysBetween(before.start_on as string, before.end_on as string) : null;
  const end = end_on ?? (length === null ? null : start_on ? plusDays(first, length) : before?.end_on);
  if (!end) throw missing('end_on', 'end_on is required for an all-day event; it is the day after the last one');
  const days = daysBetween(first, end);
  if (!(days >= 1)) throw fault('end_on', `end_on must be after start_on (${first}); it is the day after the last one`);
  if (days > LONGEST_ALL_DAY) throw fault('end_on', `an all-day event lasts at most ${LONGEST_ALL_DAY} days`);
  const to = requireSchedulable('end_on', startOfDay(end, timezone));
  if (to <= from) throw fault('start_on', `${first} never was in ${timezone}`);
  return {
    all_day: true,
    timezone,
    wall_clock: true,
    start_at: from,
    end_at: to,
    start_local: `${first}T00:00:00`,
    start_on: first,
    end_on: end,
  };
}

function timedOf({ start_at, end_at, start_on, end_on }: SentTime, timezone: string, before?: EventTime): EventTime {
  for (const [param, value] of Object.entries({ start_on, end_on }))
    if (value) throw fault(param, `${param} is only for an all-day event; send start_at and end_at`);
  const start = start_at ? instantOf(start_at, timezone, 'start_at') : before && keptStart(before, timezone);
  if (!start) throw missing('start_at', 'start_at is required, or all_day with start_on and end_on');
  const duration = before && before.end_at.getTime() - before.start_at.getTime();
  const end = end_at
    ? instantOf(end_at, timezone, 'end_at').at
    : before && (start_at || before.wall_clock ? new Date(start.at.getTime() + (duration as number)) : before.end_at);
  if (!end) throw missing('end_at', 'end_at is required, or all_day with start_on and end_on');
  requireSchedulable('start_at', start.at);
  requireSchedulable('end_at', end);
  if (end <= start.at) throw fault('end_at', 'end_at must be after start_at');
  if (end.getTime() - start.at.getTime() > LONGEST_DAYS * DAY_MS) throw fault('end_at', `an event lasts at most ${LONGEST_DAYS} days`);
  return {
    all_day: false,
    timezone,
    wall_clock: start.isLocal,
    start_at: start.at,
    end_at: end,
    start_local: start.local,
    start_on: null,
    end_on: null,
  };
}

interface Moment {
  at: Date;
  local: string;
  isLocal: boolean;
}

/** A wall-clock event keeps its local time in another zone, any other its instant. */
function keptStart({ wall_clock, start_local, start_at }: EventTime, timezone: string): Moment {
  if (wall_clock) return { at: resolveLocal(start_local, timezone), local: start_local, isLocal: true };
  return { at: start_at, local: localOf(start_at, timezone), isLocal: false };
}

function instantOf(text: string, timezone: string, param: string): Moment {
  if (isLocalTime(text)) {
    const local = text.length === 16 ? `${text}:00` : text;
    return { at: resolveLocal(local, timezone), local, isLocal: true };
  }
  if (!isInstant(text))
    throw fault(
      param,
      `${param} must be a time such as 2027-03-29T09:00:00+02:00, or a local time such as 2027-03-29T09:00, in the years 1000 to 9999`,
    );
  const at = new Date(text);
  if (at.getUTCMilliseconds() !== 0 || /\.\d*[1-9]/.test(text)) throw fault(param, `${param} must not contain fractions of a second`);
  return { at, local: localOf(at, timezone), isLocal: false };
}

/** Between two calendar days, `YYYY-MM-DD`. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}

function fault(param: string, message: string) {
  return validationError([{ param, code: 'invalid_value', message }]);
}

function missing(param: string, message: string) {
  return validationError([{ param, code: 'missing', message }]);
}
