import type { FastifyReply } from 'fastify';
import type { Route } from '../../registry/route-registry.js';
import type { RequestLogEntry } from '../../request-log/request-log.js';
import type { Request } from '../../request/request-state.js';

/** The log entry of a finished request: of every call with a key and every change by a member; null for others. */
export function logEntryOf(request: Request, reply: FastifyReply): RequestLogEntry | null {
  const { state } = request;
  const { route } = state;
  if (
    !route ||
    (route.plane === 'keyed' && state.partOfPage) ||
    route.plane === 'public' ||
    (route.plane === 'product' && !isChange(request, route))
  )
    return null;
  return {
    time: new Date(),
    organization_id: state.organizationId,
    project_id: state.projectId,
    mode: state.mode ?? request.ctx?.mode ?? null,
    api_key_id: state.apiKeyId,
    member_id: request.ctx?.memberId ?? null,
    plane: route.plane,
    method: request.method,
    route: route.path,
    operation: route.endpoint?.operation ?? null,
    tool: state.tool,
    via: state.via ?? (state.tool === null ? 'http' : 'mcp'),
    status: state.rejection?.status ?? reply.statusCode,
    code: state.rejection?.code ?? state.errorCode,
    latency_ms: state.latencyMs,
    address: state.address,
    request_id: state.requestId,
    idempotent_replay: state.replay !== null,
    dry_run: state.dryRun || (route.write && request.headers['svc-dry-run'] === 'true'),
    user_agent: request.headers['user-agent'] ?? null,
  };
}

/** The developer area counts what an operation would do whenever it shows a page. */
function isChange({ body }: Request, { write }: Route): boolean {
  return write && (body as { dry_run?: unknown } | null | undefined)?.dry_run !== true;
}
