import type { FastifyReply } from 'fastify';
import type { RequestLogEntry } from '../request-log/request-log.js';
import type { Request } from './request-state.js';

/** A finished request as the log keeps it; null for what is not a keyed call. */
export function logEntryOf(request: Request, reply: FastifyReply): RequestLogEntry | null {
  const { state } = request;
  const { route } = state;
  if (route?.plane !== 'keyed') return null;
  return {
    time: new Date(),
    organization_id: state.organizationId,
    project_id: state.projectId,
    mode: state.mode,
    api_key_id: state.apiKeyId,
    member_id: request.ctx?.memberId ?? null,
    plane: 'keyed',
    method: request.method,
    route: route.path,
    operation: route.endpoint?.operation ?? null,
    tool: state.tool,
    via: state.via ?? (state.tool === null ? 'http' : 'mcp'),
    status: state.refusal?.status ?? reply.statusCode,
    code: state.refusal?.code ?? state.errorCode,
    latency_ms: performance.now() - state.startedAt,
    address: state.address,
    request_id: state.requestId,
    idempotent_replay: state.replayed,
    user_agent: request.headers['user-agent'] ?? null,
  };
}
