import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { LAST_DAY, resolveLocal } from '../time/zone-time.js';
import { LONGEST_YEARS, MOST_INSTANCES, ruleFault, type RecurrenceRule, type SeriesStart } from './recurrence-rule.js';

/**
 * The local starts of a series in the form of `startLocal`, in order, without those in `exdates` (same form). A series has at
 * most 366 instances within five years, and its start must be the rule's first date; otherwise the error names `param`.
 */
export function expand(rule: RecurrenceRule, startLocal: string, exdates: readonly string[] = [], param = 'recurrence.rrule'): string[] {
  const [start, time] = [startLocal.slice(0, 10), startLocal.slice(10)];
  const dates = libraryRule(rule, start)
    .all((_, index) => index <= MOST_INSTANCES)
    .map((date) => date.toPlainDate());
  const [first] = dates;
  if (first?.toString() !== start) {
    const named = first ? `, which is ${first.toString()}` : '';
    throw ruleFault(param, `the event must start on the first date of the rule${named}`);
  }
  if (dates.length > MOST_INSTANCES)
    throw ruleFault(param, `a series has at most ${MOST_INSTANCES} instances; set COUNT or an earlier UNTIL`);
  const last = dates.at(-1) as Temporal.PlainDate;
  if (Temporal.PlainDate.compare(last, first.add({ years: LONGEST_YEARS })) > 0)
    throw ruleFault(param, `a series ends within ${LONGEST_YEARS} years; set a smaller COUNT or an earlier UNTIL`);
  if (Temporal.PlainDate.compare(last, LAST_DAY) > 0) throw ruleFault(param, `a series ends on ${LAST_DAY} at the latest`);
  const left = new Set(exdates);
  return dates.map((date) => date.toString() + time).filter((local) => !left.has(local));
}

/** Local starts with their instants. Of starts that are the same instant, because the clocks skip a whole day, the first remains. */
export function instantsOf(locals: readonly string[], { zone }: Pick<SeriesStart, 'zone'>): { local: string; at: Date }[] {
  const seen = new Set<number>();
  return locals
    .map((local) => ({ local, at: resolveLocal(local.length === 10 ? `${local}T00:00` : local, zone) }))
    .filter(({ at }) => !seen.has(at.getTime()) && seen.add(at.getTime()));
}

/** Over dates in UTC: given the zone itself, the library leaves out local times that the clocks skip. */
function libraryRule(rule: RecurrenceRule, startOn: string) {
  return new RRuleTemporal({
    freq: rule.frequency,
    interval: rule.interval,
    dtstart: Temporal.ZonedDateTime.from(`${startOn}T00:00[UTC]`),
    ...(rule.byDay.length > 0 && { byDay: rule.byDay.map(({ nth, weekday }) => `${nth ?? ''}${weekday}`) }),
    ...(rule.byMonthDay.length > 0 && { byMonthDay: [...rule.byMonthDay] }),
    ...(rule.weekStart !== null && { wkst: rule.weekStart }),
    ...(rule.count !== null && { count: rule.count }),
    ...(rule.untilOn !== null && { until: Temporal.ZonedDateTime.from(`${rule.untilOn}T00:00[UTC]`) }),
  });
}
