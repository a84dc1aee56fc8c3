/** The states of a document. A type may label them differently, but rules and events depend on these. */
export const DOCUMENT_STATES = [
  'draft',
  'in_approval',
  'returned',
  'rejected',
  'approved',
  'finalized',
  'sent',
  'partially_signed',
  'executed',
  'declined',
  'expired',
  'revoked',
  'superseded',
] as const;
export type DocumentState = (typeof DOCUMENT_STATES)[number];

/** The triggers that move a document between states. The transitions of a type's lifecycle refer to these. */
export const TRIGGERS = [
  'submit',
  'approve',
  'reject',
  'return',
  'recall',
  'finalize',
  'send',
  'sign',
  'decline',
  'expire',
  'revoke',
  'supersede',
  'reopen',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** Who may make a move: `api` a key or a member, `screen` a member, `party` a signing party, `system` a scheduled job. */
type MoveBy = 'api' | 'screen' | 'party' | 'system';

/** Events that a move emits after `paper.state_changed`, in this order. */
export type MoveEvent = 'finalized' | 'sent' | 'signed' | 'fullyExecuted' | 'declined' | 'expired' | 'revoked' | 'superseded';

export interface StateMove {
  trigger: Trigger;
  from: readonly DocumentState[];
  to: DocumentState;
  by: MoveBy;
  /** Limits the move to types that do, or do not, require approval; both when absent. */
  approvalRequired?: boolean;
  events: readonly MoveEvent[];
}

/**
 * The state table. No other move is possible, except an override, which goes from any state to any of OVERRIDE_TARGETS. A document
 * that was executed can be neither overridden nor reopened. Creating a document puts it in `draft` and is not a move.
 */
export const STATE_MOVES: readonly StateMove[] = [
  { trigger: 'submit', from: ['draft', 'returned'], to: 'in_approval', by: 'api', approvalRequired: true, events: [] },
  { trigger: 'submit', from: ['draft'], to: 'approved', by: 'api', approvalRequired: false, events: [] },
  { trigger: 'approve', from: ['in_approval'], to: 'approved', by: 'api', events: [] },
  { trigger: 'reject', from: ['in_approval'], to: 'rejected', by: 'api', events: [] },
  { trigger: 'return', from: ['in_approval'], to: 'returned', by: 'api', events: [] },
  { trigger: 'recall', from: ['in_approval'], to: 'draft', by: 'api', events: [] },
  { trigger: 'finalize', from: ['approved'], to: 'finalized', by: 'api', events: ['finalized'] },
  { trigger: 'finalize', from: ['draft'], to: 'finalized', by: 'api', approvalRequired: false, events: ['finalized'] },
  { trigger: 'send', from: ['finalized'], to: 'sent', by: 'api', events: ['sent'] },
  { trigger: 'sign', from: ['sent', 'partially_signed'], to: 'partially_signed', by: 'party', events: ['signed'] },
  { trigger: 'sign', from: ['sent', 'partially_signed'], to: 'executed', by: 'party', events: ['signed', 'fullyExecuted'] },
  { trigger: 'decline', from: ['sent', 'partially_signed'], to: 'declined', by: 'party', events: ['declined'] },
  { trigger: 'expire', from: ['sent', 'partially_signed', 'executed'], to: 'expired', by: 'system', events: ['expired'] },
  {
    trigger: 'revoke',
    from: ['approved', 'finalized', 'sent', 'partially_signed', 'executed'],
    to: 'revoked',
    by: 'api',
    events: ['revoked'],
  },
  { trigger: 'supersede', from: ['finalized', 'executed', 'expired'], to: 'superseded', by: 'api', events: ['superseded'] },
  { trigger: 'reopen', from: ['rejected', 'declined', 'expired', 'sent', 'partially_signed'], to: 'draft', by: 'screen', events: [] },
];

/** The states an override may set. States that claim that parties were asked to sign, or have signed, are excluded. */
export const OVERRIDE_TARGETS: readonly DocumentState[] = DOCUMENT_STATES.filter(
  (state) => state !== 'sent' && state !== 'partially_signed' && state !== 'executed',
);

/** The moves that are possible from a state. */
export function movesFrom(state: DocumentState, requiresApproval: boolean): StateMove[] {
  return STATE_MOVES.filter(
    ({ from, approvalRequired }) => from.includes(state) && (approvalRequired ?? requiresApproval) === requiresApproval,
  );
}

export function findMove(trigger: Trigger, from: DocumentState, to: DocumentState, requiresApproval: boolean): StateMove | undefined {
  return movesFrom(from, requiresApproval).find((move) => move.trigger === trigger && move.to === to);
}

/** Whether signatures are being collected in this state. */
export function isBeingSigned(state: DocumentState): boolean {
  return state === 'sent' || state === 'partially_signed';
}

/** Whether all parties have signed it once. Such a document is final: it can be superseded and revoked, and its validity can end. */
export function wasExecuted({ state, executed_at }: { state: DocumentState; executed_at: Date | null }): boolean {
  return state === 'executed' || executed_at !== null;
}
