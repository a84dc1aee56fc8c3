/** The limits of the next claim. */
export interface Allowance {
  /** Maximum number of deliveries. */
  limit: number;
  /** Maximum number of deliveries in flight per endpoint. */
  lane: number;
  /** The same for an endpoint known to be slow or failing; 0 while their share is exhausted. */
  slowLane: number;
  /** Organizations whose slow endpoints have exhausted their share. */
  fullOrganizations: string[];
}

/** The slot of a delivery in flight. */
export interface Slot {
  /** Marks the delivery as slow, whatever was known of its endpoint. */
  late(): void;
  leave(): void;
}

const MOST_PER_CLAIM = 200;
/** The share of all fast deliveries. A delivery that takes long moves out of it, because it then counts as slow. */
const FAST_SHARE = 1 / 4;
/** The share of all deliveries that are claimed as slow. The remaining slots are for deliveries that turn out to be slow. */
const SLOW_SHARE = 1 / 4;
/** The part of the free slots that one endpoint may take, so that any number of busy endpoints leaves some for the next. */
const LANE_SHARE = 1 / 8;

/**
 * Divides a worker's slots. Every share is a part of the free slots, not of all: a single endpoint gets as many as it can use, and
 * many get less each. Slow endpoints have a separate share, so fast ones never wait for them.
 */
export class DeliveryShares {
  private taken = 0;
  private slow = 0;
  private readonly slowOf = new Map<string, number>();

  constructor(private readonly slots: number) {}

  allowance(): Allowance {
    const fastFree = Math.max(0, Math.ceil(this.slots * FAST_SHARE) - (this.taken - this.slow));
    const slowFree = Math.max(0, Math.ceil(this.slots * SLOW_SHARE) - this.slow);
    return {
      // a claim of all slots would leave none for the next endpoint
      limit: Math.min(Math.ceil(fastFree / 2), this.slots - this.taken, MOST_PER_CLAIM),
      lane: laneOf(fastFree),
      slowLane: slowFree === 0 ? 0 : laneOf(slowFree),
      fullOrganizations: [...this.slowOf].filter(([, slow]) => slow >= slowFree).map(([id]) => id),
    };
  }

  take(organizationId: string, slow: boolean): Slot {
    let counted = false;
    const late = () => {
      if (counted) return;
      counted = true;
      this.countSlow(organizationId, 1);
    };
    this.taken++;
    if (slow) late();
    return {
      late,
      leave: () => {
        this.taken--;
        if (counted) this.countSlow(organizationId, -1);
      },
    };
  }

  private countSlow(organizationId: string, change: number): void {
    this.slow += change;
    const now = (this.slowOf.get(organizationId) ?? 0) + change;
    if (now === 0) this.slowOf.delete(organizationId);
    else this.slowOf.set(organizationId, now);
  }
}

function laneOf(free: number): number {
  return Math.max(1, Math.floor(free * LANE_SHARE));
}
