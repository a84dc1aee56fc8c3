import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** Where a call comes from, as limits, allowlists and the request log see it. */
export interface Visitor {
  /** IPv4 or IPv6 in canonical spelling; behind a trusted proxy the address of whoever called it. */
  address: string;
  /** As the client calls itself, at most 500 characters. */
  userAgent: string | null;
  /** `Request-Id` of the call, which events that it causes name. */
  requestId: string;
}

interface VisitorRequest {
  state: { address: string; requestId: string };
  headers: Record<string, string | undefined>;
}

const LONGEST_USER_AGENT = 500;

/** Where the call comes from, for evidence (signatures) and logs: `sign(@Visitor() visitor: Visitor)`. */
// eslint-disable-next-line @typescript-eslint/no-redeclare -- one name for the type and for the decorator that injects it
export const Visitor = createParamDecorator((_: unknown, context: ExecutionContext): Visitor => {
  const { state, headers } = context.switchToHttp().getRequest<VisitorRequest>();
  return { address: state.address, userAgent: headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? null, requestId: state.requestId };
});
