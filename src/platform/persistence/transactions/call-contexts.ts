import { Injectable } from '@nestjs/common';
import { Contexts, type Actor, type Ctx, type Place } from '../../../kit/index.js';
import { CallContext } from './call-context.js';

const NONE: ReadonlySet<string> = new Set();
const SYSTEM: Actor = { type: 'system', id: null, email: null };

/** The kit's `Contexts`. */
@Injectable()
export class CallContexts extends Contexts {
  system(place: Place): CallContext {
    return contextAt(place, SYSTEM, null);
  }

  systemWithin(ctx: Ctx): CallContext {
    const { requestId, organizationId, projectId, mode, owner } = ctx as CallContext;
    const within = new CallContext(requestId, organizationId, projectId, mode, SYSTEM, null, NONE, NONE);
    within.owner = owner;
    return within;
  }

  guest(place: Place, email: string | null, requestId: string | null = null): CallContext {
    return contextAt(place, { type: 'guest', id: null, email }, requestId);
  }
}

function contextAt({ organizationId, projectId, mode }: Place, actor: Actor, requestId: string | null): CallContext {
  return new CallContext(requestId, organizationId, projectId, mode, actor, null, NONE, NONE);
}
