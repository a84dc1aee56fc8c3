import { CommonErrors, type Ctx } from '../../../kit/index.js';
import type { CallContext } from '../../persistence/transactions/call-context.js';

/** A member must have given their password within this time before an operation that grants or revokes access. */
const CONFIRMED_FOR_MS = 2 * 60 * 60_000;

/** Until when a confirmation counts. */
export function confirmedUntil(confirmedAt: Date): Date {
  return new Date(confirmedAt.getTime() + CONFIRMED_FOR_MS);
}

/**
 * Throws `confirmation_required` if the signed-in member has not given their password for two hours. Callers without a session
 * pass: keys, jobs and commands. A route that always requires it declares `confirmation: true` instead.
 */
export function requireConfirmation(ctx: Ctx): void {
  const { session } = ctx as CallContext;
  if (session && confirmedUntil(session.confirmedAt).getTime() <= Date.now()) throw CommonErrors.confirmationRequired();
}
