import { Injectable } from '@nestjs/common';
import { Contexts, type Actor, type Ctx, type Tenant } from '../../../kit/index.js';
import { CallContext } from './call-context.js';

const NONE: ReadonlySet<string> = new Set();
const SYSTEM: Actor = { type: 'system', id: null, email: null };

/** The kit's `Contexts`. */
@Injectable()
export class CallContexts extends Contexts {
  system(tenant: Tenant): CallContext {
    return contextIn(tenant, SYSTEM, null);
  }

  systemWithin(ctx: Ctx): CallContext {
    const { requestId, organizationId, projectId, mode, owner } = ctx as CallContext;
    const within = new CallContext(requestId, organizationId, projectId, mode, SYSTEM, null, NONE, NONE);
    within.owner = owner;
    return within;
  }

  guest(tenant: Tenant, email: string | null, requestId: string | null = null): CallContext {
    return contextIn(tenant, { type: 'guest', id: null, email }, requestId);
  }
}

function contextIn({ organizationId, projectId, mode }: Tenant, actor: Actor, requestId: string | null): CallContext {
  return new CallContext(requestId, organizationId, projectId, mode, actor, null, NONE, NONE);
}
