import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** Which data plane a call works on: `svc_live_` keys see live rows only, `svc_test_` keys test rows only. */
export type Mode = 'live' | 'test';

/** The author of a change, as recorded in events and the audit trail. */
export interface Actor {
  type: 'user' | 'api_key' | 'system' | 'guest';
  id: string | null;
  email: string | null;
}

/**
 * The authenticated caller of a request. Whatever decides which rows a call may access comes from here, that is from the
 * key or the session, and never from the request's body or query.
 */
export interface Ctx {
  /** The call's `Request-Id`; null for work outside a request: scheduled jobs, jobs, commands. */
  readonly requestId: string | null;
  readonly organizationId: string;
  /** The project the key is pinned to; null for an organization-wide key or a signed-in member. */
  readonly projectId: string | null;
  readonly mode: Mode;
  readonly actor: Actor;
  /** The member the key is bound to, or the signed-in member; null for an unbound key. */
  readonly memberId: string | null;
  /** The key's scopes; empty for a signed-in member. */
  readonly scopes: ReadonlySet<string>;
  /** The permissions of the signed-in member's role; empty for a key. */
  readonly permissions: ReadonlySet<string>;
  /** The versions that the `If-Match` header accepts; null if the header is absent or `*`. */
  readonly ifMatch: readonly number[] | null;
  readonly idempotencyKey: string | null;
  /**
   * The failure that a test key requested with `Svc-Test-Scenario`; null otherwise. The code in question then fails on
   * purpose: `ai_execution_failed`, `approval_action_failed`, `insufficient_credits`.
   */
  readonly scenario: string | null;
}

/** The property that the platform adds to every request. */
interface RequestWithCtx {
  ctx?: Ctx;
}

/**
 * Injects the caller's context: `list(@Ctx() ctx: Ctx)`.
 *
 * @example
 * ```ts
 * import { Controller, Get } from '@nestjs/common';
 * import { Ctx, Endpoint, Id, Store } from 'work-suite/kit';
 * import { TripDto } from './trip.dto.js';
 * import { Trip } from './trip.entity.js';
 *
 * @Controller('api/v1/ext/fleet/trips')
 * export class TripsController {
 *   constructor(private readonly store: Store) {}
 *
 *   @Get(':id')
 *   @Endpoint({ operation: 'get_trip', summary: 'Get a trip', scope: 'fleet:trip:read', returns: TripDto })
 *   get(@Ctx() ctx: Ctx, @Id() id: string): Promise<Trip> {
 *     return this.store.get(ctx, Trip, id);
 *   }
 * }
 * ```
 */
// one name for the type and for the decorator that injects it
export const Ctx = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<RequestWithCtx>().ctx;
});
