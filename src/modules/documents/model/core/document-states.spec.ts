import { describe, expect, it } from '@jest/globals';
import {
  DOCUMENT_STATES,
  findMove,
  movesFrom,
  OVERRIDE_TARGETS,
  STATE_MOVES,
  TRIGGERS,
  type DocumentState,
  type Trigger,
} from './document-states.js';
import { firstStage, requireTransition, STANDARD_LIFECYCLE, stageAfter, type Lifecycle } from './lifecycle.js';

type Row = [
  trigger: Trigger,
  from: DocumentState[],
  to: DocumentState,
  types: 'all' | 'with approval' | 'without approval',
  events: string[],
];

/** The contract's table, written out a second time: what the code has beyond it or lacks of it is a fault. */
const CONTRACT: Row[] = [
  ['submit', ['draft', 'returned'], 'in_approval', 'with approval', []],
  ['submit', ['draft'], 'approved', 'without approval', []],
  ['approve', ['in_approval'], 'approved', 'all', []],
  ['reject', ['in_approval'], 'rejected', 'all', []],
  ['return', ['in_approval'], 'returned', 'all', []],
  ['recall', ['in_approval'], 'draft', 'all', []],
  ['finalize', ['approved'], 'finalized', 'all', ['finalized']],
  ['finalize', ['draft'], 'finalized', 'without approval', ['finalized']],
  ['send', ['finalized'], 'sent', 'all', ['sent']],
  ['sign', ['sent', 'partially_signed'], 'partially_signed', 'all', ['signed']],
  ['sign', ['sent', 'partially_signed'], 'executed', 'all', ['signed', 'fullyExecuted']],
  ['decline', ['sent', 'partially_signed'], 'declined', 'all', ['declined']],
  ['expire', ['sent', 'partially_signed', 'executed'], 'expired', 'all', ['expired']],
  ['revoke', ['approved', 'finalized', 'sent', 'partially_signed', 'executed'], 'revoked', 'all', ['revoked']],
  ['supersede', ['finalized', 'executed', 'expired'], 'superseded', 'all', ['superseded']],
  ['reopen', ['rejected', 'declined', 'expired', 'sent', 'partially_signed'], 'draft', 'all', []],
];

const everyMove = TRIGGERS.flatMap((trigger) =>
  DOCUMENT_STATES.flatMap((from) =>
    DOCUMENT_STATES.flatMap((to) => [true, false].map((requiresApproval) => ({ trigger, from, to, requiresApproval }))),
  ),
);

describe('the state table', () => {
  it('allows each move of the contract, with its events in order, and not one more', () => {
    const allowed = (requiresApproval: boolean, types: Row[3]) => types === 'all' || (types === 'with approval') === requiresApproval;
    for (const { trigger, from, to, requiresApproval } of everyMove) {
      const row = CONTRACT.find((one) => one[0] === trigger && one[1].includes(from) && one[2] === to && allowed(requiresApproval, one[3]));
      expect({ trigger, from, to, requiresApproval, events: findMove(trigger, from, to, requiresApproval)?.events }).toEqual({
        trigger,
        from,
        to,
        requiresApproval,
        events: row?.[4],
      });
    }
  });

  it('never leads from approval past the approvers', () => {
    for (const requiresApproval of [true, false]) {
      const out = movesFrom('in_approval', requiresApproval)
        .map(({ to }) => to)
        .sort();
      expect(out).toEqual(['approved', 'draft', 'rejected', 'returned']);
    }
    expect(movesFrom('draft', true).map(({ to }) => to)).toEqual(['in_approval']);
  });

  it('executes by signatures alone', () => {
    expect(STATE_MOVES.filter(({ to }) => to === 'executed').map(({ trigger, by }) => [trigger, by])).toEqual([['sign', 'party']]);
    expect(DOCUMENT_STATES.filter((state) => !OVERRIDE_TARGETS.includes(state))).toEqual(['sent', 'partially_signed', 'executed']);
  });

  it('leaves no state but those that end a document without a way out', () => {
    expect(DOCUMENT_STATES.filter((state) => movesFrom(state, true).length === 0)).toEqual(['revoked', 'superseded']);
  });
});

describe('the standard lifecycle', () => {
  it('runs every move of the table under the name of its trigger', () => {
    for (const { trigger, from, to } of STATE_MOVES) {
      for (const stage of from) expect(stageAfter(STANDARD_LIFECYCLE, stage, trigger, to)).toBe(to);
      const codes = STANDARD_LIFECYCLE.transitions.filter((one) => one.trigger === trigger && one.to === to).map(({ code }) => code);
      expect(codes).toEqual([
        { approved: trigger === 'submit' ? 'submit_without_approval' : trigger, executed: 'sign_last' }[to as string] ?? trigger,
      ]);
    }
    expect(new Set(STANDARD_LIFECYCLE.transitions.map(({ code }) => code)).size).toBe(STANDARD_LIFECYCLE.transitions.length);
  });

  it('finalizes a draft and an approved document by one code', () => {
    for (const stage of ['draft', 'approved'])
      expect(requireTransition(STANDARD_LIFECYCLE, stage, 'finalize', 'finalized', 'finalize').to).toBe('finalized');
  });
});

describe("a lifecycle of the type's own", () => {
  const stage = (code: string, state: DocumentState) => ({ code, label: code, state });
  const transition = (code: string, from: string[], to: string, trigger: Trigger) => ({ code, label: code, from, to, trigger, roles: [] });
  const lifecycle: Lifecycle = {
    stages: [
      stage('writing', 'draft'),
      stage('review', 'in_approval'),
      stage('fine', 'approved'),
      stage('fine_with_notes', 'approved'),
      stage('done', 'finalized'),
    ],
    transitions: [
      transition('hand_in', ['writing'], 'review', 'submit'),
      transition('ok', ['review'], 'fine', 'approve'),
      transition('ok_but', ['review'], 'fine_with_notes', 'approve'),
      transition('close', ['fine'], 'done', 'finalize'),
    ],
  };
  const codeOf = (run: () => unknown) => {
    try {
      return run();
    } catch (error) {
      const { spec, occurrence } = error as { spec: { code: string }; occurrence: { allowed?: string[] } };
      return [spec.code, occurrence.allowed];
    }
  };

  it('needs no name where one transition fits, and one where several do', () => {
    expect(requireTransition(lifecycle, 'writing', 'submit', 'in_approval', null).code).toBe('hand_in');
    expect(codeOf(() => requireTransition(lifecycle, 'review', 'approve', 'approved', null))).toEqual([
      'invalid_lifecycle',
      ['ok', 'ok_but'],
    ]);
    expect(requireTransition(lifecycle, 'review', 'approve', 'approved', 'ok_but').to).toBe('fine_with_notes');
  });

  it('rejects unknown names, names of another stage and missing transitions', () => {
    expect(codeOf(() => requireTransition(lifecycle, 'review', 'approve', 'approved', 'nope'))).toEqual([
      'invalid_lifecycle',
      ['ok', 'ok_but'],
    ]);
    expect(codeOf(() => requireTransition(lifecycle, 'fine_with_notes', 'finalize', 'finalized', 'close'))).toEqual([
      'invalid_lifecycle',
      [],
    ]);
    expect(codeOf(() => requireTransition(lifecycle, 'review', 'reject', 'rejected', null))).toEqual(['invalid_lifecycle', undefined]);
  });

  it('cannot prevent moves by time or by signers', () => {
    expect(stageAfter(lifecycle, 'done', 'expire', 'expired')).toBe('expired');
    expect(firstStage(lifecycle, 'approved')).toBe('fine');
  });
});
