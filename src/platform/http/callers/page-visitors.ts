import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionTokenOf } from '../../people/sessions/session-cookie.js';
import { SessionReader, type SignedIn } from '../../people/sessions/session-reader.js';
import { Limiter } from '../../rate-limit/limiter.js';
import { charge } from '../../rate-limit/limits.guard.js';
import { addressLimit, KEYLESS_LIMITS, memberLimit, type KeylessLimits } from './caller.guard.js';

/** The member who requests a page for signed-in members. The page's route is public and unlimited, so access is decided here. */
@Injectable()
export class PageVisitors {
  constructor(
    private readonly sessions: SessionReader,
    private readonly limiter: Limiter,
    @Inject(KEYLESS_LIMITS) private readonly limits: KeylessLimits,
  ) {}

  async find(request: FastifyRequest): Promise<SignedIn | null> {
    const token = sessionTokenOf(request.headers.cookie);
    return token ? this.sessions.read(token) : null;
  }

  /** Charges the page to its member or, without a session, to the address; throws RateLimited. */
  charge(request: FastifyRequest, reply: FastifyReply, visitor: SignedIn | null): Promise<void> {
    const caller = visitor ? memberLimit(visitor.member.id, this.limits) : addressLimit(request.state.address, this.limits);
    return charge(this.limiter, caller, reply);
  }
}
