import { CommonErrors, invalid, isUuid, type Tx } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import type { Document } from '../../model/records/document.entity.js';
import { appliesTo, stepsOf } from '../../model/rules/approval-route.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';

/** How many pending decisions an error lists. */
const LISTED = 20;

interface Choice {
  decisionId: string | null;
  step: string | null;
}

/**
 * The pending request that the caller names by its id; null if none is named. A decision or step that is no longer pending, or not
 * yet, fails with `stale_decision`: a repeated or parallel call must not decide a later step. `round` are the requests of the
 * current submission; the document is locked.
 */
export async function chosenRequest(
  tx: Tx,
  document: Document,
  definition: TypeDefinition,
  round: readonly ApprovalRequest[],
  { decisionId, step }: Choice,
): Promise<ApprovalRequest | null> {
  const allowed = pendingIds(round);
  const chosen = decisionId === null ? null : await requestOf(tx, document, round, decisionId);
  if (chosen === undefined)
    throw CommonErrors.validationFailed({ param: 'decision_id', message: 'decision_id is not a decision of this document', allowed });
  if (chosen && chosen.decision !== 'pending')
    throw DocumentErrors.staleDecision({
      param: 'decision_id',
      allowed,
      message: `This decision is ${chosen.decision}; read the document again and decide on what is pending now.`,
    });
  if (step === null) return chosen;
  const index = stepIndex(document, definition, round, step);
  if (chosen && chosen.step_index !== index) throw invalid('step', `must be the step of decision_id, ${chosen.step_index}`);
  const isReached = round.some(({ step_index }) => step_index === index);
  if (document.approval_step === index || (document.state !== 'in_approval' && !isReached)) return chosen;
  throw DocumentErrors.staleDecision({
    param: 'step',
    allowed,
    message: isReached
      ? `Step ${index} is over; read the document again and decide on what is pending now.`
      : `Step ${index} is not pending yet; read the document again and decide on what is pending now.`,
  });
}

/** The ids of the pending requests, or of those that a member may decide. */
export function pendingIds(requests: readonly ApprovalRequest[], approverId?: string): string[] {
  const mine = ({ approver_id }: ApprovalRequest) => approverId === undefined || approver_id === null || approver_id === approverId;
  return requests
    .filter((request) => request.decision === 'pending' && mine(request))
    .slice(0, LISTED)
    .map(({ id }) => id);
}

/** A request of the document, of whichever submission; undefined if there is none with this id. */
async function requestOf(
  tx: Tx,
  { id: documentId }: Document,
  round: readonly ApprovalRequest[],
  decisionId: string,
): Promise<ApprovalRequest | undefined> {
  const wanted = decisionId.trim().toLowerCase();
  const current = round.find(({ id }) => id === wanted);
  if (current || !isUuid(wanted)) return current;
  const earlier = await tx.find(ApprovalRequest, wanted);
  return earlier?.document_id === documentId ? earlier : undefined;
}

/** The index of a step that is named by its index or, if no step has it and the name is unique in the route, by its name. */
function stepIndex(document: Document, definition: TypeDefinition, round: readonly ApprovalRequest[], step: string): number {
  const steps = [
    ...stepsOf(definition).filter((one) => appliesTo(one, document.data_values)),
    ...round.map(({ step_index: index, step_name: name }) => ({ index, name })),
  ];
  const wanted = step.trim();
  const byIndex = steps.find(({ index }) => String(index) === wanted);
  if (byIndex) return byIndex.index;
  const found = [...new Set(steps.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase()).map(({ index }) => index))];
  if (found.length === 1) return found[0];
  const allowed = [...new Set(steps.map(({ index }) => String(index)))];
  throw CommonErrors.validationFailed({
    param: 'step',
    allowed,
    message: found.length === 0 ? 'step is not a step of this approval' : 'step names several steps; use the index or decision_id',
  });
}
