import { Injectable, Logger } from '@nestjs/common';
import { Store, type Ctx } from '../../../kit/index.js';
import { CallContext, type CallOrigin } from '../../persistence/transactions/call-context.js';

/**
 * Which wrong passwords of an account within 15 minutes have entries in the audit log: few, so that nobody can fill it, and enough to see
 * guessing. After a hundred, attempts are refused.
 */
const NOTED: ReadonlySet<number> = new Set([1, 10, 100]);

const NONE: ReadonlySet<string> = new Set();

export interface Subject {
  id: string;
  organization_id: string;
}

/** Failed attempts to prove who somebody is, in the audit log. */
@Injectable()
export class FailureNotes {
  private readonly log = new Logger('Sign-in');

  constructor(private readonly store: Store) {}

  /** A wrong password of somebody who signs in, for each membership with the address. */
  signIn(members: readonly Subject[], requestId: string, origin: CallOrigin, failures: number): void {
    if (NOTED.has(failures))
      for (const member of members) this.note(visitorOf(member, requestId, origin), 'sign_in_failed', member.id, { failures });
  }

  /** A wrong code of somebody who knows the password. Each has an entry: after five, attempts are refused. */
  code(member: Subject, requestId: string, origin: CallOrigin, failures: number): void {
    this.note(visitorOf(member, requestId, origin), 'second_factor_failed', member.id, { failures });
  }

  /** A wrong password or code of a member who confirms a session. */
  confirmation(ctx: CallContext, given: 'password' | 'code', failures: number): void {
    if (given === 'code' || NOTED.has(failures)) this.note(apart(ctx), 'confirmation_failed', ctx.memberId as string, { given, failures });
  }

  /** Not awaited: the time of the answer must not reveal whether an address is known. */
  private note(ctx: Ctx, action: string, objectId: string, after: object): void {
    this.store
      .write(ctx, async (tx) => tx.advanced.audit({ action, objectType: 'member', objectId, after }))
      .catch((error: Error) => this.log.warn(`A failed attempt could not be noted: ${error.message}`));
  }
}

/** Somebody who has not signed in. */
function visitorOf({ organization_id }: Subject, requestId: string, origin: CallOrigin): CallContext {
  const ctx = new CallContext(requestId, organization_id, null, 'live', { type: 'guest', id: null, email: null }, null, NONE, NONE);
  ctx.origin = origin;
  return ctx;
}

/** The caller, outside of the transaction of the request, which is rolled back. */
function apart({ requestId, organizationId, actor, memberId, origin }: CallContext): CallContext {
  const ctx = new CallContext(requestId, organizationId, null, 'live', actor, memberId, NONE, NONE);
  ctx.origin = origin;
  return ctx;
}
