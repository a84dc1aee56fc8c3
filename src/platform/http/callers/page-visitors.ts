import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionTokenOf } from '../../people/sessions/session-cookie.js';
import { SessionReader, type SignedIn } from '../../people/sessions/session-reader.js';
import { Limiter } from '../../rate-limit/limiter.js';
import { charge } from '../../rate-limit/limits.guard.js';
import { addressLimit, KEYLESS_LIMITS, memberLimit, type KeylessLimits } from './caller.guard.js';

/** Who asks for a page of signed-in members. The route of the page is public and not limited: what it shows is decided here. */
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

  /** Charges the page to its member, or to the address of whoever has no session; throws RateLimited. */
  charge(request: FastifyRequest, reply: FastifyReply, visitor: SignedIn | null): Promise<void> {
    const caller = visitor ? memberLimit(visitor.member.id, this.limits) : addressLimit(request.state.address, this.limits);
    return charge(this.limiter, caller, reply);
  }
}
