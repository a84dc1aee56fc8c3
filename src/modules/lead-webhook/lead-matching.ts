import { hash } from 'node:crypto';

/** What a lead is matched by, the strongest first. */
export const MATCHED_BY = ['external_id', 'email', 'phone'] as const;

export type MatchedBy = (typeof MATCHED_BY)[number];

/** A person's normalised values; what was not given is null. */
export type Identity = Readonly<Record<MatchedBy, string | null>>;

export interface Match {
  id: string;
  by: MatchedBy;
  /** Ids of all leads that match by anything, the one taken among them. */
  candidates: string[];
}

/**
 * Takes from the leads that match by each value, oldest first, the one to count on. Someone who changed their number
 * must not become somebody else, so the sender's own id beats the address, and the address beats the number.
 */
export function choose(hits: Readonly<Record<MatchedBy, readonly string[]>>): Match | null {
  const by = MATCHED_BY.find((name) => hits[name].length > 0);
  if (by === undefined) return null;
  return { id: hits[by][0], by, candidates: [...new Set(MATCHED_BY.flatMap((name) => hits[name]))] };
}

/** Advisory locks of a person's values in the order in which everybody takes them, so that nobody waits in a circle. */
export function lockKeys(place: readonly string[], identity: Identity): string[] {
  const keys = MATCHED_BY.filter((name) => identity[name] !== null).map((name) => lockKey([...place, name, identity[name] as string]));
  return [...new Set(keys)].sort((a, b) => (a < b ? -1 : 1)).map(String);
}

function lockKey(parts: readonly string[]): bigint {
  return hash('sha256', parts.join('\n'), 'buffer').readBigInt64BE(0);
}
