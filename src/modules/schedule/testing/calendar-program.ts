import ICAL from 'ical.js';
import ical, { type VEvent } from 'node-ical';

/** What a calendar program shows of a date: its start, as an instant or, for whole days, a date. */
export interface ShownDate {
  start: string;
  title: string;
}

/** The events of one UID; components are text without folding. */
interface Stored {
  sequence: number;
  zones: string[];
  whole: string | null;
  /** By their line RECURRENCE-ID. */
  dates: Map<string, string>;
  canceled: Set<string>;
}

/**
 * A calendar program that receives iCalendar objects as RFC 5546 says. Two independent libraries read what it then contains, and
 * must agree.
 */
export class CalendarProgram {
  private readonly events = new Map<string, Stored>();

  receive(text: string): this {
    const lines = text.replace(/\r\n[ \t]/g, '');
    const method = /^METHOD:(\w+)/m.exec(lines)?.[1];
    const components = blocks(lines, 'VEVENT');
    const sequences = new Set(components.map((component) => valueOf(component, 'SEQUENCE')));
    const uids = new Set(components.map((component) => valueOf(component, 'UID')));
    if (method !== 'PUBLISH' && (uids.size !== 1 || sequences.size !== 1)) throw new Error(`Not one UID and one SEQUENCE: ${text}`);
    // the whole event first, which replaces what was known of its dates
    for (const component of components.sort((a, b) => recurrenceId(a).length - recurrenceId(b).length))
      this.apply(component, method === 'CANCEL', blocks(lines, 'VTIMEZONE'));
    return this;
  }

  /** All dates in order. */
  shown(): ShownDate[] {
    return [...this.events.values()].flatMap((stored) => datesOf(stored)).sort((a, b) => (a.start < b.start ? -1 : 1));
  }

  private apply(component: string, isCanceled: boolean, zones: string[]): void {
    const [uid, sequence] = [valueOf(component, 'UID'), Number(valueOf(component, 'SEQUENCE'))];
    const known = this.events.get(uid);
    if (known && sequence < known.sequence) return;
    const id = recurrenceId(component);
    if (id === '') {
      if (isCanceled) this.events.delete(uid);
      else this.events.set(uid, { sequence, zones, whole: component, dates: new Map(), canceled: new Set() });
      return;
    }
    const stored = known ?? { sequence, zones, whole: null, dates: new Map<string, string>(), canceled: new Set<string>() };
    this.events.set(uid, { ...stored, sequence });
    if (isCanceled) {
      stored.dates.delete(id);
      stored.canceled.add(id);
    } else {
      stored.canceled.delete(id);
      stored.dates.set(id, component);
    }
  }
}

function datesOf({ zones, whole, dates, canceled }: Stored): ShownDate[] {
  const exdates = [...canceled].map((id) => id.replace('RECURRENCE-ID', 'EXDATE'));
  const series = whole?.replace('END:VEVENT', [...exdates, 'END:VEVENT'].join('\r\n'));
  const text = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:test',
    ...zones,
    ...(series ? [series] : []),
    ...dates.values(),
    'END:VCALENDAR',
    '',
  ];
  const [one, other] = [datesByIcalJs(text.join('\r\n')), datesByNodeIcal(text.join('\r\n'))];
  if (JSON.stringify(one) !== JSON.stringify(other)) throw new Error(`Readers differ: ${JSON.stringify([one, other])} ${text.join('\n')}`);
  return one;
}

function datesByIcalJs(text: string): ShownDate[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as never);
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  try {
    const components = calendar.getAllSubcomponents('vevent');
    const exceptions = components.filter((component) => component.hasProperty('recurrence-id'));
    const whole = components.find((component) => !component.hasProperty('recurrence-id'));
    const shown = (start: ICAL.Time, title: string) => ({ start: start.isDate ? start.toString() : start.toJSDate().toISOString(), title });
    if (!whole) return exceptions.map((component) => new ICAL.Event(component)).map(({ startDate, summary }) => shown(startDate, summary));
    const event = new ICAL.Event(whole, { exceptions });
    if (!event.isRecurring()) return [shown(event.startDate, event.summary)];
    const found: ShownDate[] = [];
    const iterator = event.iterator();
    let matched = 0;
    for (let next = iterator.next() as ICAL.Time | null; next; next = iterator.next() as ICAL.Time | null) {
      const { startDate, item } = event.getOccurrenceDetails(next);
      if (item.isRecurrenceException()) matched++;
      found.push(shown(startDate, item.summary));
    }
    // programs show such a date in addition to that of the rule
    if (matched !== exceptions.length) throw new Error(`A RECURRENCE-ID is no date of the rule: ${text}`);
    return inOrder(found);
  } finally {
    ICAL.TimezoneService.reset();
  }
}

function datesByNodeIcal(text: string): ShownDate[] {
  const events = Object.values(ical.sync.parseICS(text)).filter((found): found is VEvent => found?.type === 'VEVENT');
  const window = { from: new Date('2000-01-01'), to: new Date('2060-01-01') };
  const found = events.flatMap((event) => ical.expandRecurringEvent(event, window));
  return inOrder(
    found.map(({ start, summary, isFullDay }) => {
      const at = new Date(start);
      const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
      return { start: isFullDay ? day : at.toISOString(), title: String(summary) };
    }),
  );
}

function inOrder(dates: ShownDate[]): ShownDate[] {
  return dates.sort((a, b) => (a.start < b.start ? -1 : 1));
}

function blocks(lines: string, name: string): string[] {
  return lines.match(new RegExp(`^BEGIN:${name}\r\n[^]*?^END:${name}`, 'gm')) ?? [];
}

function valueOf(component: string, name: string): string {
  return new RegExp(`^${name}[^:\r\n]*:(.*)\r$`, 'm').exec(component)?.[1] ?? '';
}

function recurrenceId(component: string): string {
  return /^RECURRENCE-ID.*(?=\r$)/m.exec(component)?.[0] ?? '';
}
