import { DocumentErrors } from './documents.errors.js';
import { DOCUMENT_STATES, STATE_MOVES, type DocumentState, type Trigger } from './document-states.js';

/** A type's own label for a state; several stages may share a state. */
export interface LifecycleStage {
  code: string;
  label: string;
  state: DocumentState;
}

/** A move between stages; only members with one of `roles` may make it, or everyone if it is empty. */
export interface LifecycleTransition {
  code: string;
  label: string;
  from: string[];
  to: string;
  trigger: Trigger;
  roles: string[];
}

export interface Lifecycle {
  stages: LifecycleStage[];
  transitions: LifecycleTransition[];
}

/** Codes for the second transition of a trigger that leads to two states. */
const SECOND_CODES: Partial<Record<Trigger, string>> = { submit: 'submit_without_approval', sign: 'sign_last' };

/** The lifecycle of a type without its own: one stage per state, one transition per trigger and target state. */
export const STANDARD_LIFECYCLE: Lifecycle = {
  stages: DOCUMENT_STATES.map((state) => ({ code: state, label: labelOf(state), state })),
  transitions: standardTransitions(),
};

function standardTransitions(): LifecycleTransition[] {
  const firsts = STATE_MOVES.filter(
    ({ trigger, to }, index) => STATE_MOVES.findIndex((move) => move.trigger === trigger && move.to === to) === index,
  );
  return firsts.map(({ trigger, to }) => {
    const from = STATE_MOVES.filter((move) => move.trigger === trigger && move.to === to).flatMap((move) => move.from);
    const first = firsts.find((move) => move.trigger === trigger);
    const code = first?.to === to ? trigger : (SECOND_CODES[trigger] as string);
    return { code, label: labelOf(code), from, to, trigger, roles: [] };
  });
}

/**
 * The transition that a trigger runs from a stage to a state. If several match, `code` must choose one. Fails with
 * `invalid_lifecycle` if none matches.
 */
export function requireTransition(
  lifecycle: Lifecycle,
  stage: string,
  trigger: Trigger,
  to: DocumentState,
  code: string | null,
): LifecycleTransition {
  const open = lifecycle.transitions.filter(
    (transition) => transition.trigger === trigger && transition.from.includes(stage) && stateOf(lifecycle, transition.to) === to,
  );
  const allowed = open.map((transition) => transition.code);
  if (code !== null) {
    const chosen = open.find((transition) => transition.code === code);
    if (!chosen)
      throw DocumentErrors.invalidLifecycle({
        param: 'lifecycle_action',
        allowed,
        message: `lifecycle_action ${code} does not ${trigger} this document from the stage ${stage}`,
      });
    return chosen;
  }
  if (open.length === 1) return open[0];
  if (open.length === 0)
    throw DocumentErrors.invalidLifecycle({
      message: `The type's lifecycle has no transition to ${trigger} a document from the stage ${stage}.`,
    });
  throw DocumentErrors.invalidLifecycle({
    param: 'lifecycle_action',
    allowed,
    message: `Several transitions ${trigger} a document from the stage ${stage}; choose one with lifecycle_action.`,
  });
}

/** The stage after a move by a party or the system, which no lifecycle can forbid: by its transition, else the first of the state. */
export function stageAfter(lifecycle: Lifecycle, stage: string, trigger: Trigger, to: DocumentState): string {
  const transition = lifecycle.transitions.find(
    (one) => one.trigger === trigger && one.from.includes(stage) && stateOf(lifecycle, one.to) === to,
  );
  return transition?.to ?? firstStage(lifecycle, to);
}

/** The first stage of a state; the name of the state if the lifecycle has no stage for it. */
export function firstStage(lifecycle: Lifecycle, state: DocumentState): string {
  return lifecycle.stages.find((stage) => stage.state === state)?.code ?? state;
}

export function stateOf(lifecycle: Lifecycle, stage: string): DocumentState | undefined {
  return lifecycle.stages.find(({ code }) => code === stage)?.state;
}

function labelOf(code: string): string {
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
