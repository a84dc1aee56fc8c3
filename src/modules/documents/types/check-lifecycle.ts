import type { ErrorDetail } from '../../../kit/index.js';
import { STATE_MOVES, type DocumentState } from '../model/core/document-states.js';
import type { Lifecycle } from '../model/core/lifecycle.js';
import type { TypeDefinition } from '../model/types/type-definition.js';

/** Contradictions of a lifecycle with itself, the state table or the other settings of its type. */
export function lifecycleProblems(lifecycle: Lifecycle, definition: TypeDefinition, at: string): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const add = (param: string, message: string, allowed?: readonly string[]) =>
    void problems.push({ param: `${at}.${param}`, code: 'invalid_value', message: `${at}.${param} ${message}`, allowed });
  const states = new Map(lifecycle.stages.map(({ code, state }) => [code, state]));

  for (const [index, { code }] of lifecycle.stages.entries())
    if (firstOf(lifecycle.stages, code) !== index) add(`stages.${index}.code`, `repeats ${code}`);
  for (const [index, transition] of lifecycle.transitions.entries()) {
    const { code, from, to, trigger } = transition;
    if (firstOf(lifecycle.transitions, code) !== index) add(`transitions.${index}.code`, `repeats ${code}`);
    const target = states.get(to);
    if (target === undefined) add(`transitions.${index}.to`, `names ${to}, which is not a stage`, [...states.keys()]);
    for (const stage of from) {
      const source = states.get(stage);
      if (source === undefined) add(`transitions.${index}.from`, `names ${stage}, which is not a stage`, [...states.keys()]);
      else if (target !== undefined && !stands(trigger, source, target))
        add(`transitions.${index}`, `would ${trigger} from ${source} to ${target}, which the state table does not allow`);
    }
  }
  for (const state of neededStates(definition))
    if (!lifecycle.stages.some((stage) => stage.state === state)) add('stages', `must contain a stage for the state ${state}`);
  return problems;

  function stands(trigger: string, source: DocumentState, target: DocumentState): boolean {
    const moves = STATE_MOVES.filter(
      (move) => move.trigger === trigger && (move.approvalRequired ?? definition.requires_approval) === definition.requires_approval,
    );
    return moves.some((move) => move.from.includes(source) && move.to === target);
  }
}

/** The initial state, and the states that parties and scheduled jobs can reach whatever the transitions allow. */
function neededStates({ requires_approval, signature_parties }: TypeDefinition): DocumentState[] {
  const signed: DocumentState[] = signature_parties.length > 0 ? ['sent', 'partially_signed', 'executed', 'declined', 'expired'] : [];
  return ['draft', ...(requires_approval ? (['in_approval', 'approved'] as const) : []), 'finalized', ...signed];
}

function firstOf(items: readonly { code: string }[], code: string): number {
  return items.findIndex((item) => item.code === code);
}
