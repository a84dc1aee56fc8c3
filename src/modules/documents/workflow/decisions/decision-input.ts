import type { Decision } from '../../model/records/shown-request.js';

export type DecisionKind = 'approve' | 'reject' | 'return';

/** A decision as the caller sends it. */
export interface DecisionInput {
  kind: DecisionKind;
  /** The approver: an address, or a member. */
  approver: { email: string | null } | { memberId: string };
  comments: string | null;
  lifecycleAction: string | null;
  /** Which decision is made: its id, or the step by index or name. */
  decisionId: string | null;
  step: string | null;
}

/** What a decision is called, and the state to which it leads once it ends the approval. */
export const DECISIONS = {
  approve: { decision: 'approved', state: 'approved' },
  reject: { decision: 'rejected', state: 'rejected' },
  return: { decision: 'returned', state: 'returned' },
} as const satisfies Record<DecisionKind, { decision: Decision; state: string }>;
