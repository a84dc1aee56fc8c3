import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KeyAuthenticator } from '../keys/key-authenticator.js';
import type { CallContext } from '../persistence/call-context.js';
import { Limiter } from '../rate-limit/limiter.js';
import { rateLimitHeaders } from '../rate-limit/rate-limit-headers.js';
import { RateLimited } from '../rate-limit/rate-limited.error.js';
import type { LimitedCaller } from '../rate-limit/limits.guard.js';
import { attachKey, noteRefused } from './caller.guard.js';

/** Key, address and limits for what is served beside Nest's routes: the MCP endpoint, and paths that do not exist. */
@Injectable()
export class KeyedEntrance {
  constructor(
    private readonly keys: KeyAuthenticator,
    private readonly limiter: Limiter,
  ) {}

  async authenticate(request: FastifyRequest): Promise<CallContext> {
    try {
      attachKey(request, await this.keys.authenticate(request.headers.authorization, request.state.address));
    } catch (error) {
      noteRefused(request.state, error);
    }
    return request.ctx as CallContext;
  }

  async charge(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = request.caller as LimitedCaller;
    const buckets = caller.bucketsFor();
    const admission = await this.limiter.admit(buckets);
    await caller.confirm?.(admission.keysEpoch);
    void reply.headers(rateLimitHeaders(buckets, admission));
    if (!admission.admitted) throw new RateLimited(admission.retryAfterSeconds);
  }
}
