import type { ApprovalStepDto } from '../types/approval-route.dto.js';
import type { TypeDefinition } from '../types/type-definition.js';
import type { ApprovalRequest } from '../records/approval-request.entity.js';
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

/** How many people a step asks by name. */
export const ASKED_BY_NAME = 50;
/** How many requests without a name a step has at most: as many as a quorum may be. */
const OPEN_REQUESTS = 100;

/** Whom the requests of a step name. Of too many people any may answer, so there is one without a name for each approval that is needed. */
export function asked<P>(people: readonly P[], { mode, quorum }: Pick<RouteStep, 'mode' | 'quorum'>): (P | null)[] {
  if (people.length === 0) return [null];
  if (people.length <= ASKED_BY_NAME) return [...people];
  const needed = { any: 1, all: people.length, quorum: Math.min(quorum ?? 1, people.length) }[mode];
  return Array.from({ length: Math.min(needed, OPEN_REQUESTS) }, () => null);
}

/** How many requests a submission may have. */
export function requestsAtMost({ approval_route }: TypeDefinition): number {
  const ofStep = ({ mode, escalate_to }: ApprovalStepDto) =>
    (mode === 'any' ? ASKED_BY_NAME : OPEN_REQUESTS) + (escalate_to ? ASKED_BY_NAME : 0);
  return (approval_route?.steps ?? []).reduce((sum, step) => sum + ofStep(step), 1);
}

/**
 * Whether the approvals given are enough. `isPresent` tells who can still decide: nobody waits for a member who has left.
 * A quorum of more than were asked means all of them.
 */
export function isSatisfied(requests: readonly ApprovalRequest[], isPresent: (approverId: string) => boolean): boolean {
  const asked = requests.filter(
    ({ decision, approver_id }) => decision === 'approved' || (decision === 'pending' && (approver_id === null || isPresent(approver_id))),
  );
  const approvals = asked.filter(({ decision }) => decision === 'approved').length;
  const [{ step_mode, quorum }] = requests;
  const needed = { any: 1, all: asked.length, quorum: Math.min(quorum ?? 1, asked.length) }[step_mode];
  return approvals > 0 && approvals >= needed;
}
