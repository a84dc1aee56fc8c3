/** What a lead is matched by, the strongest first. */
export const MATCHED_BY = ['external_id', 'email', 'phone'] as const;

export type MatchedBy = (typeof MATCHED_BY)[number];

/** A person's normalised values; what was not given is null. */
export type Identity = Readonly<Record<MatchedBy, string | null>>;

/** Where a lead has each value. */
export const LEAD_VALUE = { external_id: 'external_id', email: 'email_normalized', phone: 'phone_normalized' } as const satisfies Record<
  MatchedBy,
  string
>;

/** What of a lead decides whether it matches. */
export type Matchable = Readonly<Record<(typeof LEAD_VALUE)[MatchedBy], string | null> & { id: string }>;

export interface Match<L extends Matchable> {
  lead: L;
  by: MatchedBy;
  /** All leads that match by anything, the one taken among them. */
  candidates: L[];
}

/**
 * Takes from leads, oldest first, the one to count on. Someone who changed their number must not become somebody else, so
 * the sender's own id beats the address, and the address beats the number.
 */
export function choose<L extends Matchable>(leads: readonly L[], identity: Identity): Match<L> | null {
  const hits = (by: MatchedBy) => leads.filter((lead) => identity[by] !== null && lead[LEAD_VALUE[by]] === identity[by]);
  const by = MATCHED_BY.find((name) => hits(name).length > 0);
  if (by === undefined) return null;
  return { lead: hits(by)[0], by, candidates: [...new Set(MATCHED_BY.flatMap(hits))] };
}

/** The mutexes of a submission: one for each of the person's values. */
export function mutexNames(place: readonly string[], identity: Identity): string[] {
  return MATCHED_BY.filter((by) => identity[by] !== null).map((by) => [...place, by, identity[by]].join('\n'));
}
