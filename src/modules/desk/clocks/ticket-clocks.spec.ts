import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { StoredClocks } from '../model/stored-clocks.js';
import { METRICS, type Metric, type StatusCategory } from '../model/values.js';
import { dueTimes, newBreaches, nextClocks, type ClockedTicket, type ClockRules } from './ticket-clocks.js';

const NINE_TO_FIVE = {
  zone: 'Europe/Berlin',
  windows: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '09:00', end: '17:00' })),
  holidays: [],
};
const hour: ClockRules = { targets: { first_response: 60, next_response: 60, resolution: null }, hours: NINE_TO_FIVE, pauseOnHold: false };
const fresh: ClockedTicket = { status_category: 'new', first_answered_at: null, waiting_since_at: new Date(0) };
const at = (text: string) => new Date(`${text}:00+01:00`);

describe('the clocks of a ticket', () => {
  it('a mail on Friday at 16:45, hours 9 to 17, one hour to respond: due on Monday at 9:45', () => {
    const clocks = nextClocks({}, fresh, hour, null, at('2026-11-20T16:45'));
    expect(dueTimes(clocks).sla_due_at).toEqual(at('2026-11-23T09:45'));
    expect(clocks.resolution).toBeUndefined();
  });

  it('a ticket that is merged away meets nothing and is never due again', () => {
    const clocks = nextClocks({}, fresh, hour, null, at('2026-11-23T10:00'));
    const merged: ClockedTicket = { status_category: 'closed', first_answered_at: null, waiting_since_at: null };
    const after = nextClocks(clocks, merged, hour, NINE_TO_FIVE, at('2026-11-23T10:30'));
    expect(after.first_response).toMatchObject({ used_seconds: 1800, met_at: null, due_at: null, running_since_at: null });
    expect(dueTimes(after)).toEqual({ sla_due_at: null, breach_due_at: null });
  });

  it('on hold pauses only if the policy says so', () => {
    const held = { ...fresh, status_category: 'on_hold' } as const;
    const start = at('2026-11-23T10:00');
    expect(nextClocks({}, held, hour, null, start).first_response?.due_at).not.toBeNull();
    expect(nextClocks({}, held, { ...hour, pauseOnHold: true }, null, start).first_response?.due_at).toBeNull();
  });

  it('hours that are changed while a clock runs move its due time', () => {
    const clocks = nextClocks({}, fresh, hour, null, at('2026-11-20T16:45'));
    const closedOnMonday: ClockRules = { ...hour, hours: { ...NINE_TO_FIVE, holidays: ['2026-11-23'] } };
    const after = nextClocks(clocks, fresh, closedOnMonday, closedOnMonday.hours, at('2026-11-23T09:45'));
    expect(after.first_response).toMatchObject({ due_at: at('2026-11-24T09:45').toISOString(), breached_at: null });
  });

  type Step = { minutes: number; act: 'ask' | 'answer' | 'measured' | 'unmeasured' | StatusCategory };
  const step: fc.Arbitrary<Step> = fc.record({
    minutes: fc.integer({ min: 0, max: 90 }),
    act: fc.constantFrom('ask', 'answer', 'open', 'pending', 'on_hold', 'solved', 'measured', 'unmeasured'),
  });

  /** What a wall clock that looks once a minute would count of one metric. */
  function countedMinutes(steps: readonly Step[], metric: Metric): number {
    let ticket = fresh;
    let counted = 0;
    let now = 0;
    let isMeasured = true;
    for (const { minutes, act } of steps) {
      const { status_category: category, first_answered_at: first, waiting_since_at: waiting } = ticket;
      const runs = category !== 'pending' && category !== 'solved';
      const wanted = { first_response: first === null, next_response: first !== null && waiting !== null, resolution: true }[metric];
      if (runs && wanted && isMeasured) counted += minutes;
      now += minutes;
      if (act === 'measured' || act === 'unmeasured') isMeasured = act === 'measured';
      ticket = after(ticket, act, new Date(now * 60_000));
      if (metric === 'next_response' && act === 'answer') counted = 0;
    }
    return counted;
  }

  function after(ticket: ClockedTicket, act: Step['act'], now: Date): ClockedTicket {
    if (act === 'answer') return { ...ticket, first_answered_at: ticket.first_answered_at ?? now, waiting_since_at: null };
    if (act === 'ask') return { ...ticket, status_category: 'open', waiting_since_at: ticket.waiting_since_at ?? now };
    return act === 'measured' || act === 'unmeasured' ? ticket : { ...ticket, status_category: act };
  }

  it('count what a wall clock counts, whatever happens, and report each breach once', () => {
    const measured: ClockRules = { targets: { first_response: 45, next_response: 30, resolution: 120 }, hours: null, pauseOnHold: false };
    const none = { first_response: null, next_response: null, resolution: null };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let ticket = fresh;
        let now = new Date(0);
        let rules: ClockRules | null = measured;
        let clocks: StoredClocks = nextClocks({}, ticket, rules, null, now);
        const reported: string[] = [];
        const follow = (state: ClockedTicket) => {
          const next = nextClocks(clocks, state, rules, null, now);
          reported.push(...newBreaches(clocks, next).map(({ metric, cycle }) => `${metric} ${cycle}`));
          // doing it again changes nothing
          expect(nextClocks(next, state, rules, null, now)).toEqual(next);
          clocks = next;
        };
        for (const [index, { minutes, act }] of steps.entries()) {
          now = new Date(now.getTime() + minutes * 60_000);
          // the job may look in between
          if (index % 2 === 0) follow(ticket);
          ticket = after(ticket, act, now);
          if (act === 'measured') rules = measured;
          // a priority without targets, or no policy at all
          if (act === 'unmeasured') rules = index % 3 === 0 ? null : { ...measured, targets: none };
          follow(ticket);
        }
        expect(new Set(reported).size).toBe(reported.length);
        for (const metric of METRICS) {
          const clock = clocks[metric];
          if (!clock || (metric === 'next_response' && clock.met_at !== null)) continue;
          const running = clock.running_since_at === null ? 0 : now.getTime() / 1000 - Date.parse(clock.running_since_at) / 1000;
          const used = clock.used_seconds + running;
          expect({ metric, used }).toEqual({ metric, used: countedMinutes(steps, metric) * 60 });
          expect(clock.target_seconds === null).toBe(rules?.targets[metric] == null);
          const target = (measured.targets[metric] as number) * 60;
          if (used > target) expect(clock.breached_at).not.toBeNull();
          if (used < target) expect(clock.breached_at).toBeNull();
        }
      }),
      { numRuns: 300 },
    );
  });
});
