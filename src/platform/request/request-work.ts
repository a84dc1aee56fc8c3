import { currentWork, Work, type Span, type WorkFields } from '../../kit/internal.js';
import { pathOfUrl } from '../registry/route-registry.js';
import type { Request, RequestState } from './request-state.js';

export type Via = 'rest' | 'mcp' | 'console' | 'public_page';

/** A request as log lines name it. */
export class RequestWork extends Work {
  /** Of the tool call that makes the request. */
  toolSpan: Span | null = null;

  constructor(readonly request: Request) {
    super();
  }

  override get operation(): string {
    return `${this.request.method} ${routeOf(this.request) ?? 'without a route'}`;
  }

  override fields(): WorkFields {
    const { state, ctx } = this.request;
    return {
      request_id: state.requestId,
      route: routeOf(this.request),
      via: viaOf(this.request),
      tool: state.tool ?? undefined,
      organization_id: state.organizationId ?? undefined,
      key_id: state.apiKeyId ?? undefined,
      member_id: ctx?.memberId ?? undefined,
    };
  }
}

/** The request that the executing code is part of; null in jobs and commands. */
export function requestOfWork(): RequestState | null {
  const work = currentWork();
  return work instanceof RequestWork ? work.request.state : null;
}

/** The template of the route; null if none matches. The path itself may contain the secret of a link. */
function routeOf({ state, routeOptions: { url } }: Request): string | null {
  return url === undefined ? null : (state.route?.path ?? pathOfUrl(url));
}

export function viaOf(request: Request): Via {
  const { state } = request;
  if (state.tool !== null || state.via === 'mcp') return 'mcp';
  // Fastify makes an object of all options of the route for each reader
  const path = state.route?.controller ? state.route.path : request.routeOptions.url;
  if ((state.partOfPage && state.route?.plane !== 'keyed') || path?.startsWith('/console')) return 'console';
  return state.route?.plane === 'public' && state.route.module !== null && !state.route.path.startsWith('/api/') ? 'public_page' : 'rest';
}
