import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** Which data plane a call works on: `svc_live_` keys see live rows only, `svc_test_` keys test rows only. */
export type Mode = 'live' | 'test';

/** Who is behind a change, as events and the audit trail name them. */
export interface Actor {
  type: 'user' | 'api_key' | 'system' | 'guest';
  id: string | null;
  email: string | null;
}

/**
 * What the pipeline found out about the caller before your handler runs. Everything that decides which rows a call may
 * touch comes from here (that is: from the key or the session), never from the request's body or query.
 */
export interface Ctx {
  /** `Request-Id` of the call; null for work that no call started: sweeps, jobs, commands. */
  readonly requestId: string | null;
  readonly organizationId: string;
  /** The project the key is pinned to; null for an organisation-wide key or a signed-in member. */
  readonly projectId: string | null;
  readonly mode: Mode;
  readonly actor: Actor;
  /** The member the key is bound to, or the signed-in member; null for an unbound key. */
  readonly memberId: string | null;
  /** The scopes the key holds; empty on the product plane. */
  readonly scopes: ReadonlySet<string>;
  /** The permissions of the signed-in member's role; empty for a key. */
  readonly permissions: ReadonlySet<string>;
  /** The versions an `If-Match` header accepts; null when the header is absent or `*`. */
  readonly ifMatch: readonly number[] | null;
  readonly idempotencyKey: string | null;
  /**
   * The failure that a test key asked for by `Svc-Test-Scenario`; null for everyone else. The code that could fail so answers
   * as if it had: `ai_execution_failed`, `approval_action_failed`, `insufficient_credits`.
   */
  readonly scenario: string | null;
}

/** What the platform hangs on every request; modules see only `ctx`. */
export interface RequestWithCtx {
  ctx?: Ctx;
}

/** The caller's context: `list(@Ctx() ctx: Ctx)`. */
// eslint-disable-next-line @typescript-eslint/no-redeclare -- one name for the type and for the decorator that injects it
export const Ctx = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<RequestWithCtx>().ctx;
});
