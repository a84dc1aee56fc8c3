/**
 * A model of balances, independent of the product's: it walks through the days one by one and keeps single half days of grants, each with
 * its last day. Leave takes the half day that expires first; what is missing is owed to later ones.
 */
export interface ModelGrant {
  on: string;
  expires_on: string | null;
  halves: number;
}

export interface ModelYear {
  carried: number;
  granted: number;
  expired: number;
  used: number;
  available: number;
}

export interface ModelRules {
  /** Half days. */
  carryLimit: number;
  carryUntil: string;
}

export class LeaveModel {
  readonly grants: ModelGrant[] = [];
  /** Half days of leave by day; of approved leave only. */
  readonly leave = new Map<string, number>();
  /** Half days that were taken away by adjustments, by day. */
  readonly taken = new Map<string, number>();

  constructor(private readonly rules: ModelRules) {}

  /** What a year looks like at its end, if nothing else happens. */
  year(year: number): ModelYear {
    const result: ModelYear = { carried: 0, granted: 0, expired: 0, used: 0, available: 0 };
    const first = Math.min(
      ...[...this.grants.map(({ on }) => on), ...this.leave.keys(), ...this.taken.keys()].map((day) => Number(day.slice(0, 4))),
    );
    let purse: (string | null)[] = [];
    let owed = 0;
    for (let time = Date.UTC(Number.isFinite(first) ? first : year, 0, 1); time <= Date.UTC(year, 11, 31); time += 86_400_000) {
      const day = new Date(time).toISOString().slice(0, 10);
      const isCounted = day.startsWith(String(year));
      const gone = purse.filter((last) => last !== null && last < day);
      purse = purse.filter((last) => last === null || last >= day);
      if (day === `${year}-01-01`) result.carried = purse.length - owed;
      else if (isCounted) result.expired += gone.length;
      const put = (count: number, last: string | null) => {
        for (let half = 0; half < count; half++)
          if (owed > 0) owed--;
          else purse.push(last);
      };
      if (day.endsWith('-01-01')) {
        const ended = gone.filter((last) => last === `${Number(day.slice(0, 4)) - 1}-12-31`).length;
        const carried = Math.min(ended, this.rules.carryLimit);
        if (isCounted) result.carried += carried;
        put(carried, `${day.slice(0, 4)}-${this.rules.carryUntil}`);
      }
      for (const grant of this.grants.filter(({ on }) => on === day)) {
        put(grant.halves, grant.expires_on);
        if (isCounted) result.granted += grant.halves;
      }
      const wanted = (this.leave.get(day) ?? 0) + (this.taken.get(day) ?? 0);
      if (isCounted) {
        result.used += this.leave.get(day) ?? 0;
        result.granted -= this.taken.get(day) ?? 0;
      }
      for (let half = 0; half < wanted; half++) {
        const index = purse.indexOf(purse.filter((last) => last !== null).sort()[0] ?? null);
        if (index === -1) owed++;
        else purse.splice(index, 1);
      }
    }
    result.available = purse.length - owed;
    return result;
  }
}
