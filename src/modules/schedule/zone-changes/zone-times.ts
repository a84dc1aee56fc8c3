import type { PlannedInstance } from '../events/series.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import type { Instance } from '../model/records/instance.entity.js';
import { resolveLocal, startOfDay } from '../time/zone-time.js';

type Times = Pick<ScheduleEvent, 'start_at' | 'end_at'>;

/** The instants of an event's local time by the zone's current rules. */
export function timesByZone({ all_day, timezone, start_local, end_on, start_at, end_at }: ScheduleEvent): Times {
  return timesOf(timezone, start_local, all_day ? end_on : null, { start_at, end_at });
}

/** The times of an instance by the zone's current rules; null if they are unchanged. */
export function moveByZone({ timezone }: ScheduleEvent, instance: Instance): PlannedInstance | null {
  const { id, original_start_local, start_local, end_on, overrides } = instance;
  const original_start_at = resolveLocal(original_start_local, timezone);
  const times = timesOf(timezone, start_local, end_on, instance);
  const isThere = times.start_at.getTime() === instance.start_at.getTime() && times.end_at.getTime() === instance.end_at.getTime();
  if (isThere && original_start_at.getTime() === instance.original_start_at.getTime()) return null;
  return { id, original_start_at, original_start_local, start_local, end_on, overrides, ...times };
}

/** An event of whole days ends on a date, a timed one after its duration. */
function timesOf(zone: string, startLocal: string, endOn: string | null, { start_at, end_at }: Times): Times {
  const start = resolveLocal(startLocal, zone);
  const end = endOn === null ? new Date(start.getTime() + end_at.getTime() - start_at.getTime()) : startOfDay(endOn, zone);
  return { start_at: start, end_at: end };
}
