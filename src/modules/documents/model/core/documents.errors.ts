import { defineErrors } from '../../../../kit/index.js';

/** Errors that only the documents module returns. */
export const DocumentErrors = defineErrors({
  /** The document's state does not allow the move; `allowed` lists the states that allow it. */
  invalidTransition: {
    code: 'invalid_transition',
    type: 'invalid_request_error',
    status: 400,
    message: 'The document cannot make this move in its current state; see its allowed_actions.',
    description: 'Make one of the moves in the allowed_actions of the document, or bring it first into one of the states in allowed.',
  },
  /** `action` is not one of the literals, or this approver has already decided. */
  invalidAction: {
    code: 'invalid_action',
    type: 'invalid_request_error',
    status: 400,
    message: 'action must be APPROVE, REJECT, RETURN or TRANSITION.',
    description: 'Send APPROVE, REJECT, RETURN or TRANSITION as action. An approver decides once in a step.',
  },
  missingApproverEmail: {
    code: 'missing_approver_email',
    type: 'invalid_request_error',
    status: 400,
    message: 'approver_email is required: the address of the member on whose behalf you act.',
    description: 'Send approver_email: the address of the member on whose behalf you act.',
  },
  /** No active member has this address. */
  approverNotFound: {
    code: 'approver_not_found',
    type: 'permission_error',
    status: 403,
    message: 'approver_email is not the address of an active member.',
    description: 'Send the address of an active member; list_pending_approvals lists the approvers of each step.',
  },
  /** The member is not an approver of the document's current step. */
  notAnApprover: {
    code: 'not_an_approver',
    type: 'permission_error',
    status: 403,
    message: 'approver_email is not an approver of the current step; list_pending_approvals lists its approvers.',
  },
  /** The decision is no longer pending: it was made or withdrawn, or its step is over. `allowed` lists the pending decisions. */
  staleDecision: {
    code: 'stale_decision',
    type: 'conflict_error',
    status: 409,
    message: 'This decision is no longer pending; read the document again and decide on what is pending now.',
  },
  /** A step needs more approvals than its approvers can give, each of them one and the submitter none; `step` names it. */
  notEnoughApprovers: {
    code: 'not_enough_approvers',
    type: 'invalid_request_error',
    status: 400,
    message: 'A step of the approval needs more approvals than its approvers can give.',
    description: 'Ask for fewer approvals in the step that the error names, or add approvers to it.',
  },
  /** The type's lifecycle has no transition for the move, or has several and the request names none. */
  invalidLifecycle: {
    code: 'invalid_lifecycle',
    type: 'conflict_error',
    status: 409,
    message: "The lifecycle of the document's type does not allow this move.",
    description:
      'Make a move that the lifecycle of the type has, and name the transition if there are several for it; get_document_type shows ' +
      'them.',
  },
  /** A step after the decision failed, so the decision was rolled back. */
  approvalActionFailed: {
    code: 'approval_action_failed',
    type: 'upstream_error',
    status: 502,
    message: 'A step after the decision failed, so nothing was changed; retry with the same Idempotency-Key.',
  },
  /** The model failed or returned an invalid response, or there are too few credits (`details[0].code` is `insufficient_credits`). */
  aiExecutionFailed: {
    code: 'ai_execution_failed',
    type: 'upstream_error',
    status: 502,
    message: 'The analysis failed and nothing was charged; retry with the same Idempotency-Key.',
  },
  /** A public link that has expired. */
  contentErased: {
    code: 'content_erased',
    type: 'not_found_error',
    status: 410,
    message: 'The contents of this document were erased when its retention period ended. Its audit trail and its hashes were kept.',
    description: 'Nothing brings the contents back. The audit trail and the hashes were kept: get_document and its events show them.',
  },
  linkExpired: {
    code: 'link_expired',
    type: 'not_found_error',
    status: 410,
    message: 'This link has expired; ask its sender for a new one.',
  },
  /** The last signature could not be applied, because the PDF of the document cannot be stamped or sealed; nothing was signed. */
  cannotBeSealed: {
    code: 'cannot_be_sealed',
    type: 'conflict_error',
    status: 409,
    message: 'The PDF of the document cannot be sealed, so nothing was signed; reopen the document and upload another file.',
  },
  /** The passcode is wrong, or there were too many attempts. */
  passcodeRefused: {
    code: 'passcode_refused',
    type: 'permission_error',
    status: 403,
    message: 'The passcode is wrong.',
    description: 'Send the passcode that the sender gave you; after too many attempts ask the sender to send it again.',
  },
});
