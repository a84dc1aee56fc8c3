// The state of a request: what guards, interceptors and the log share about it.

import type { FastifyRequest } from 'fastify';
import type { CallContext } from '../persistence/transactions/call-context.js';
import type { LimitedCaller } from '../rate-limit/limits.guard.js';
import type { Route } from '../registry/route-registry.js';

/** What the platform notes about a request on its way: the guards fill it, the log reads it. */
export interface RequestState {
  requestId: string;
  /** Milliseconds of `performance.now()`. */
  startedAt: number;
  address: string;
  /** Null until a guard has run: unknown paths never get one. */
  route: Route | null;
  organizationId: string | null;
  projectId: string | null;
  mode: 'live' | 'test' | null;
  apiKeyId: string | null;
  errorCode: string | null;
  /** The earlier answer that is given again. */
  replay: { body: string | null } | null;
  /** The MCP tool whose call this is, for a request that the MCP endpoint made in process. */
  tool: string | null;
  /** The body as it came in, for routes that keep a log of their own. */
  rawBody: Buffer | null;
  /** Set at the MCP endpoint, also for what names no tool. */
  via?: 'mcp';
  /** What the log says of a message that was refused in an answer with the HTTP status 200, as JSON-RPC wants it. */
  refusal?: { status: number; code: string };
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState;
    ctx?: CallContext;
    caller?: LimitedCaller;
  }
}

export type Request = FastifyRequest;
