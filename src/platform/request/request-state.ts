// The state of a request, shared by guards, interceptors and the request log.

import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { SentFile, Upload } from '../../kit/index.js';
import type { Work } from '../../kit/internal.js';
import { limitKeyOf } from '../net/address.js';
import type { CallContext } from '../persistence/transactions/call-context.js';
import type { LimitedCaller } from '../rate-limit/limits.guard.js';
import type { Route } from '../registry/route-registry.js';

/** What the guards find out about a request; the request log reads it. A class, because an object literal with a getter takes 5 us. */
export class RequestState {
  /** Milliseconds of `performance.now()`. */
  readonly startedAt = performance.now();
  /** Null until a guard has run, and for unknown paths. */
  route: Route | null = null;
  organizationId: string | null = null;
  projectId: string | null = null;
  mode: 'live' | 'test' | null = null;
  apiKeyId: string | null = null;
  /** Whether the key is the connection of an MCP client that a member authorized. */
  isConnection = false;
  errorCode: string | null = null;
  /** Whether the call is only tried out. */
  dryRun = false;
  /** The stored response that is sent again. */
  replay: { body: string | null } | null = null;
  /** The MCP tool that is called. */
  tool: string | null = null;
  /** The request at the MCP endpoint that contains the tool call. */
  outer: IncomingMessage | undefined = undefined;
  /** Whether a page or an export makes this request in process, for the caller who is charged for that. */
  partOfPage = false;
  /** What a list is sent as a CSV file of: one page, or all its items. */
  csv: 'page' | 'all' | null = null;
  /** The raw body, for routes with a log of their own. */
  rawBody: Buffer | null = null;
  /** Which bodies the key's organization keeps; none without a key. */
  keptBodies: 'none' | 'test' | 'errors' = 'none';
  /** The body as it was received, if it may be kept. */
  receivedBody: Buffer | null = null;
  /** The response as JSON, if the bodies are kept. */
  sentText: string | null = null;
  /** Set at the MCP endpoint, also for messages that call no tool. */
  via: 'mcp' | undefined = undefined;
  /** What the log records for a rejected JSON-RPC message, whose HTTP status is 200. */
  rejection: { status: number; code: string } | undefined = undefined;

  /** When a response began that stays open for as long as its client listens: what follows is no latency. */
  streamsSince: number | null = null;

  constructor(
    readonly requestId: string,
    readonly address: string,
    readonly userAgent: string | null,
  ) {}

  get operation(): string | null {
    return this.route?.endpoint?.operation ?? null;
  }

  /** Milliseconds from the request to the end of its response, or to the begin of one that stays open. */
  get latencyMs(): number {
    return (this.streamsSince ?? performance.now()) - this.startedAt;
  }

  /** Under which limits count the address. */
  get limitKey(): string {
    return limitKeyOf(this.address);
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState;
    work: Work;
    ctx?: CallContext;
    caller?: LimitedCaller;
    /** The file in the form of a page. */
    upload?: Upload;
    /** The files beside the fields of a route's body. */
    files?: readonly SentFile[];
  }
}

export type Request = FastifyRequest;
