import type { FastifyReply } from 'fastify';
import { isObject } from '../../../kit/index.js';
import type { KeptBodies } from '../../request-log/kept-bodies.js';
import { isUncharged } from '../../request-log/refused-calls.js';
import { maskBody, maskError } from '../../request-log/mask-body.js';
import type { Request } from '../../request/request-state.js';

/** Larger bodies are not kept, because masking them would take longer than the request. */
const LARGEST_BODY = 64 * 1024;

/** Whether the organization keeps the bodies of this request: of all test calls, and of live calls that fail. */
export function isKept({ state }: Request, { statusCode }: FastifyReply): boolean {
  if (state.keptBodies === 'none' || state.route?.plane !== 'keyed' || !state.route.endpoint) return false;
  if (isUncharged({ organization_id: state.organizationId, code: state.errorCode })) return false;
  return state.mode === 'test' || (state.keptBodies === 'errors' && statusCode >= 400);
}

/** Keeps the bodies of a finished request, masked by the schemas of its route. */
export function keepBodies(request: Request, reply: FastifyReply, bodies: KeptBodies): void {
  const { state } = request;
  if (state.sentText === null || state.organizationId === null) return;
  const { endpoint, bodyDto } = state.route!;
  const raw = state.receivedBody ?? (Buffer.isBuffer(request.body) ? request.body : null);
  const list = endpoint?.bareList;
  const received = parse(raw);
  bodies.keep(state.requestId, state.organizationId, {
    request:
      received === undefined
        ? undefined
        : maskBody(list !== undefined && Array.isArray(received) ? { [list]: received } : received, bodyDto),
    response: maskedResponse(parse(state.sentText), request, reply.statusCode),
  });
}

function maskedResponse(body: unknown, { state }: Request, status: number): unknown {
  const { returns = null, list, secrets } = state.route!.endpoint!;
  if (body === undefined) return undefined;
  if (status >= 400) return maskError(body);
  if (!list || !isObject(body) || !Array.isArray(body.data)) return maskBody(body, returns, secrets);
  return { ...body, data: body.data.map((item) => maskBody(item, returns)) };
}

/** Undefined without a body, or for one that is not JSON or too large. */
function parse(body: Buffer | string | null): unknown {
  if (body === null || body.length === 0 || body.length > LARGEST_BODY) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
