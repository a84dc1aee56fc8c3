import type { ApprovalStepDto } from '../types/approval-route.dto.js';
import type { TypeDefinition } from '../types/type-definition.js';
import type { ApprovalRequest } from '../records/approval-request.entity.js';
import { holds } from './field-condition.js';

/** A step of a route with its index, starting at 1. */
export interface RouteStep extends ApprovalStepDto {
  index: number;
}

/** The step for a type that requires approval but has no step that applies: one decision by any approver. */
const FALLBACK: RouteStep = { index: 1, name: 'Approval', mode: 'any', approvers: [] };

/** The first step. There is always one: conditions that skip every step must not approve a document. */
export function firstStep(definition: TypeDefinition, values: Record<string, unknown>): RouteStep {
  return nextStep(definition, values, 0) ?? FALLBACK;
}

/** The next step after an index whose condition holds, or null. */
export function nextStep(definition: TypeDefinition, values: Record<string, unknown>, after: number): RouteStep | null {
  return stepsOf(definition).find((step) => step.index > after && appliesTo(step, values)) ?? null;
}

export function stepsOf({ approval_route }: TypeDefinition): RouteStep[] {
  return (approval_route?.steps ?? []).map((step, position) => ({ ...step, index: position + 1 }));
}

/** Whether the condition of a step holds for a document's values. */
export function appliesTo({ condition }: RouteStep, values: Record<string, unknown>): boolean {
  return !condition || holds(condition, values);
}

/** The step of a request's index; null if the request belongs to the fallback step. */
export function stepAt({ approval_route }: TypeDefinition, index: number): RouteStep | null {
  const step = approval_route?.steps[index - 1];
  return step ? { ...step, index } : null;
}

/** A step with more approvers than this creates requests without a name. */
const MAX_NAMED_REQUESTS = 50;
/** Most requests without a name per step; equals the largest quorum. */
const OPEN_REQUESTS = 100;

/** The step as its `escalate_to` decides it once it is overdue. */
export function escalatedStep(step: RouteStep): RouteStep {
  return { ...step, mode: 'any', approvers: step.escalate_to ? [step.escalate_to] : [], escalate_to: null };
}

/** The approver of each request of a step. Too many approvers get unnamed requests that any of them may decide, one per needed approval. */
export function requestedApprovers<P>(people: readonly P[], { mode, quorum }: Pick<RouteStep, 'mode' | 'quorum'>): (P | null)[] {
  if (people.length <= MAX_NAMED_REQUESTS) return [...people];
  const needed = { any: 1, all: people.length, quorum: Math.min(quorum ?? 1, people.length) }[mode];
  return Array.from({ length: Math.min(needed, OPEN_REQUESTS) }, () => null);
}

/**
 * The substitute of each request in place of a submitter who may not decide, or of overdue requests. Where one approval is enough, or no
 * more substitutes than approvals lack, they are asked by name; else any of them may decide each request.
 */
export function requestedSubstitutes<P>(substitutes: readonly P[], lacking: number, { mode }: Pick<RouteStep, 'mode'>): (P | null)[] {
  if (lacking === 0) return [];
  if (mode === 'any') return requestedApprovers(substitutes, { mode });
  return substitutes.length <= lacking ? [...substitutes] : Array.from({ length: lacking }, () => null);
}

/**
 * Whether a step has enough approvals. Approvers who left the organization (`isPresent` is false) no longer block the step.
 * A quorum larger than the number of approvers means all of them.
 */
export function isSatisfied(requests: readonly ApprovalRequest[], isPresent: (approverId: string) => boolean): boolean {
  const counted = requests.filter(
    ({ decision, approver_id }) => decision === 'approved' || (decision === 'pending' && (approver_id === null || isPresent(approver_id))),
  );
  const approvals = counted.filter(({ decision }) => decision === 'approved').length;
  const [{ step_mode, quorum }] = requests;
  const needed = { any: 1, all: counted.length, quorum: Math.min(quorum ?? 1, counted.length) }[step_mode];
  return approvals > 0 && approvals >= needed;
}
