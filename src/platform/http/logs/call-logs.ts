import { Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { CompletedCall, CallLog, Tx } from '../../../kit/index.js';
import { RouteRegistry, routesByUrl } from '../../registry/route-registry.js';
import { isUncharged } from '../../request-log/refused-calls.js';
import { KeyCheck } from '../callers/key-check.js';
import { afterResponse } from './after-response.js';
import type { Request } from '../../request/request-state.js';

/** Passes every call with a known key to the log that its route declares, if it declares one. */
@Injectable()
export class CallLogs {
  /** By the method and Fastify's URL of the route. */
  private readonly logs = new Map<string, CallLog>();
  private readonly logger = new Logger('CallLogs');
  private minute = 0;
  /** Keys and codes of this minute. */
  private readonly refused = new Set<string>();

  constructor(
    private readonly modules: ModuleRef,
    private readonly routes: RouteRegistry,
    private readonly keyCheck: KeyCheck,
  ) {}

  install(fastify: FastifyInstance): void {
    for (const [url, { endpoint }] of routesByUrl(this.routes))
      if (endpoint?.callLog) this.logs.set(url, this.modules.get<CallLog>(endpoint.callLog, { strict: false }));
    afterResponse(fastify, (request, reply) => {
      const log = this.logOf(request);
      if (log) this.record(log, request, reply.statusCode).catch((error: Error) => this.logger.error(error));
    });
  }

  private async record(log: CallLog, request: Request, status: number): Promise<void> {
    // the server rejected the body as too large before a guard could check the key
    if (request.state.route === null) await this.keyCheck.authenticate(request).catch(() => undefined);
    const call = completedCall(request, status);
    if (call && !this.isRepeatedRefusal(call)) log.record(call);
  }

  /** No limit bounds these calls, so one per minute is passed on; the request log counts them all. */
  private isRepeatedRefusal({ time, organizationId, apiKeyId, code }: CompletedCall): boolean {
    if (!isUncharged({ organization_id: organizationId, code })) return false;
    const minute = Math.floor(time.getTime() / 60_000);
    if (minute !== this.minute) this.refused.clear();
    this.minute = minute;
    const refusal = `${apiKeyId} ${code}`;
    const isRepeated = this.refused.has(refusal);
    this.refused.add(refusal);
    return isRepeated;
  }

  /** Lets the route's log write in the transaction of the call. */
  async insert(tx: Tx, request: Request, status: number): Promise<void> {
    const log = this.logOf(request);
    const call = log && completedCall(request, status);
    if (call) await log.insert(tx, call);
  }

  private logOf(request: Request): CallLog | undefined {
    return this.logs.get(`${request.method} ${request.routeOptions.url}`);
  }
}

function completedCall(request: Request, status: number): CompletedCall | null {
  const { requestId, organizationId, projectId, mode, apiKeyId, address, errorCode, replay, startedAt, rawBody } = request.state;
  if (organizationId === null || mode === null || apiKeyId === null) return null;
  return {
    time: new Date(),
    requestId,
    organizationId,
    projectId,
    mode,
    apiKeyId,
    ctx: request.ctx,
    address,
    userAgent: request.headers['user-agent'] ?? null,
    status,
    code: errorCode,
    replay,
    durationMs: performance.now() - startedAt,
    body: rawBody ?? (Buffer.isBuffer(request.body) ? request.body : null),
  };
}
