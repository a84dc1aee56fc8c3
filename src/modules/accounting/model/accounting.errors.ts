import { defineErrors } from '../../../kit/index.js';

export { invalid } from '../../../kit/index.js';

/** Errors specific to the accounting module. */
export const AccountingErrors = defineErrors({
  /** The status of the invoice or payment does not permit the operation; `allowed` lists the statuses that do. */
  invalidTransition: {
    code: 'invalid_transition',
    type: 'invalid_request_error',
    status: 400,
    message: 'This is not possible in the current status.',
    description: 'Read the invoice or payment again; the error lists in allowed the statuses in which this is possible.',
  },
  /** `debit_amount` and `credit_amount` are the sums. */
  entryUnbalanced: {
    code: 'entry_unbalanced',
    type: 'invalid_request_error',
    status: 400,
    message: 'The debits and credits of an entry must be equal.',
    description: 'Change the lines until the debits equal the credits: debit_amount and credit_amount are the sums that you sent.',
  },
  /** A sum is beyond what a JSON number represents exactly. */
  amountTooLarge: {
    code: 'amount_too_large',
    type: 'invalid_request_error',
    status: 400,
    message: 'A resulting amount exceeds 9007199254740991 minor units.',
    description: 'Split the entry or the invoice: a sum must not exceed 9007199254740991 minor units.',
  },
  /** `details` lists what is missing in the settings and accounts. */
  setupIncomplete: {
    code: 'setup_incomplete',
    type: 'conflict_error',
    status: 409,
    message: 'The accounting of the project is not set up completely; ask a member to complete it.',
  },
  /** `month` is the first day of the closed month. */
  periodClosed: {
    code: 'period_closed',
    type: 'conflict_error',
    status: 409,
    message: 'The month is closed; use a date in an open month.',
  },
  /** `balance_amount` is what can be settled. */
  paymentExceedsBalance: {
    code: 'payment_exceeds_balance',
    type: 'conflict_error',
    status: 409,
    message: 'The amount exceeds what is open.',
    description: 'Allocate at most balance_amount, which is what is open.',
  },
  useCreditNote: {
    code: 'use_credit_note',
    type: 'conflict_error',
    status: 409,
    message: 'The invoice was settled in part or its month is closed; correct it with create_credit_note.',
  },
  /** All lines of the invoice were credited before. */
  alreadyCredited: {
    code: 'already_credited',
    type: 'conflict_error',
    status: 409,
    message: 'The invoice was credited completely.',
    description: 'Nothing is left to credit. If the customer owes it again, create a new invoice.',
  },
  /** `reversed_by_id` is the reversal, if it is an entry. */
  alreadyReversed: {
    code: 'already_reversed',
    type: 'conflict_error',
    status: 409,
    message: 'It is already reversed.',
    description: 'Do nothing: the reversal exists, and reversed_by_id names it if it is an entry.',
  },
  notReversible: {
    code: 'not_reversible',
    type: 'conflict_error',
    status: 409,
    message: 'The entry belongs to an invoice or payment, or is a reversal; void, credit or reverse that one instead.',
  },
});
