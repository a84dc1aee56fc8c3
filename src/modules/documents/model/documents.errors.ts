import { defineErrors } from '../../../kit/index.js';

/** What only the documents module refuses. */
export const DocumentErrors = defineErrors({
  /** The document's state does not allow the move; `allowed` lists the states that do. */
  invalidTransition: {
    code: 'invalid_transition',
    type: 'invalid_request_error',
    status: 400,
    message: 'The document cannot make this move in its present state; read its allowed_actions.',
  },
  /** `action` is none of the literals, or this approver has decided already. */
  invalidAction: {
    code: 'invalid_action',
    type: 'invalid_request_error',
    status: 400,
    message: 'action must be APPROVE, REJECT, RETURN or TRANSITION.',
  },
  missingApproverEmail: {
    code: 'missing_approver_email',
    type: 'invalid_request_error',
    status: 400,
    message: 'Send approver_email: the address of the member for whom you act.',
  },
  /** No active member has this address. */
  approverNotFound: {
    code: 'approver_not_found',
    type: 'permission_error',
    status: 403,
    message: 'approver_email is not the address of an active member.',
  },
  /** The member is no approver on the document's current step. */
  notAnApprover: {
    code: 'not_an_approver',
    type: 'permission_error',
    status: 403,
    message: 'approver_email names nobody who decides on the current step; list_pending_approvals names who does.',
  },
  /** The type's lifecycle has no transition for the move, or several and none was named. */
  invalidLifecycle: {
    code: 'invalid_lifecycle',
    type: 'conflict_error',
    status: 409,
    message: "The lifecycle of the document's type cannot run this move.",
  },
  /** A step that follows the decision failed, so nothing was decided. */
  approvalActionFailed: {
    code: 'approval_action_failed',
    type: 'upstream_error',
    status: 502,
    message: 'A step that follows the decision failed, so nothing was changed; repeat the call with the same Idempotency-Key.',
  },
  /** The model failed or answered nonsense, or credits are lacking (`details[0].code` is `insufficient_credits`). */
  aiExecutionFailed: {
    code: 'ai_execution_failed',
    type: 'upstream_error',
    status: 502,
    message: 'The analysis failed and nothing was charged; repeat the call with the same Idempotency-Key.',
  },
  /** A public link whose time is over. */
  linkExpired: {
    code: 'link_expired',
    type: 'not_found_error',
    status: 410,
    message: 'This link has expired; ask its sender for a new one.',
  },
  /** The passcode is wrong or was tried too often. */
  passcodeRefused: { code: 'passcode_refused', type: 'permission_error', status: 403, message: 'The passcode is not right.' },
});
