/** What the next claim may take. */
export interface Allowance {
  /** Deliveries in all. */
  limit: number;
  /** Deliveries that one endpoint may have in flight. */
  lane: number;
  /** The same for an endpoint known to be slow or failing; 0 while their part is used up. */
  slowLane: number;
  /** Organizations whose slow endpoints have used up their part. */
  fullOrganizations: string[];
}

/** A claimed delivery's place among what is on its way. */
export interface Place {
  /** It takes long: from now on it counts to the slow ones, whatever was known of its endpoint. */
  late(): void;
  leave(): void;
}

const MOST_PER_CLAIM = 200;
/** The prompt ones together. Whatever does not move leaves this part soon, as it is late then. */
const PROMPT_PART = 1 / 4;
/** Those claimed as slow, together. What is left of the places is for what turned out to be slow on its way. */
const SLOW_PART = 1 / 4;
/** An endpoint may hold this part of what is still free, so that however many are greedy something is left for the next. */
const LANE_PART = 1 / 8;

/**
 * Divides a worker's places. Every share is a part of what is free and not of the whole: alone an endpoint has all it may
 * want, and many get less each. Slow endpoints have a part of their own, so prompt ones never wait for them.
 */
export class DeliveryShares {
  private taken = 0;
  private slow = 0;
  private readonly slowOf = new Map<string, number>();

  constructor(private readonly places: number) {}

  allowance(): Allowance {
    const promptFree = Math.max(0, Math.ceil(this.places * PROMPT_PART) - (this.taken - this.slow));
    const slowFree = Math.max(0, Math.ceil(this.places * SLOW_PART) - this.slow);
    return {
      // a claim that took all would leave nothing for an endpoint that comes a moment later
      limit: Math.min(Math.ceil(promptFree / 2), this.places - this.taken, MOST_PER_CLAIM),
      lane: laneOf(promptFree),
      slowLane: slowFree === 0 ? 0 : laneOf(slowFree),
      fullOrganizations: [...this.slowOf].filter(([, slow]) => slow >= slowFree).map(([id]) => id),
    };
  }

  take(organizationId: string, slow: boolean): Place {
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
  return Math.max(1, Math.floor(free * LANE_PART));
}
