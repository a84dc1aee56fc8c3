import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** The client of a call, as limits, allowlists and the request log identify it. */
export interface Visitor {
  /** Canonical IPv4 or IPv6 address; behind a trusted proxy, the address of the proxy's client. */
  address: string;
  /**
   * The key under which limits count a visitor: the IPv4 address, or the /64 network of an IPv6 address, which one client can use
   * entirely.
   */
  limitKey: string;
  /** The User-Agent header, truncated to 500 characters. */
  userAgent: string | null;
  /** The call's `Request-Id`; events that the call causes refer to it. */
  requestId: string;
}

interface VisitorRequest {
  state: { address: string; limitKey: string; requestId: string };
  headers: Record<string, string | undefined>;
}

const MAX_USER_AGENT_LENGTH = 500;

/**
 * Injects the client of the call, for evidence (signatures) and logs: `sign(@Visitor() visitor: Visitor)`.
 *
 * @example
 * ```ts
 * import { Controller, Post } from '@nestjs/common';
 * import { Public, Visitor } from 'work-suite/kit';
 *
 * @Controller('trips/feedback')
 * export class FeedbackController {
 *   @Post()
 *   @Public('Travellers have no account', { callsPerHour: 20 })
 *   give(@Visitor() visitor: Visitor): string {
 *     return `Thank you; ${visitor.requestId}`;
 *   }
 * }
 * ```
 */
// one name for the type and for the decorator that injects it
export const Visitor = createParamDecorator((_: unknown, context: ExecutionContext): Visitor => {
  const { state, headers } = context.switchToHttp().getRequest<VisitorRequest>();
  const { address, limitKey, requestId } = state;
  return { address, limitKey, userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null, requestId };
});
