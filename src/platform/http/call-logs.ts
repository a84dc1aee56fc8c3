import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { AnsweredCall, CallLog } from '../../kit/index.js';
import { RouteRegistry } from '../registry/route-registry.js';
import { KeyedEntrance } from './keyed-entrance.js';
import type { Request } from './request-state.js';

/** Tells the logs that single routes keep of each of their calls whose key was recognised. */
export function installCallLogs(fastify: FastifyInstance, app: INestApplication): void {
  const entrance = app.get(KeyedEntrance);
  const logs = new Map<string, CallLog>();
  for (const route of app.get(RouteRegistry).routes) {
    const type = route.endpoint?.callLog;
    if (type) logs.set(`${route.method} ${route.path}`, app.get<CallLog>(type, { strict: false }));
  }
  fastify.addHook('onResponse', async (request, reply) => {
    const log = logs.get(`${request.method} ${request.routeOptions.url}`);
    if (!log) return;
    // refused by the server before a guard could ask for the key: a body beyond any bound
    if (request.state.route === null) await entrance.authenticate(request).catch(() => undefined);
    const call = answeredCall(request, reply.statusCode);
    if (call) log.record(call);
  });
  fastify.addHook('onClose', async () => {
    for (const log of new Set(logs.values())) await log.flush();
  });
}

function answeredCall(request: Request, status: number): AnsweredCall | null {
  const { requestId, organizationId, projectId, mode, apiKeyId, address, errorCode, replayed, startedAt, rawBody } = request.state;
  if (organizationId === null || mode === null || apiKeyId === null) return null;
  return {
    time: new Date(), requestId, organizationId, projectId, mode, apiKeyId, ctx: request.ctx, address, userAgent: request.headers['user-agent'] ?? null,
    status, code: errorCode, replayed, durationMs: performance.now() - startedAt, body: rawBody ?? (Buffer.isBuffer(request.body) ? request.body : null),
  };
}
