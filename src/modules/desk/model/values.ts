export const STATUS_CATEGORIES = ['new', 'open', 'pending', 'on_hold', 'solved', 'closed'] as const;
export type StatusCategory = (typeof STATUS_CATEGORIES)[number];

/** The categories of unsolved tickets. The indexes of lists repeat them. */
export const UNSOLVED = ['new', 'open', 'pending', 'on_hold'] as const satisfies readonly StatusCategory[];

/** From least to most urgent; rows store the index. */
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type Priority = (typeof PRIORITIES)[number];

export function rankOf(priority: Priority): number {
  return PRIORITIES.indexOf(priority);
}

export function priorityOf(rank: number): Priority {
  return PRIORITIES[rank];
}

/** `api`: a key's call; `screen`: a member's; `mail`: a mail to a mailbox; `form`: a submitted form. */
export const CHANNELS = ['api', 'mail', 'form', 'screen'] as const;
export type Channel = (typeof CHANNELS)[number];

export const MESSAGE_KINDS = ['public', 'internal', 'system'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

export const AUTHOR_TYPES = ['requester', 'agent', 'system'] as const;
export type AuthorType = (typeof AUTHOR_TYPES)[number];

export interface Author {
  type: AuthorType;
  email: string | null;
  name: string | null;
}

/**
 * What SLA clocks measure: `first_response` from creation to the first public answer, `next_response` from a requester's message to
 * the answer, `resolution` from creation until the ticket is solved.
 */
export const METRICS = ['first_response', 'next_response', 'resolution'] as const;
export type Metric = (typeof METRICS)[number];

/** Minutes of a policy for one priority; null: not measured. */
export type Targets = Record<Metric, number | null>;
