import { describe, expect, test } from '@jest/globals';
import { DeliveryShares, type Slot } from './delivery-shares.js';

const SLOTS = 4_000;

interface Greedy {
  /** What is known of the endpoints. */
  slow: boolean;
  organization?: (endpoint: number) => string;
}

/** Takes slots for endpoints that never respond until no endpoint gets more. Returns how many each holds. */
function fill(shares: DeliveryShares, endpoints: number, { slow, organization = () => 'one' }: Greedy, slots: Slot[] = []): number[] {
  const held = Array<number>(endpoints).fill(0);
  for (let before = -1; before !== sum(held);) {
    before = sum(held);
    const { limit, lane, slowLane, fullOrganizations } = shares.allowance();
    let left = limit;
    for (let endpoint = 0; endpoint < endpoints; endpoint++) {
      if (slow && fullOrganizations.includes(organization(endpoint))) continue;
      const more = Math.max(0, Math.min(left, Math.min(100, slow ? slowLane : lane) - held[endpoint]));
      for (let taken = 0; taken < more; taken++) slots.push(shares.take(organization(endpoint), slow));
      held[endpoint] += more;
      left -= more;
    }
  }
  return held;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('shares', () => {
  test.each([1, 3])('%i endpoints alone get all they may have', (endpoints) => {
    expect(fill(new DeliveryShares(SLOTS), endpoints, { slow: false })).toEqual(Array(endpoints).fill(100));
  });

  test('twelve endpoints that take all they can leave slots for the next immediately', () => {
    const shares = new DeliveryShares(SLOTS);
    fill(shares, 12, { slow: false });
    expect(shares.allowance().lane).toBeGreaterThan(10);
  });

  test('a late delivery frees its slot for others', () => {
    const shares = new DeliveryShares(SLOTS);
    const slots: Slot[] = [];
    fill(shares, 200, { slow: false }, slots);
    expect(slots.length).toBeGreaterThan(SLOTS / 5);
    for (const slot of slots) slot.late();
    expect(shares.allowance()).toMatchObject({ limit: 200, lane: 125 });
  });

  test('however many slow endpoints there are, fast ones have their slots', () => {
    const shares = new DeliveryShares(SLOTS);
    const held = sum(fill(shares, 5_000, { slow: true, organization: (endpoint) => `${endpoint % 100}` }));
    expect(held).toBeGreaterThan(SLOTS / 8);
    // a claim may go too far once
    expect(held).toBeLessThan(SLOTS / 4 + 200);
    expect(shares.allowance()).toMatchObject({ limit: 200, lane: 125 });
  });

  test('one organization with slow endpoints leaves slots for those of others', () => {
    const shares = new DeliveryShares(SLOTS);
    fill(shares, 5_000, { slow: true });
    expect(shares.allowance().fullOrganizations).toEqual(['one']);
    expect(sum(fill(shares, 1, { slow: true, organization: () => 'two' }))).toBeGreaterThan(20);
  });

  test('a finished delivery frees its slot, late or not', () => {
    const shares = new DeliveryShares(SLOTS);
    const slots = Array.from({ length: 600 }, (_, n) => shares.take('one', n < 200));
    for (const slot of slots.slice(0, 400)) {
      slot.late();
      slot.late();
    }
    expect(shares.allowance()).toEqual({ limit: 200, lane: 100, slowLane: 75, fullOrganizations: [] });
    for (const slot of slots) slot.leave();
    expect(shares.allowance()).toEqual({ limit: 200, lane: 125, slowLane: 125, fullOrganizations: [] });
  });

  test('there are never more on their way than there are slots', () => {
    const shares = new DeliveryShares(8);
    const slots: Slot[] = [];
    for (let round = 0; round < 20; round++) fill(shares, 10, { slow: round % 2 === 0 }, slots);
    for (let round = 0; round < 20; round++) {
      for (const slot of slots) slot.late();
      fill(shares, 10, { slow: false }, slots);
    }
    expect([slots.length, shares.allowance().limit]).toEqual([8, 0]);
  });

  test.each([1, 2, 3])('a worker of %i slots works too', (slots) => {
    expect(new DeliveryShares(slots).allowance()).toEqual({ limit: 1, lane: 1, slowLane: 1, fullOrganizations: [] });
  });
});
