// The state of a request, shared by guards, interceptors and the request log.

import type { FastifyRequest } from 'fastify';
import type { Upload } from '../../kit/index.js';
import type { CallContext } from '../persistence/transactions/call-context.js';
import type { LimitedCaller } from '../rate-limit/limits.guard.js';
import type { Route } from '../registry/route-registry.js';

/** What the guards find out about a request; the request log reads it. */
export interface RequestState {
  requestId: string;
  /** Milliseconds of `performance.now()`. */
  startedAt: number;
  address: string;
  /** Under which limits count the address. */
  readonly limitKey: string;
  /** Null until a guard has run, and for unknown paths. */
  route: Route | null;
  organizationId: string | null;
  projectId: string | null;
  mode: 'live' | 'test' | null;
  apiKeyId: string | null;
  /** Whether the key is the connection of an MCP client that a member authorized. */
  isConnection: boolean;
  errorCode: string | null;
  /** The stored response that is sent again. */
  replay: { body: string | null } | null;
  /** The MCP tool that is called, for a request that the MCP endpoint makes in process. */
  tool: string | null;
  /** The request at the MCP endpoint that makes this one in process. */
  outer: object | undefined;
  /** Whether a page makes this request in process, for the member who is charged for the page. */
  partOfPage: boolean;
  /** The raw body, for routes with a log of their own. */
  rawBody: Buffer | null;
  /** Which bodies the key's organization keeps; none without a key. */
  keptBodies: 'none' | 'test' | 'errors';
  /** The body as it was received, if it may be kept. */
  receivedBody: Buffer | null;
  /** The response as JSON, if the bodies are kept. */
  sentText: string | null;
  /** Set at the MCP endpoint, also for messages that call no tool. */
  via?: 'mcp';
  /** What the log records for a rejected JSON-RPC message, whose HTTP status is 200. */
  rejection?: { status: number; code: string };
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState;
    ctx?: CallContext;
    caller?: LimitedCaller;
    /** The file in the form of a page. */
    upload?: Upload;
  }
}

export type Request = FastifyRequest;
