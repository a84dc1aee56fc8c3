import type { ApprovalStepDto } from '../types/type-definition.dto.js';
import type { TypeDefinition } from '../types/type-definition.js';
import type { ApprovalRequest } from './approval-request.entity.js';
import { holds } from './field-condition.js';

/** A step of a route with its index, from 1. */
export interface RouteStep extends ApprovalStepDto {
  index: number;
}

/** What is asked where the type requires approval but no step of its route applies: one decision, of anyone who may approve. */
const FALLBACK: RouteStep = { index: 1, name: 'Approval', mode: 'any', approvers: [] };

/** The first step: never none, because conditions that skip all steps must not approve a document by themselves. */
export function firstStep(definition: TypeDefinition, values: Record<string, unknown>): RouteStep {
  return nextStep(definition, values, 0) ?? FALLBACK;
}

/** The next step after an index whose condition holds; null after the last. */
export function nextStep({ approval_route }: TypeDefinition, values: Record<string, unknown>, after: number): RouteStep | null {
  const steps = (approval_route?.steps ?? []).map((step, position) => ({ ...step, index: position + 1 }));
  return steps.find(({ index, condition }) => index > after && (!condition || holds(condition, values))) ?? null;
}

/** The step that requests of this index belong to; null for the one that stands for a route without a step. */
export function stepAt({ approval_route }: TypeDefinition, index: number): RouteStep | null {
  const step = approval_route?.steps[index - 1];
  return step ? { ...step, index } : null;
}

/**
 * Whether the approvals given are enough. `isPresent` tells who can still decide: nobody waits for a member who has left.
 * A quorum of more than were asked means all of them.
 */
export function isSatisfied(requests: readonly ApprovalRequest[], isPresent: (approverId: string) => boolean): boolean {
  const asked = requests.filter(({ decision, approver_id }) => decision === 'approved' || (decision === 'pending' && (approver_id === null || isPresent(approver_id))));
  const approvals = asked.filter(({ decision }) => decision === 'approved').length;
  const [{ step_mode, quorum }] = requests;
  const needed = { any: 1, all: asked.length, quorum: Math.min(quorum ?? 1, asked.length) }[step_mode];
  return approvals > 0 && approvals >= needed;
}
