import { Injectable } from '@nestjs/common';
import { Contexts, type Actor, type Place } from '../../kit/index.js';
import { CallContext } from './call-context.js';

const NONE: ReadonlySet<string> = new Set();

/** The kit's `Contexts`. */
@Injectable()
export class CallContexts extends Contexts {
  system(place: Place): CallContext {
    return contextAt(place, { type: 'system', id: null, email: null });
  }

  guest(place: Place, email: string | null): CallContext {
    return contextAt(place, { type: 'guest', id: null, email });
  }
}

function contextAt({ organizationId, projectId, mode }: Place, actor: Actor): CallContext {
  return new CallContext(actor.type, organizationId, projectId, mode, actor, null, NONE, NONE);
}
