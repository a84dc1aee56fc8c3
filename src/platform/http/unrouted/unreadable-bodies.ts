import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CommonErrors, type DomainError } from '../../../kit/index.js';
import { MCP_PATH } from '../../config/mcp-address.js';
import { isKeyedPath, pathOfUrl, rawRoute } from '../../registry/route-registry.js';
import type { KeyCheck } from '../callers/key-check.js';
import { tooLarge } from '../validation/too-large.js';

/** Fastify parses the bodies of these only. */
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Rejects a body whose Content-Length is too large, or whose Content-Type is malformed, before it is read but after the key is checked:
 * the request counts against the key's limits and appears in its owner's log. Fastify itself rejects them before the key is known. The MCP
 * endpoint has its own checks.
 */
export function rejectUnreadableBodies(fastify: FastifyInstance, keyCheck: KeyCheck): void {
  const defaultLimit = fastify.initialConfig.bodyLimit as number;
  fastify.addHook('onRequest', (request, reply, done) => {
    const { headers, method, routeOptions } = request;
    const limit = routeOptions.bodyLimit ?? defaultLimit;
    const isTooLarge = Number(headers['content-length']) > limit;
    const isMalformed = headers['content-type'] !== undefined && WITH_BODY.has(method) && request.mediaType === undefined;
    if ((!isTooLarge && !isMalformed) || !isKeyedPath(request.url) || routeOptions.url === MCP_PATH) return done();
    const error = isTooLarge ? tooLarge(request) : CommonErrors.unsupportedMediaType({ param: 'Content-Type' });
    reject(keyCheck, request, reply, error).catch(done);
  });
}

async function reject(keyCheck: KeyCheck, request: FastifyRequest, reply: FastifyReply, error: DomainError): Promise<never> {
  request.state.route = rawRoute(request.method, pathOfUrl(request.routeOptions.url ?? request.url));
  await keyCheck.authenticate(request);
  await keyCheck.charge(request, reply);
  throw error;
}
