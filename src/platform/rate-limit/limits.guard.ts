import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { FastifyReply } from 'fastify';
import { type Bucket, Limiter } from './limiter.js';
import { rateLimitHeaders } from './rate-limit-headers.js';
import { RateLimited } from './rate-limited.error.js';

/** A caller with rate limits, set on the request by an earlier guard. */
export interface LimitedCaller {
  /** Empty if not limited. Return the same array for the same caller, see rateLimitHeaders. */
  bucketsFor(): readonly Bucket[];
  /** Of the key that calls, see KeyChanges. */
  readonly subjects?: readonly string[];
  /** Receives the last change of the subjects before the call is admitted or rejected; throws if the caller is no longer valid. */
  confirm?(changedAt: number): void | Promise<void>;
}

/**
 * Replaces the throttler's logic, which charges its buckets one after the other, so that a call rejected by the second has been
 * charged to the first, and which gives every route its own quota. Here all buckets are charged atomically.
 */
@Injectable()
export class LimitsGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly limiter: Limiter,
  ) {
    super(options, storage, reflector);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { caller } = http.getRequest<{ caller?: LimitedCaller }>();
    if (caller) await charge(this.limiter, caller, http.getResponse<FastifyReply>());
    return true;
  }
}

/** Charges one call to the caller's limits and sets the rate-limit headers; throws if a limit is exceeded. */
export async function charge(limiter: Limiter, caller: LimitedCaller, reply: FastifyReply): Promise<void> {
  let buckets = caller.bucketsFor();
  if (buckets.length === 0) return;
  const decided = limiter.admit(buckets, caller.subjects);
  let admission = decided instanceof Promise ? await decided : decided;
  const confirmed = caller.confirm?.(admission.keysChangedAt);
  if (confirmed !== undefined) {
    await confirmed;
    // a rejected call was not charged, so it is tried again with the current limits; an admitted one was charged
    if (!admission.admitted) admission = await limiter.admit((buckets = caller.bucketsFor()), caller.subjects);
  }
  void reply.headers(rateLimitHeaders(buckets, admission));
  if (!admission.admitted) throw new RateLimited(admission.retryAfterSeconds);
}
