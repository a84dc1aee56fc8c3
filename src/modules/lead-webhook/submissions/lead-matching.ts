/** The values that leads are matched by, strongest first. */
export const MATCHED_BY = ['external_id', 'email', 'phone'] as const;

export type MatchedBy = (typeof MATCHED_BY)[number];

/** A person's normalized values; null when not given. */
export type Identity = Readonly<Record<MatchedBy, string | null>>;

/** The column of each value. */
const LEAD_VALUE = { external_id: 'external_id', email: 'email_normalized', phone: 'phone_normalized' } as const satisfies Record<
  MatchedBy,
  string
>;

/** The columns of a lead that matching needs. */
export type Matchable = Readonly<Record<(typeof LEAD_VALUE)[MatchedBy], string | null> & { id: string }>;

export interface Match<L extends Matchable> {
  lead: L;
  by: MatchedBy;
  /** All leads that match by any value, this one included. */
  candidates: L[];
}

/**
 * The lead that a submission belongs to; `leads` are sorted oldest first. The sender's own id takes precedence over the
 * e-mail address, and the address over the phone number, because people change their numbers.
 */
export function bestMatch<L extends Matchable>(leads: readonly L[], identity: Identity): Match<L> | null {
  const hits = (by: MatchedBy) => leads.filter((lead) => identity[by] !== null && lead[LEAD_VALUE[by]] === identity[by]);
  const by = MATCHED_BY.find((name) => hits(name).length > 0);
  if (by === undefined) return null;
  return { lead: hits(by)[0], by, candidates: [...new Set(MATCHED_BY.flatMap(hits))] };
}

/** The mutexes of a submission: one for each value of the person. `scope` is the organization, project and mode. */
export function mutexNames(scope: readonly string[], identity: Identity): string[] {
  return MATCHED_BY.filter((by) => identity[by] !== null).map((by) => [...scope, by, identity[by]].join('\n'));
}
