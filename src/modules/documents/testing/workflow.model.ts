import { DOCUMENT_STATES, type DocumentState } from '../model/core/document-states.js';

export const KINDS = ['free', 'two_steps', 'auto'] as const;
export type Kind = (typeof KINDS)[number];
export const PEOPLE = ['ada', 'bob', 'eve'] as const;
export type PersonName = (typeof PEOPLE)[number];

export type Action =
  | {
      do:
        | 'submit'
        | 'recall'
        | 'finalize'
        | 'finalize_on_screen'
        | 'revoke'
        | 'supersede'
        | 'reopen'
        | 'edit'
        | 'send'
        | 'sign'
        | 'sign_last'
        | 'decline'
        | 'expire';
    }
  | { do: 'decide'; by: PersonName; how: 'APPROVE' | 'REJECT' | 'RETURN' }
  | { do: 'override'; to: DocumentState };

/** What each action does in every type; written independently of the product's state table. */
const SIMPLE: Partial<Record<Action['do'], { from: DocumentState[]; to: DocumentState }>> = {
  recall: { from: ['in_approval'], to: 'draft' },
  revoke: { from: ['approved', 'finalized', 'sent', 'partially_signed', 'executed'], to: 'revoked' },
  supersede: { from: ['finalized', 'executed', 'expired'], to: 'superseded' },
  reopen: { from: ['rejected', 'declined', 'expired'], to: 'draft' },
  send: { from: ['finalized'], to: 'sent' },
  sign: { from: ['sent', 'partially_signed'], to: 'partially_signed' },
  sign_last: { from: ['sent', 'partially_signed'], to: 'executed' },
  decline: { from: ['sent', 'partially_signed'], to: 'declined' },
  expire: { from: ['sent', 'partially_signed', 'executed'], to: 'expired' },
};

interface StepModel {
  people: readonly PersonName[];
  needed: number;
}

/** The approvers of each step. The type `free` has no route, so anyone may decide. */
const STEPS: Record<Kind, readonly StepModel[]> = {
  free: [{ people: PEOPLE, needed: 1 }],
  two_steps: [
    { people: ['ada', 'bob'], needed: 1 },
    { people: ['ada', 'bob'], needed: 2 },
  ],
  auto: [{ people: ['ada'], needed: 1 }],
};

/** The minimal model of a document that the product is compared with. */
export class DocumentModel {
  state: DocumentState = 'draft';
  private step = 0;
  private approvals = new Set<PersonName>();

  constructor(readonly kind: Kind) {}

  /** Applies an action. Returns `ok`, or the code of the error. */
  apply(action: Action): string {
    const errorCode = this.errorCode(action);
    if (errorCode) return errorCode;
    if (action.do === 'decide') this.decide(action.by, action.how);
    else if (action.do === 'override') this.override(action.to);
    else if (action.do === 'submit') this.enter(this.kind === 'free' ? 'approved' : 'in_approval');
    else if (action.do === 'finalize' || action.do === 'finalize_on_screen') this.state = 'finalized';
    else this.state = SIMPLE[action.do]?.to ?? this.state;
    return 'ok';
  }

  /** The allowed_actions for a key with all scopes: of the submitter, who alone recalls, or of another member, who alone decides. */
  allowed(of: 'submitter' | 'other'): string[] {
    const can = (name: Action['do']) => this.errorCode({ do: name } as Action) === null;
    const simple = (['submit', 'finalize', 'send', 'revoke', 'supersede'] as const).filter(can);
    const own = of === 'submitter' ? ['recall'] : ['approve', 'reject', 'return'];
    return [...simple, ...(this.state === 'in_approval' ? own : [])].sort();
  }

  private errorCode(action: Action): string | null {
    const from = (...states: DocumentState[]) => (states.includes(this.state) ? null : 'invalid_transition');
    switch (action.do) {
      case 'submit':
        return this.kind === 'free' ? from('draft') : from('draft', 'returned');
      case 'edit':
        return from('draft', 'returned');
      case 'finalize':
        return this.kind === 'free' ? from('draft', 'approved') : 'invalid_transition';
      case 'finalize_on_screen':
        return this.kind === 'free' ? from('draft', 'approved') : from('approved');
      case 'override':
        return this.state === 'executed' || ['sent', 'partially_signed', 'executed'].includes(action.to) ? 'invalid_transition' : null;
      case 'decide':
        return from('in_approval') ?? this.decisionErrorCode(action.by);
      default:
        return from(...(SIMPLE[action.do]?.from ?? DOCUMENT_STATES));
    }
  }

  private decisionErrorCode(by: PersonName): string | null {
    if (!STEPS[this.kind][this.step].people.includes(by)) return 'not_an_approver';
    return this.approvals.has(by) ? 'invalid_action' : null;
  }

  private decide(by: PersonName, how: 'APPROVE' | 'REJECT' | 'RETURN'): void {
    if (how !== 'APPROVE') {
      this.state = how === 'REJECT' ? 'rejected' : 'returned';
      return;
    }
    this.approvals.add(by);
    if (this.approvals.size < STEPS[this.kind][this.step].needed) return;
    this.approvals.clear();
    this.step += 1;
    if (this.step < STEPS[this.kind].length) return;
    this.state = this.kind === 'auto' ? 'finalized' : 'approved';
  }

  private override(to: DocumentState): void {
    if (to !== this.state) this.enter(to);
  }

  private enter(state: DocumentState): void {
    this.state = state;
    this.step = 0;
    this.approvals.clear();
  }
}
