/** Days that can be taken from `on` to `expires_on`, in hundredths of a day. Grants with the same period form one lot. */
export interface Grant {
  on: string;
  /** The last day; null: never. */
  expires_on: string | null;
  amount: number;
}

/** A day of leave, in hundredths of a day. */
export interface Use {
  on: string;
  amount: number;
}

interface Lot {
  on: string;
  expires_on: string | null;
  amount: number;
  /** The days not taken; final once the lot has expired. */
  left: number;
}

export interface Allocation {
  lots: Lot[];
  /** The days that no lot covered when they were taken, even if a later lot has compensated them. */
  overdrawn: number;
}

/**
 * Takes leave from lots, in chronological order, each day from the lot that expires first. Days that exceed all lots are owed and taken
 * from the next lot that begins. The result depends only on the entries, not on the order in which they were posted.
 */
export function allocate(grants: readonly Grant[], uses: readonly Use[]): Allocation {
  const lots = lotsOf(grants);
  const opening = lots.toSorted((a, b) => compare(a.on, b.on) || byExpiry(a, b));
  const open: Lot[] = [];
  let owed = 0;
  let overdrawn = 0;
  const openUntil = (day: string | null) => {
    const next = opening.findIndex(({ on }) => day !== null && on > day);
    for (const lot of opening.splice(0, next === -1 ? opening.length : next)) {
      const paid = Math.min(owed, lot.left);
      lot.left -= paid;
      owed -= paid;
      open.push(lot);
    }
  };
  for (const use of uses.toSorted((a, b) => compare(a.on, b.on))) {
    openUntil(use.on);
    let rest = use.amount;
    for (const lot of open.filter(({ expires_on }) => expires_on === null || expires_on >= use.on).sort(byExpiry)) {
      const taken = Math.min(rest, lot.left);
      lot.left -= taken;
      rest -= taken;
    }
    owed += rest;
    overdrawn += rest;
  }
  openUntil(null);
  return { lots, overdrawn };
}

function lotsOf(grants: readonly Grant[]): Lot[] {
  const lots = new Map<string, Lot>();
  for (const { on, expires_on, amount } of grants) {
    const key = `${on} ${expires_on}`;
    const lot = lots.get(key) ?? { on, expires_on, amount: 0, left: 0 };
    lot.amount += amount;
    // a correction may take back more than was granted
    lot.left = Math.max(0, lot.amount);
    lots.set(key, lot);
  }
  return [...lots.values()];
}

function byExpiry(a: Lot, b: Lot): number {
  return compare(a.expires_on ?? '9999', b.expires_on ?? '9999') || compare(a.on, b.on);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
