import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isMcpPath } from '../../config/mcp-address.js';
import { KeyAuthenticator } from '../../keys/key-authenticator.js';
import type { CallContext } from '../../persistence/transactions/call-context.js';
import { Limiter } from '../../rate-limit/limiter.js';
import { charge, type LimitedCaller } from '../../rate-limit/limits.guard.js';
import { attachKey, documentationLimit, KEYLESS_LIMITS, rethrowRejectedKey, type KeylessLimits } from './caller.guard.js';

/** Checks key, address and limits for what is served outside Nest's routes: the MCP endpoint and unknown paths. */
@Injectable()
export class KeyCheck {
  constructor(
    private readonly keys: KeyAuthenticator,
    private readonly limiter: Limiter,
    @Inject(KEYLESS_LIMITS) private readonly limits: KeylessLimits,
  ) {}

  async authenticate(request: FastifyRequest): Promise<CallContext> {
    try {
      const how = { peekedAt: request.raw, atMcp: isMcpPath(request.url) };
      attachKey(request, await this.keys.authenticate(request.headers.authorization, request.state.address, how));
    } catch (error) {
      rethrowRejectedKey(request.state, error);
    }
    return request.ctx as CallContext;
  }

  charge(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return charge(this.limiter, request.caller as LimitedCaller, reply);
  }

  /** For the documentation, which needs no key. */
  chargeReader(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return charge(this.limiter, documentationLimit(request.state.address, this.limits), reply);
  }
}
